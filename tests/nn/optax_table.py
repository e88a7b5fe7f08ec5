#!/usr/bin/env python3
"""Writes optax_table.hpp: five steps of Optax's optimisers with given gradients, and values of its schedules."""
import jax.numpy as jnp
import numpy as np
import optax
from optax import contrib

GRADIENTS = np.array([[np.sin(1.7 * k + i) * 10.0 ** (i - 1) for i in range(3)] for k in range(5)], np.float32)
START = np.array([0.5, -1.0, 2.0], np.float32)
OPTIMISERS = {
    "sgd": optax.sgd(0.1),
    "momentum": optax.sgd(0.1, momentum=0.9),
    "nesterov": optax.sgd(0.1, momentum=0.9, nesterov=True),
    "rmsprop": optax.rmsprop(0.1),
    "adagrad": optax.adagrad(0.1),
    "adadelta": optax.adadelta(0.1),
    "adam": optax.adam(0.1),
    "adamw": optax.adamw(0.1, weight_decay=0.01),
    "adamax": optax.adamax(0.1),
    "nadam": optax.nadam(0.1),
    "amsgrad": optax.amsgrad(0.1),
    "lion": optax.chain(optax.scale_by_lion(), optax.scale(-0.1)),
    "radam": optax.radam(0.1, b2=0.95, threshold=4.5),
    "lamb": optax.lamb(0.1, weight_decay=0.01),
    "lars": optax.lars(optax.cosine_decay_schedule(5.0, 20, 0.1), weight_decay=0.01),
    "clipped": optax.chain(optax.clip(0.5), optax.sgd(0.1)),
    "clipped_by_norm": optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(0.1)),
}
MATRIX_GRADIENTS = np.array(
    [[[np.sin(1.3 * k + 2 * i + j * j) * 10.0 ** (j - 1) for j in range(3)] for i in range(2)] for k in range(5)], np.float32
)
MATRIX_START = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], np.float32)
OF_MATRICES = {
    "adafactor": optax.adafactor(0.1, min_dim_size_to_factor=1),
    "muon": contrib.muon(0.1),
    "adaptive_clip": optax.chain(optax.adaptive_grad_clip(0.2), optax.sgd(0.1)),
}
SCHEDULES = {
    "exponential_decay": optax.exponential_decay(0.5, 10, 0.3),
    "step_decay": optax.exponential_decay(0.5, 10, 0.3, staircase=True),
    "polynomial_decay": optax.polynomial_schedule(0.5, 0.1, 2.0, 20),
    "cosine_decay": optax.cosine_decay_schedule(0.5, 20, 0.1),
    "warmup_cosine": optax.warmup_cosine_decay_schedule(0.0, 0.5, 8, 30, 0.05),
    "one_cycle": optax.cosine_onecycle_schedule(30, 0.5, 0.3),
    "joined": optax.join_schedules(
        [optax.linear_schedule(0.0, 0.5, 8), optax.constant_schedule(0.5), optax.cosine_decay_schedule(0.5, 20)], [8, 10]
    ),
}
STEPS = [0, 1, 7, 9, 10, 19, 25, 40]


def after_five(optimiser, start=START, gradients=GRADIENTS):
    w = jnp.asarray(start)
    state = optimiser.init(w)
    for g in gradients:
        change, state = optimiser.update(jnp.asarray(g), state, w)
        w = optax.apply_updates(w, change)
    return np.asarray(w)


def after_five_ahead(period):  # whose parameters are pairs
    optimiser = optax.lookahead(optax.adam(0.1), period, 0.5)
    w = optax.LookaheadParams.init_synced(jnp.asarray(START))
    state = optimiser.init(w)
    for g in GRADIENTS:
        change, state = optimiser.update(jnp.asarray(g), state, w)
        w = optax.apply_updates(w, change)
    return np.asarray(w.fast)


def of_examples():  # the gradients as those of five examples, clipped and averaged
    private = contrib.differentially_private_aggregate(0.7, 0.0, 0)
    change, _ = private.update(jnp.asarray(GRADIENTS), private.init(jnp.asarray(START)))
    return np.asarray(change)


def row(values):
    return ", ".join(np.format_float_scientific(np.float32(v), trim="0") + "f" for v in values)


with open("optax_table.hpp", "w") as out:
    print(f"// Made by optax_table.py with Optax {optax.__version__}.\n#pragma once\n\nnamespace optax_table {{\n", file=out)
    print(f"inline constexpr float gradients[5][3]{{{', '.join('{' + row(g) + '}' for g in GRADIENTS)}}};", file=out)
    print(f"inline constexpr float start[3]{{{row(START)}}};", file=out)
    print(f"inline constexpr int steps[{len(STEPS)}]{{{', '.join(map(str, STEPS))}}};", file=out)
    for name, optimiser in OPTIMISERS.items():
        print(f"inline constexpr float {name}[3]{{{row(after_five(optimiser))}}};", file=out)
    print(f"inline constexpr float lookahead[3]{{{row(after_five_ahead(2))}}};", file=out)
    print(f"inline constexpr float matrix_gradients[5][6]{{{', '.join('{' + row(g.ravel()) + '}' for g in MATRIX_GRADIENTS)}}};", file=out)
    print(f"inline constexpr float matrix_start[6]{{{row(MATRIX_START.ravel())}}};", file=out)
    for name, optimiser in OF_MATRICES.items():
        for turned in (False, True):
            moved = (lambda x: np.swapaxes(x, -1, -2)) if turned else lambda x: x
            w = after_five(optimiser, moved(MATRIX_START), moved(MATRIX_GRADIENTS))
            print(f"inline constexpr float {name}{'_turned' if turned else ''}[6]{{{row(w.ravel())}}};", file=out)
    print(f"inline constexpr float adafactor_of_vector[3]{{{row(after_five(OF_MATRICES['adafactor']))}}};", file=out)
    for name, schedule in SCHEDULES.items():
        print(f"inline constexpr float {name}[{len(STEPS)}]{{{row([schedule(k) for k in STEPS])}}};", file=out)
    print(f"inline constexpr float clipped_per_example[3]{{{row(of_examples())}}};", file=out)
    centred = optax.centralize().update({"w": jnp.asarray(GRADIENTS.T)}, optax.EmptyState())[0]["w"].T
    print(f"inline constexpr float centralized[5][3]{{{', '.join('{' + row(g) + '}' for g in centred)}}};", file=out)
    print("\n}  // namespace optax_table", file=out)
