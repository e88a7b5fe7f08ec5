#!/usr/bin/env python3
"""Writes torch_weight_norms.hpp: linear layers of normalised weights, and local response normalisation, by PyTorch.

python3 tests/nn/torch_weight_norms.py > tests/nn/torch_weight_norms.hpp
"""
import torch
import torch.nn.functional as F

from written import array

torch.manual_seed(31)
torch.set_default_dtype(torch.float64)
print(f"// Written by torch_weight_norms.py with PyTorch {torch.__version__}.\n#pragma once\n\n// clang-format off\nnamespace weights_table {{\n")
x = torch.randn(4, 3)
array("x", x)

layer = torch.nn.utils.weight_norm(torch.nn.Linear(3, 5))
array("v", layer.weight_v.T)
array("length", layer.weight_g)
with torch.no_grad():
    layer.weight_g.mul_(1.5)
array("scale", layer.weight_g)
array("b", layer.bias)
y = layer(x)
y.square().sum().backward()
array("weighted", y)
array("by_v", layer.weight_v.grad.T)
array("by_scale", layer.weight_g.grad)

layer = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(3, 5), n_power_iterations=1)
inner = layer.parametrizations.weight
array("w", inner.original.T)
array("c", layer.bias)
array("right", inner[0]._u)
array("left", inner[0]._v)
layer.train()
y = layer(x)
y.square().sum().backward()
array("spectral", y)
array("by_w", inner.original.grad.T)
array("next_right", inner[0]._u)
array("next_left", inner[0]._v)
layer.eval()
array("spectral_inference", layer(x))

z = (torch.randn(2, 3, 7) * 3).requires_grad_(True)
y = F.local_response_norm(z.movedim(2, 1), 5, 0.3, 0.6, 2.0).movedim(1, 2)
y.square().sum().backward()
array("channels", z)
array("response", y)
array("by_channels", z.grad)
print("\n}  // namespace weights_table\n// clang-format on")
