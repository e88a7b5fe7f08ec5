#!/usr/bin/env python3
"""Writes tables.hpp beside it: streams of JAX, and for each distribution where its probability is divided into sixteenths
(continuous ones) or how likely each number is (whole ones), from SciPy. Made with JAX 0.10.2, SciPy 1.17.1."""
import pathlib

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
from scipy import stats

jax.config.update("jax_enable_x64", True)


def numbers(values, kind):
    text = {"u32": lambda v: f"{int(v)}u", "u64": lambda v: f"{int(v)}u", "f": lambda v: f"{float(v)!r}"}[kind]
    return "{" + ", ".join(text(v) for v in np.ravel(np.asarray(values))) + "}"


lines = [
    "// Written by tables.py.",
    "// clang-format off",
    "#pragma once",
    "",
    "#include <cstdint>",
    "",
    "namespace tables {",
    "",
    "// jax.random under jax.random.key(42)",
]
key = jax.random.key(42)
data = jax.random.key_data
for name, kind, values in [
    ("split", "u32", data(jax.random.split(key, 3))),
    ("folded", "u32", data(jax.random.fold_in(key, 123456789))),
    ("bits_8", "u32", jax.random.bits(key, (7,), jnp.uint8)),
    ("bits_16", "u32", jax.random.bits(key, (7,), jnp.uint16)),
    ("bits_32", "u32", jax.random.bits(key, (7,), jnp.uint32)),
    ("bits_64", "u64", jax.random.bits(key, (7,), jnp.uint64)),
    ("uniform_float", "f", jax.random.uniform(key, (2, 3), jnp.float32)),
    ("uniform_double", "f", jax.random.uniform(key, (2, 3), jnp.float64)),
]:
    cpp = {"u32": "std::uint32_t", "u64": "std::uint64_t", "f": "double"}[kind]
    lines.append(f"inline constexpr {cpp} {name}[] = {numbers(values, kind)};")

lines += ["", "// quantiles of k / 16"]
at = np.arange(1, 16) / 16
for name, d in {
    "normal": stats.norm(),
    "exponential": stats.expon(),
    "gumbel": stats.gumbel_r(),
    "logistic": stats.logistic(),
    "laplace": stats.laplace(),
    "cauchy": stats.cauchy(),
    "truncated": stats.truncnorm(-0.5, 2),
    "truncated_far": stats.truncnorm(6, 7),
    "gamma_large": stats.gamma(7.5),
    "gamma_one": stats.gamma(1),
    "gamma_small": stats.gamma(0.3),
    "chi_square": stats.chi2(5),
    "beta": stats.beta(0.5, 3),
    "student": stats.t(4),
    # of a point in the ball of three dimensions the square of its length to the power 3 / 2; of a rotation an element
    "ball": stats.uniform(),
    "rotation": stats.beta(0.5, 1),
}.items():
    lines.append(f"inline constexpr double {name}[] = {numbers(d.ppf(at), 'f')};")

lines += ["", "// the first number that is expected 1 in 1000 times or more, and how likely it and the next are"]
for name, d in {
    "poisson_few": stats.poisson(3),
    "poisson_many": stats.poisson(37.5),
    "binomial_few": stats.binom(10, 0.3),
    "binomial_many": stats.binom(200, 0.7),
    "geometric": stats.geom(0.25),
    "multinomial": stats.binom(50, 0.3),
}.items():
    k = np.arange(0, 400)
    p = d.pmf(k)
    first, last = np.flatnonzero(p >= 1e-3)[[0, -1]]
    lines.append(f"inline constexpr int {name}_first = {first};")
    lines.append(f"inline constexpr double {name}[] = {numbers(p[first:last + 1], 'f')};")
lines += ["", "// of a gamma variable a, log(x), and how log(x) moves with a where the probability of less stays what it is"]
mpmath.mp.dps = 50
rows = []
for a in [0.001, 0.3, 1, 2.5, 40, 9999, 20000]:
    for u in [0.001, 0.3, 0.5, 0.7, 0.999]:
        log_x = float(mpmath.log(mpmath.mpf(float(stats.gamma(a).ppf(u))) or mpmath.mpf("1e-300")))
        x, a_, h = mpmath.exp(log_x), mpmath.mpf(a), mpmath.mpf("1e-15")
        below = lambda s: mpmath.gammainc(s, 0, x, regularized=True)
        rows += [a, log_x, -(below(a_ + h) - below(a_ - h)) / (2 * h) / mpmath.exp(a_ * log_x - x - mpmath.loggamma(a_))]
lines.append(f"inline constexpr double slopes[] = {numbers([float(v) for v in rows], 'f')};")
lines += ["", "}  // namespace tables", ""]
pathlib.Path(__file__).with_name("tables.hpp").write_text("\n".join(lines))
