#!/usr/bin/env python3
"""Writes torch_norms.hpp: batch normalisation of images by PyTorch, with gradients and running statistics.

python3 tests/nn/torch_norms.py > tests/nn/torch_norms.hpp
"""
import torch

from written import array

torch.manual_seed(23)
torch.set_default_dtype(torch.float64)


def channels_last(t):
    return t.movedim(1, -1)


print("// Written by torch_norms.py.\n#pragma once\n\n// clang-format off\nnamespace norms_table {\n")
layer = torch.nn.BatchNorm2d(3)
with torch.no_grad():
    layer.weight.copy_(torch.tensor([1.5, -0.5, 2.0]))
    layer.bias.copy_(torch.tensor([0.25, 1.0, -1.0]))
x = (torch.randn(4, 3, 5, 2) * torch.tensor([1.0, 3.0, 0.5]).reshape(3, 1, 1) + 0.75).requires_grad_(True)
y = layer(x)
w = torch.arange(1, y.numel() + 1).reshape(4, 5, 2, 3).movedim(-1, 1).sin()
(y * w).sum().backward()
array("images", channels_last(x))
array("normalised", channels_last(y))
array("by_images", channels_last(x.grad))
array("by_scale", layer.weight.grad)
array("by_shift", layer.bias.grad)
array("mean", layer.running_mean)
array("variance", layer.running_var)
layer.eval()
array("inference", channels_last(layer(x)))
print("\n}  // namespace norms_table")
