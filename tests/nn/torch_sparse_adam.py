#!/usr/bin/env python3
"""Writes torch_sparse_adam.hpp: a table of rows after six steps of PyTorch's SparseAdam and SGD with sparse gradients.

python3 tests/nn/torch_sparse_adam.py > tests/nn/torch_sparse_adam.hpp   (written with PyTorch 1.13)
"""
import torch

from written import array

torch.manual_seed(38)
start = torch.randn(7, 3)
tokens = torch.tensor([[0, 2, 2], [5, 2, 0], [3, 3, 3], [0, 6, 2], [5, 5, 1], [2, 0, 6]])
factors = torch.randn(6, 3, 3)
print("// Written by torch_sparse_adam.py.\n#pragma once\n\n// clang-format off\nnamespace sparse_table {\n")
array("start", start, "float")
array("tokens", tokens, "int")
array("factors", factors, "float")
for name, made in dict(adam=lambda p: torch.optim.SparseAdam(p, lr=0.1), sgd=lambda p: torch.optim.SGD(p, lr=0.1)).items():
    table = torch.nn.Embedding(7, 3, sparse=True)
    with torch.no_grad():
        table.weight.copy_(start)
    optimiser = made(list(table.parameters()))
    for t, f in zip(tokens, factors):
        optimiser.zero_grad()
        (torch.tanh(table(t)) * f).sum().backward()
        optimiser.step()
    array(name, table.weight, "float")
print("\n}  // namespace sparse_table\n// clang-format on")
