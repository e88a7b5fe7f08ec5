"""Makes references.hpp: what NumPy and SciPy say of matrices of small integers."""
import numpy as np
import scipy.linalg as sl

numbers, names = [], []


def matrix(m, n):
    return np.array([[(i * 7 + j * 13 + i * j * 5) % 11 - 5 + (9 if i == j else 0) for j in range(n)]
                     for i in range(m)], dtype=float)


def row(shape, name, values):
    values = np.asarray(values, dtype=float).ravel()
    names.append(f'    {{{shape[0]}, {shape[1]}, "{name}", {len(numbers)}, {len(values)}}},')
    numbers.extend(float(v).hex() for v in values)


def references(a):
    m, n = a.shape
    b = np.array([k * k - 3. for k in range(m)])
    norms = ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)
    of = {
        "svdvals": np.linalg.svd(a, compute_uv=False),
        "pinv": np.linalg.pinv(a),
        "lstsq": np.linalg.lstsq(a, b, rcond=None)[0],
        "matrix_rank": np.linalg.matrix_rank(a),
        "|r|": np.abs(np.linalg.qr(a)[1]),
        "u": sl.lu(a)[2],
        "l": sl.lu(a)[1],
        "p": sl.lu(a)[0],
        "norms": [np.linalg.norm(a, k) for k in norms],
        "vector norms": [np.linalg.norm(a.ravel(), k) for k in (2, 1, 3, .5, np.inf, -np.inf, 0)],
        "norms of columns": np.linalg.norm(a, 3, axis=0),
        "cond": np.linalg.cond(a),
    }
    if m == n:
        s = a @ a.T + np.eye(n)
        of |= {
            "det": np.linalg.det(a),
            "slogdet": np.linalg.slogdet(a),
            "inv": np.linalg.inv(a),
            "solve": np.linalg.solve(a, b),
            "cholesky": np.linalg.cholesky(s),
            "lower": sl.solve_triangular(a, b, lower=True),
            "upper": sl.solve_triangular(a, b),
            "eigvalsh": np.linalg.eigvalsh(s),
            "power 5": np.linalg.matrix_power(a, 5),
            "power -2": np.linalg.matrix_power(a, -2),
            "expm": sl.expm(a / 4),
            "expm of small": sl.expm(a / 4096),
            "cond 1": np.linalg.cond(a, 1),
            "cond fro": np.linalg.cond(a, "fro"),
        }
    return of


for shape in [(1, 1), (2, 2), (3, 3), (5, 5), (9, 9), (5, 3), (3, 5)]:
    for name, values in references(matrix(*shape)).items():
        row(shape, name, values)
lines = ["// Made by make_references.py: what NumPy and SciPy say of the matrices of values.cpp.", "// clang-format off",
         "#pragma once", "",
         "struct reference {", "  int rows, columns;", "  char const* what;", "  int from, count;", "};",
         "inline constexpr reference references[] = {"] + names + ["};",
         "inline constexpr double reference_values[] = {"]
lines += ["    " + ", ".join(numbers[k:k + 5]) + "," for k in range(0, len(numbers), 5)] + ["};"]
open("references.hpp", "w").write("\n".join(lines) + "\n")
