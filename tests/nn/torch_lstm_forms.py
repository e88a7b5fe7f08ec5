#!/usr/bin/env python3
"""Writes torch_lstm_forms.hpp: states of LSTMs with coupled gates, with peepholes, and with norms, by their formulas in
PyTorch, and the gradient by the input.

python3 tests/nn/torch_lstm_forms.py > tests/nn/torch_lstm_forms.hpp
"""
import torch
import torch.nn.functional as F

from written import array

torch.manual_seed(5)
torch.set_default_dtype(torch.float64)
N, PLACES, IN, H = 2, 4, 3, 4
sigma, tanh = torch.sigmoid, torch.tanh


def table(name, gates, cell, inputs=lambda x, p: x @ p["w"] + p["b"], **more):
    p = {"w": torch.randn(IN, gates * H), "u": torch.randn(H, gates * H), "b": torch.randn(gates * H)}
    for key, extent in more.items():
        p[key] = torch.randn(extent)
    for key, value in p.items():
        array(f"{name}_{key}", value)
    v = x.clone().requires_grad_(True)
    h = s = torch.zeros(N, H)
    states = []
    for k in range(PLACES):
        h, s = cell(h, s, inputs(v[:, k], p), p)
        states.append(h)
    y = torch.stack(states, 1)
    y.square().sum().backward()
    array(name + "_states", y)
    array(name + "_memory", s)
    array(name + "_gradient", v.grad)


def coupled(h, s, a, p):
    f, g, o = torch.chunk(a + h @ p["u"], 3, 1)
    s = sigma(f) * s + (1 - sigma(f)) * tanh(g)
    return sigma(o) * tanh(s), s


def peephole(h, s, a, p):
    i, f, g, o = torch.chunk(a + h @ p["u"], 4, 1)
    s = sigma(f + p["see_f"] * s) * s + sigma(i + p["see_i"] * s) * tanh(g)
    return sigma(o + p["see_o"] * s) * tanh(s), s


def normed(h, s, a, p):
    i, f, g, o = torch.chunk(a + F.layer_norm(h @ p["u"], (4 * H,)) * p["scale_u"], 4, 1)
    s = sigma(f) * s + sigma(i) * tanh(g)
    return sigma(o) * tanh(F.layer_norm(s, (H,)) * p["scale_s"] + p["shift_s"]), s


print(f"// Written by torch_lstm_forms.py with PyTorch {torch.__version__}.\n#pragma once\n\n// clang-format off\nnamespace forms {{\n")
x = torch.randn(N, PLACES, IN)
array("x", x)
table("coupled", 3, coupled)
table("peephole", 4, peephole, see_i=H, see_f=H, see_o=H)
table("normed", 4, normed, lambda v, p: F.layer_norm(v @ p["w"], (4 * H,)) * p["scale_w"] + p["b"],
      scale_w=4 * H, scale_u=4 * H, scale_s=H, shift_s=H)
p = {"w": torch.randn(IN, 5 * H), "left": torch.randn(H, 5 * H), "right": torch.randn(H, 5 * H), "b": torch.randn(5 * H)}
for key, value in p.items():
    array(f"tree_{key}", value)
left, right = [[0, 0, 1, 3], [0, 1, 0, 0]], [[0, 0, 2, 1], [0, 1, 0, 3]]
array("tree_of_left", left, "int")
array("tree_of_right", right, "int")
v = x.clone().requires_grad_(True)
trees = []
for n in range(N):
    h, c = [torch.zeros(H)], [torch.zeros(H)]
    for k in range(PLACES):
        l, r = left[n][k], right[n][k]
        i, f, g, u, o = torch.chunk(v[n, k] @ p["w"] + p["b"] + h[l] @ p["left"] + h[r] @ p["right"], 5)
        c.append(sigma(i) * tanh(u) + sigma(f) * c[l] + sigma(g) * c[r])
        h.append(sigma(o) * tanh(c[-1]))
    trees.append(torch.stack(h[1:]))
y = torch.stack(trees)
y.square().sum().backward()
array("tree_states", y)
array("tree_gradient", v.grad)
print("\n}  // namespace forms\n// clang-format on")
