#!/usr/bin/env python3
"""Writes torch_blocks.hpp: blocks of transformers as PyTorch has them, with gradients by their input.

python3 tests/nn/torch_blocks.py > tests/nn/torch_blocks.hpp
"""
import torch

from written import array

torch.manual_seed(23)
torch.set_default_dtype(torch.float64)


def put(name, module):  # weights as this library has them, inputs first
    array(name + "_in", module.in_proj_weight.T)
    array(name + "_in_bias", module.in_proj_bias)
    array(name + "_out", module.out_proj.weight.T)
    array(name + "_out_bias", module.out_proj.bias)


def norms(block, count):
    with torch.no_grad():
        for k in range(count):
            norm = getattr(block, f"norm{k + 1}")
            norm.weight.add_(torch.randn(8) / 4)
            norm.bias.add_(torch.randn(8) / 4)
    return torch.stack([torch.stack([getattr(block, f"norm{k + 1}").weight, getattr(block, f"norm{k + 1}").bias]) for k in range(count)])


def net(name, block):
    array(name + "_up", block.linear1.weight.T)
    array(name + "_up_bias", block.linear1.bias)
    array(name + "_down", block.linear2.weight.T)
    array(name + "_down_bias", block.linear2.bias)


def square(name, f, x):
    x = x.detach().clone().requires_grad_(True)
    y = f(x)
    y.square().sum().backward()
    array(name, y)
    array(name + "_gradient", x.grad)


how = dict(d_model=8, nhead=2, dim_feedforward=12, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
print(f"// Written by torch_blocks.py with PyTorch {torch.__version__}.\n#pragma once\n\n// clang-format off\nnamespace blocks {{\n")
x, memory = torch.randn(2, 3, 8), torch.randn(2, 4, 8)
array("x", x)
array("memory", memory)
encoder = torch.nn.TransformerEncoderLayer(**how)
array("encoder_norms", norms(encoder, 2))
put("encoder", encoder.self_attn)
net("encoder", encoder)
causal = torch.triu(torch.full((3, 3), float("-inf")), 1)
square("encoded", lambda v: encoder(v), x)
square("encoded_causal", lambda v: encoder(v, causal), x)
decoder = torch.nn.TransformerDecoderLayer(**how)
array("decoder_norms", norms(decoder, 3))
put("decoder", decoder.self_attn)
put("across", decoder.multihead_attn)
net("decoder", decoder)
square("decoded", lambda v: decoder(v, memory, causal), x)
print("\n}  // namespace blocks\n// clang-format on")
