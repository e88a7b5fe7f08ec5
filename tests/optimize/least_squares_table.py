#!/usr/bin/env python3
"""Writes least_squares_table.hpp: what SciPy's least_squares finds by MINPACK's Levenberg-Marquardt.

python3 tests/optimize/least_squares_table.py > tests/optimize/least_squares_table.hpp
"""
import os
import sys

import jax
import jax.numpy as jnp
import numpy as np
import scipy
from scipy.optimize import least_squares

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../nn"))
from written import array

jax.config.update("jax_enable_x64", True)
rng = np.random.default_rng(7)


def found(name, f, x0):
    r = least_squares(lambda x: np.asarray(f(x)), x0, jac=lambda x: np.asarray(jax.jacfwd(f)(x)), method="lm",
                      gtol=1e-13, ftol=1e-15, xtol=1e-15)
    array(f"{name}_found", r.x)
    array(f"{name}_value", [r.cost])
    array(f"{name}_evaluations", [r.nfev], "int")


print(f"// Written by least_squares_table.py with SciPy {scipy.__version__}.\n#pragma once\n")
print("// clang-format off\nnamespace least_squares_table {\n")

# two peaks over a straight line: heights, centres, widths, shift, slope
x = np.round(np.linspace(0, 10, 60), 4)
peaks = lambda p: p[0] * jnp.exp(-0.5 * ((x - p[2]) / p[4]) ** 2) + \
    p[1] * jnp.exp(-0.5 * ((x - p[3]) / p[5]) ** 2) + p[6] + p[7] * x
y = np.round(np.asarray(peaks(np.array([3, 2, 3.2, 6.5, 0.5, 1.1, 0.4, 0.05]))) + 0.05 * rng.normal(size=60), 4)
array("x", x)
array("y", y)
found("peaks", lambda p: peaks(p) - y, np.array([1, 1, 2.5, 7, 1, 1, 0, 0.0]))

found("rosenbrock", lambda p: jnp.stack([10 * (p[1] - p[0] ** 2), 1 - p[0]]), np.array([-1.2, 1]))

# Meyer's function: numbers of very different sizes
m_y = np.array([34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820, 3307, 2872.0])
t = 45 + 5 * np.arange(1, 17)
found("meyer", lambda p: p[0] * jnp.exp(p[1] / (t + p[2])) - m_y, np.array([0.02, 4000, 250.0]))
print("\n}  // namespace least_squares_table\n// clang-format on")
