#!/usr/bin/env python3
"""Writes torch_schedules.hpp: rates of PyTorch's schedules that Optax lacks, at the steps of optax_table.hpp, and Rprop.

python3 tests/nn/torch_schedules.py > tests/nn/torch_schedules.hpp
"""
import numpy as np
import torch
from torch.optim import lr_scheduler

STEPS = [0, 1, 7, 9, 10, 19, 25, 40]


def row(values):
    return ", ".join(np.format_float_scientific(np.float32(v), trim="0") + "f" for v in values)


def rates(make, init):
    w = torch.nn.Parameter(torch.zeros(1))
    optimiser = torch.optim.SGD([w], lr=init)
    schedule = make(optimiser)
    all_rates = []
    for _ in range(max(STEPS) + 1):
        all_rates.append(schedule.get_last_lr()[0])
        optimiser.step()
        schedule.step()
    return [all_rates[k] for k in STEPS]


def plateau(measures):
    w = torch.nn.Parameter(torch.zeros(1))
    optimiser = torch.optim.SGD([w], lr=1.0)
    schedule = lr_scheduler.ReduceLROnPlateau(
        optimiser, mode="max", factor=0.5, patience=1, threshold=0.1, threshold_mode="abs", min_lr=0.2
    )
    factors = []
    for m in measures:
        schedule.step(m)
        factors.append(schedule.get_last_lr()[0])
    return factors


GRADIENTS = np.array([[np.sin(1.7 * k + i) * 10.0 ** (i - 1) for i in range(3)] for k in range(5)], np.float32)


def rprop():
    w = torch.nn.Parameter(torch.tensor([0.5, -1.0, 2.0]))
    optimiser = torch.optim.Rprop([w], lr=0.1)
    for g in GRADIENTS:
        w.grad = torch.tensor(g)
        optimiser.step()
    return w.detach().numpy()


MEASURES = [0.1, 0.3, 0.35, 0.3, 0.25, 0.2, 0.6, 0.65, 0.69, 0.5, 0.5, 0.4, 0.4, 0.4]
tables = {
    "triangular": rates(lambda o: lr_scheduler.CyclicLR(o, 0.1, 0.5, step_size_up=5, cycle_momentum=False), 0.1),
    "triangular2": rates(
        lambda o: lr_scheduler.CyclicLR(o, 0.1, 0.5, step_size_up=5, mode="triangular2", cycle_momentum=False), 0.1
    ),
    "restarts": rates(lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 7, eta_min=0.05), 0.5),
    "restarts_doubled": rates(lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 9, 2, eta_min=0.05), 0.5),
    "noam": [2 * 512**-0.5 * min((k + 1) ** -0.5, (k + 1) * 8**-1.5) for k in STEPS],
    "rprop": rprop(),
    "measures": MEASURES,
    "plateau": plateau(MEASURES),
}
print("// Written by torch_schedules.py.\n#pragma once\n\n// clang-format off\nnamespace torch_schedules {\n")
for name, values in tables.items():
    print(f"inline constexpr float {name}[{len(values)}]{{{row(values)}}};")
print("\n}  // namespace torch_schedules\n// clang-format on")
