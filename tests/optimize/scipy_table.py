#!/usr/bin/env python3
"""Writes scipy_table.hpp: what SciPy's L-BFGS-B and scikit-learn find, and how often they evaluate the function.

python3 tests/optimize/scipy_table.py > tests/optimize/scipy_table.hpp
"""
import os
import sys

import jax
import jax.numpy as jnp
import numpy as np
import scipy
import sklearn
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../nn"))
from written import array

jax.config.update("jax_enable_x64", True)
rng = np.random.default_rng(33)


def found(name, f, x0):
    """At the tolerance of 1e-8, by steps of which ten are remembered."""
    both = jax.jit(jax.value_and_grad(f))
    r = minimize(lambda x: tuple(np.asarray(v) for v in both(x)), x0, jac=True, method="L-BFGS-B",
                 options=dict(ftol=0, gtol=1e-8, maxcor=10, maxiter=10000, maxfun=10000))
    array(f"{name}_value", [r.fun])
    array(f"{name}_evaluations", [r.nfev], "int")
    return r.x


print(f"// Written by scipy_table.py with SciPy {scipy.__version__}, scikit-learn {sklearn.__version__}.\n#pragma once\n")
print("// clang-format off\nnamespace scipy_table {\n")

rosenbrock = lambda x: jnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
found("rosenbrock_2", rosenbrock, np.array([-1.2, 1]))
found("rosenbrock_100", rosenbrock, np.tile([-1.2, 1], 50))

x = np.round(rng.normal(size=(60, 4)) * [1, 3, 0.3, 1], 2)
labels = (x @ rng.normal(size=(4, 3)) + 0.7 * rng.normal(size=(60, 3))).argmax(1)
array("x", x)
array("labels", labels, "int")
# sklearn: the sum of the losses, and half the squares of the weights
model = LogisticRegression(tol=1e-12, max_iter=10000).fit(x, labels)
array("weights", model.coef_.T)
logistic = lambda p: -jnp.sum(jax.nn.log_softmax(x @ p[:12].reshape(4, 3) + p[12:])[np.arange(60), labels]) + \
    0.5 * jnp.sum(p[:12] ** 2)
p = found("logistic", logistic, np.zeros(15))
assert np.allclose(p[:12].reshape(4, 3), model.coef_.T, atol=1e-6)

# a net of 2, 6 and 1 units
points = np.round(rng.uniform(-2, 2, size=(25, 2)), 2)
targets = np.round(np.sin(points[:, 0]) * points[:, 1], 3)
start = np.round(rng.normal(size=25) * 0.5, 3)


def net(p):
    h = jnp.tanh(points @ p[:12].reshape(2, 6) + p[12:18])
    return jnp.mean((h @ p[18:24] + p[24] - targets) ** 2) + 1e-3 * jnp.sum(p**2)


array("points", points)
array("targets", targets)
array("net_start", start)
array("net", found("net", net, start))
print("\n}  // namespace scipy_table\n// clang-format on")
