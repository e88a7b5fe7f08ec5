#!/usr/bin/env python3
"""Writes positions_table.hpp: encodings by the formulas of the papers, by NumPy's complex numbers, and attention of
rotary, causal heads by PyTorch, with the gradient.

python3 tests/nn/positions_table.py > tests/nn/positions_table.hpp
"""
import numpy as np
import torch
import torch.nn.functional as F

from written import array

torch.manual_seed(29)
torch.set_default_dtype(torch.float64)


def turned(x, first=0):  # (..., places, d), column k with column k + d / 2 as one complex number
    half = x.shape[-1] // 2
    angle = np.array([[(first + p) / 1e4 ** (2 * k / (2 * half)) for k in range(half)] for p in range(x.shape[-2])])
    z = torch.complex(x[..., :half], x[..., half:]) * torch.from_numpy(np.exp(1j * angle))
    return torch.cat([z.real, z.imag], -1)


print("// Written by positions_table.py.\n#pragma once\n\n// clang-format off\nnamespace positions_table {\n")
table = np.zeros((5, 6))
for p in range(5):
    for i in range(6):
        angle = p / 1e4 ** (2 * (i // 2) / 6)
        table[p, i] = np.sin(angle) if i % 2 == 0 else np.cos(angle)
array("sinusoidal", table)
x = torch.randn(2, 5, 6)
array("x", x)
array("rotary", turned(x))
array("rotary_from_7", turned(x, 7))

y = torch.randn(2, 5, 8, requires_grad=True)
w = {name: torch.randn(8, 8) * 0.4 for name in ("query", "key", "value", "out")}
for name, values in w.items():
    array(name, values)


def heads(t):
    return t.reshape(2, 5, 2, 4).transpose(1, 2)


q, k, v = (heads(y @ w[name]) for name in ("query", "key", "value"))
joined = F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True).transpose(1, 2).reshape(2, 5, 8)
z = joined @ w["out"]
(z * torch.arange(1, 81).reshape(2, 5, 8).sin()).sum().backward()
array("y", y)
array("attended", z)
array("by_y", y.grad)
print("\n}  // namespace positions_table")
