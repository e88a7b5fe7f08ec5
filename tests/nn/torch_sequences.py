#!/usr/bin/env python3
"""Writes torch_sequences.hpp: CTC and NLL of PyTorch, NT-Xent and sparsemax by their definitions, with gradients.

python3 tests/nn/torch_sequences.py > tests/nn/torch_sequences.hpp
"""
import torch
import torch.nn.functional as F

from written import array

torch.manual_seed(17)
torch.set_default_dtype(torch.float64)


def with_gradient(name, f, x):
    x = x.detach().clone().requires_grad_(True)
    y = f(x)
    (y * torch.arange(1, y.numel() + 1).reshape(y.shape)).sum().backward()  # no two with the same weight
    array(name, y)
    array(name + "_gradient", x.grad)


print("// Written by torch_sequences.py.\n#pragma once\n\n// clang-format off\nnamespace sequences_table {\n")
scores = torch.randn(4, 6, 4) * 2  # n, places, classes
labels = torch.tensor([[1, 2, 2], [3, 0, 0], [1, 1, 3], [0, 0, 0]])
lengths, label_lengths = torch.tensor([6, 2, 5, 3]), torch.tensor([3, 1, 3, 0])
array("scores", scores)
array("labels", labels, "int")
array("lengths", lengths, "int")
array("label_lengths", label_lengths, "int")
with_gradient(
    "ctc",
    lambda v: F.ctc_loss(F.log_softmax(v, 2).transpose(0, 1), labels, lengths, label_lengths, reduction="none"),
    scores,
)
with_gradient(
    "ctc_last",
    lambda v: F.ctc_loss(
        F.log_softmax(v, 2).transpose(0, 1), labels % 3, lengths, label_lengths, blank=3, reduction="none"
    ),
    scores,
)
a, b = torch.randn(5, 3), torch.randn(5, 3)
array("a", a)
array("b", b)


def nt_xent(v, t=0.5):
    z = F.normalize(torch.cat([v, b]), dim=1)
    s = (z @ z.T / t).masked_fill(torch.eye(10, dtype=torch.bool), -torch.inf)
    return F.cross_entropy(s, (torch.arange(10) + 5) % 10)


def sparsemax(v):  # by bisection of the threshold, and its derivative by the formula
    low, high = v.max(1, keepdim=True).values.detach() - 1, v.max(1, keepdim=True).values.detach()
    for _ in range(100):
        middle = (low + high) / 2
        above = (v.detach() - middle).clamp(min=0).sum(1, keepdim=True) > 1
        low, high = torch.where(above, middle, low), torch.where(above, high, middle)
    support = (v.detach() > high).double()
    return ((v - ((v * support).sum(1, keepdim=True) - 1) / support.sum(1, keepdim=True)) * support).clamp(min=0)


with_gradient("nt_xent", nt_xent, a)
with_gradient("sparsemax", sparsemax, a)
with_gradient("nll", lambda v: F.nll_loss(F.log_softmax(v, 2).reshape(-1, 4), (torch.arange(24) * 7) % 4), scores)
print("\n}  // namespace sequences_table\n// clang-format on")
