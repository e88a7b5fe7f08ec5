#!/usr/bin/env python3
"""Writes cases for the driver: operands, and what NumPy makes of them.

  oracle.py --driver <driver> --out cases.bin                 at least 60 cases for every function and kind of extents
  oracle.py --driver <driver> --out sample.bin --each 5 --small   the committed sample

The driver says which functions it has and in which forms (`driver list`); numpy_functions.py says what NumPy computes for them.
Works with NumPy 1.24 and 2: promotion is done here, as NumPy 2 does it."""
import argparse
import json
import random
import struct
import subprocess
import warnings

import numpy as np

import numpy_functions
from bfloat16 import BITS, has_bits, result_of, truncated
from elements import elements
from numpy_functions import Impossible

TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32", "float64",
         "complex64", "complex128"]
EXACT, ULPS, ABSOLUTE = 0, 1, 2
STEPS = [1, 1, 1, 1, 2, -1, -1, -2, 3, 0]


def parsed(form):
    """kind, types, extents (None: dynamic; all None: any order)"""
    kind, types, *extents = form.split(":")
    types = [t for t in types.split("|") if t in TYPES]
    if not extents:
        return kind, types, None
    return kind, types, [None if n == "?" else int(n) for n in extents[0].split(",") if n]


def extent(rng, limit):
    """One that is known at run time: a third of them 0 or 1."""
    if rng.random() < 1 / 3:
        return rng.choice([0, 1, 1])
    return rng.randint(2, limit)


def unified(rng, labels, known, limit):
    """Extents for axes that are called by labels, of which equal ones agree. A label may be a number, or a list of which one is taken.
    Known extents stay."""
    labels = [[rng.choice(n) if isinstance(n, list) else n for n in names] for names in labels]
    value = {}
    for names, sizes in zip(labels, known):
        for name, size in zip(names, sizes):
            if isinstance(name, int):
                value[name] = name
            if size is not None and value.setdefault(name, size) != size:
                raise Impossible
    return [[value[n] if n in value else value.setdefault(n, extent(rng, limit)) for n in names] for names in labels]


def broadcast(rng, known, limit):
    """Extents of operands that broadcast: each axis of the result, or 1."""
    rank = max(map(len, known), default=0)
    result = []
    for k in range(1, rank + 1):
        sizes = {x[-k] for x in known if len(x) >= k and x[-k] not in (None, 1)}
        if len(sizes) > 1:
            raise Impossible
        result.insert(0, sizes.pop() if sizes else extent(rng, limit))
    return [[result[rank - len(x) + k] if n is None and rng.random() < 0.75 else 1 if n is None else n for k, n in enumerate(x)] for x in known]


def case(rng, function, forms, small):
    """Operands with their layouts, numbers, and expected results with bounds."""
    orders = [None if f[2] is None else len(f[2]) for f in forms]
    if None in orders:
        most = rng.randint(0, 5)
        orders = [rng.choice([most, most, rng.randint(0, most)]) for _ in forms]
    known = [[None] * n if f[2] is None else f[2] for n, f in zip(orders, forms)]
    limit = (3 if max(orders, default=0) > 2 else 4) if small else (17 if max(orders, default=0) < 2 else 3 if max(orders) > 3 else 5)
    labels = function.axes(orders) if function.axes else None
    extents = unified(rng, labels, known, limit) if labels else broadcast(rng, known, limit)
    types = [rng.choice(f[1]) for f in forms]
    if forms and forms[0][2] is None and rng.random() < 0.7:
        types = [types[0]] * len(types)
    operands, layouts = [], []
    for k, (form, t, e) in enumerate(zip(forms, types, extents)):
        if t == "bfloat16":
            x = truncated(elements(rng, "float32", e, function.domain(k, "float32"), extents))
        else:
            x = elements(rng, t, e, function.domain(k, t), extents)
        order, steps = list(range(len(e))), [1] * len(e)
        if form[0] == "v":
            if rng.random() < 0.6:
                rng.shuffle(order)
            steps = [rng.choice(STEPS) for _ in e]
            for axis, step in enumerate(steps):
                if step == 0 and e[axis] > 0:
                    x = np.broadcast_to(np.take(x, [0], axis), x.shape).copy()
        operands.append(x)
        layouts.append((order, steps) if form[0] == "v" else None)
    numbers = function.numbers(rng, extents) if function.numbers else []
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # means of nothing
        results = function.results(operands, numbers)
        if has_bits(types) and not function.says_type:
            results = [result_of(*r) for r in results]
    operands = [x.view(BITS) if t == "bfloat16" else x for x, t in zip(operands, types)]
    return operands, layouts, numbers, results


def text(s):
    return struct.pack("<H", len(s)) + s.encode()


def packed(x, layout=None):
    x = np.ascontiguousarray(x).reshape(np.shape(x))
    name = "bfloat16" if x.dtype == BITS else x.dtype.name
    out = struct.pack("BB", TYPES.index(name), x.ndim) + struct.pack(f"<{x.ndim}H", *x.shape)
    if layout:
        for order, step in zip(*layout):
            out += struct.pack("<Bb", order, step)
    return out + (x["upper"] if x.dtype == BITS else x).tobytes()


def written(number, operands, layouts, numbers, results):
    out = struct.pack("<HB", number, len(operands))
    for x, layout in zip(operands, layouts):
        out += packed(x, layout)
    out += struct.pack("B", len(numbers)) + struct.pack(f"<{len(numbers)}i", *numbers) + struct.pack("B", len(results))
    for value, bounds in results:
        out += packed(value)
        if bounds is None:
            out += struct.pack("B", EXACT)
        elif type(bounds) is float:  # not a NumPy scalar, which is a bound of an element
            out += struct.pack("<Bf", ULPS, bounds)
        else:
            up = np.nextafter(np.asarray(bounds).astype(np.float32), np.float32(np.inf))
            out += struct.pack("B", ABSOLUTE) + up.tobytes()
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--each", type=int, default=60, help="cases of every function and kind of extents")
    parser.add_argument("--small", action="store_true", help="small arrays")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="this function")
    options = parser.parse_args()

    listed = json.loads(subprocess.run([options.driver, "list"], check=True, capture_output=True, text=True).stdout)
    if options.only:
        listed = [f for f in listed if f[0] == options.only]
    forms, count, cases = [], 0, b""
    sharing = {}
    for name, _, form in listed:
        sharing.setdefault((name, kind(form)), []).append(form)
    blocks = []
    for name, arguments, form in listed:
        function = numpy_functions.function(name, arguments)
        rng = random.Random(f"{options.seed} {name} {arguments} {form}")
        each = options.each if kind(form) != "values" or options.small else 2 * options.each
        wanted = -(-each // len(sharing[name, kind(form)]))
        made = tried = 0
        while made < wanted:
            tried += 1
            if tried > 50 * wanted:
                raise SystemExit(f"no cases of {name}({arguments}) of {form}")
            try:
                one = case(rng, function, [parsed(f) for f in form.split()], options.small)
            except Impossible:
                continue
            blocks.append(written(len(forms), *one))
            made += 1
        count += made
        forms.append(f"{name}({arguments}) of {form}")
    cases = b"".join(blocks)
    with open(options.out, "wb") as out:
        out.write(text("oracle 1") + struct.pack("B", len(TYPES)) + b"".join(map(text, TYPES)))
        out.write(struct.pack("<H", len(forms)) + b"".join(map(text, forms)) + struct.pack("<I", count) + cases)
    print(f"{count} cases")


def kind(form):
    """As the driver names them, but values of any type, which are dynamic, by themselves."""
    if form.startswith("a:"):
        return "values"
    extents = [f.split(":")[2] for f in form.split()]  # none: what is created of numbers
    if not any("?" in e for e in extents):
        return "static" if form.startswith("t:") or any(extents) else "dynamic"
    return "mixed" if any(c.isdigit() for e in extents for c in e) else "dynamic"


if __name__ == "__main__":
    main()
