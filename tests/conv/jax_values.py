"""Makes jax_values.hpp: convolutions and their derivatives by jax.lax.conv_general_dilated, in float64.

    python3 tests/conv/jax_values.py > tests/conv/jax_values.hpp

Operands are sin(seed + 1.7 k^2), element by element, so that the table holds results alone: of each its sum, its sum
with weights cos(k), and three elements."""
import jax
jax.config.update("jax_enable_x64", True)
import numpy as np
from jax import lax


def sample(shape, seed):
    k = np.arange(int(np.prod(shape)), dtype=float)
    return np.sin(seed + 1.7 * k * k).reshape(shape)


def numbers(y):
    y = np.asarray(y).ravel()
    k = np.arange(y.size)
    at = [y[0], y[y.size // 2], y[-1]] if y.size else [0, 0, 0]
    return [y.size, y.sum(), (y * np.cos(k)).sum()] + at


#        n  h   w   c  i  j  f   stride  pad    dilation groups
cases = [
    (2, 9, 11, 3, 3, 3, 5, (1, 1), (1, 1), (1, 1), 1),
    (1, 8, 10, 4, 3, 3, 33, (2, 1), (1, 0), (1, 1), 1),
    (1, 12, 9, 2, 3, 2, 7, (1, 2), (2, 1), (2, 3), 1),
    (2, 7, 7, 6, 3, 3, 4, (2, 2), (0, 1), (1, 1), 2),
    (1, 5, 6, 4, 2, 3, 4, (3, 2), (1, 2), (1, 2), 4),
    (3, 1, 1, 1, 1, 1, 1, (1, 1), (0, 0), (1, 1), 1),
    (1, 4, 4, 70, 1, 1, 40, (1, 1), (0, 0), (1, 1), 1),
    (1, 3, 3, 2, 5, 5, 2, (1, 1), (0, 0), (1, 1), 1),
    (0, 4, 4, 2, 3, 3, 2, (1, 1), (1, 1), (1, 1), 1),
    (1, 40, 30, 8, 5, 5, 35, (3, 3), (2, 2), (2, 1), 1),
]
print("// Made by jax_values.py with jax", jax.__version__ + ": do not edit.\n#pragma once\n")
print("#include \"numbers.hpp\"\n")
print("struct conv_values {\n  conv_numbers y, by_x, by_w;\n};\n// clang-format off")
print("inline constexpr conv_values conv_cases[] = {")
for n, h, w, c, i, j, f, s, p, d, groups in cases:
    x, k = sample((n, h, w, c), 1), sample((i, j, c // groups, f), 2)
    conv = lambda x, k: lax.conv_general_dilated(
        x, k, s, [(p[0], p[0]), (p[1], p[1])], rhs_dilation=d, feature_group_count=groups,
        dimension_numbers=("NHWC", "HWIO", "NHWC"))
    y, back = jax.vjp(conv, x, k)
    by_x, by_w = back(sample(y.shape, 3))
    rows = ", ".join("{" + ", ".join(repr(float(v)) for v in numbers(a)) + "}" for a in (y, by_x, by_w))
    print("    {" + rows + "},")
print("};\n// clang-format on")
