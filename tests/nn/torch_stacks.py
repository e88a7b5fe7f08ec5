#!/usr/bin/env python3
"""Writes torch_stacks.hpp: stacks of recurrent layers of PyTorch, with the gradient by their input.

python3 tests/nn/torch_stacks.py > tests/nn/torch_stacks.hpp
"""
import torch

from written import array

torch.manual_seed(31)
torch.set_default_dtype(torch.float64)


print("// Written by torch_stacks.py.\n#pragma once\n\n// clang-format off\nnamespace stacks_table {\n")
x = torch.randn(2, 5, 3)
array("x", x)
for name, layer in {
    "lstm": torch.nn.LSTM(3, 4, 3, batch_first=True),
    "gru": torch.nn.GRU(3, 4, 2, batch_first=True),
    "both_lstm": torch.nn.LSTM(3, 4, 2, batch_first=True, bidirectional=True),
    "both_gru": torch.nn.GRU(3, 4, 1, batch_first=True, bidirectional=True),
}.items():
    for k in range(layer.num_layers):
        for way in ("", "_reverse") if layer.bidirectional else ("",):
            for part in ("ih", "hh"):
                array(f"{name}_w_{part}_{k}{way}", getattr(layer, f"weight_{part}_l{k}{way}").T)
                array(f"{name}_b_{part}_{k}{way}", getattr(layer, f"bias_{part}_l{k}{way}"))
    v = x.clone().requires_grad_(True)
    y, last = layer(v)
    (y.square().sum() / 2).backward()
    array(name, y)
    array(f"{name}_gradient", v.grad)
    if name == "lstm":
        array("lstm_last_states", last[0])
        array("lstm_last_memories", last[1])
print("\n}  // namespace stacks_table")
