"""What an expression should be, by NumPy, and how far a right result may be from it.

Every value carries a bound of its error: floats are computed in double from exactly the same operands, and each operation adds what
rounding to the result's type allows it; what already is uncertain is tried on both sides, so that a comparison or a floor near a
jump becomes "any of the two". Elements whose error is infinite are not compared."""
import math

import numpy as np

import arrays
from expressions import (BOOL, DOUBLE, ELEMENTWISE, FLOAT, MOVES, NUMPY, PRODUCTS, REDUCTIONS, SCANS, UPDATES, Misfit, Undecided, floating,
                         is_floating, moved, positions, promote, resolve_items)

ROUNDING = {FLOAT: 2.0**-23, DOUBLE: 2.0**-52}
LARGEST_SIZE = 30000


class Approximate:
    def __init__(self, value, error, element):
        self.value, self.error, self.type = np.asarray(value), np.asarray(error), element
        if self.value.size > LARGEST_SIZE:
            raise Undecided


def stored(t):
    """Floats are computed in double."""
    return np.float64 if is_floating(t) else NUMPY[t]


def exact(array, element):
    return Approximate(np.asarray(array).astype(stored(element)), np.zeros(np.shape(array)), element)


def tidied(value, error, element):
    error = np.array(np.broadcast_to(error, np.shape(value)), dtype=np.float64)
    error[np.isnan(error)] = np.inf
    if is_floating(element):
        limit = 1e36 if element == FLOAT else 1e300
        large = np.isfinite(value) & (np.abs(value) > limit)
        error[large] = np.inf
    return Approximate(value, error, element)


def whole_numbers(v, element):
    """Floats as integers: truncated, the ends of the type beyond it, 0 for NaN."""
    ends = np.iinfo(NUMPY[element])
    v = np.trunc(np.where(np.isnan(v), 0, v))
    inside = np.where((v > ends.min) & (v < ends.max), v, 0).astype(NUMPY[element])
    return np.where(v <= ends.min, ends.min, np.where(v >= ends.max, ends.max, inside)).astype(NUMPY[element])


def cast(x, element):
    if x.type == element:
        return x
    if is_floating(element):
        value = x.value.astype(np.float64)
        if element == FLOAT and x.type != BOOL:
            return tidied(value, x.error + ROUNDING[FLOAT] * np.abs(value), element)
        return tidied(value, x.error, element)

    def convert(v):
        return v != 0 if element == BOOL else whole_numbers(v, element) if v.dtype == np.float64 else v.astype(NUMPY[element])

    if x.type == BOOL:
        return Approximate(convert(x.value), x.error, element)
    value = convert(x.value)
    error = np.zeros(value.shape)
    if x.error.any():
        for side in (-1, 1):
            other = convert(np.nan_to_num(x.value.astype(np.float64) + side * x.error))
            error = np.maximum(error, np.abs(other.astype(np.float64) - value))
    return tidied(value, error, element)


def shifted(x, side):
    if x.value.dtype == np.bool_:
        return np.where(x.error > 0, ~x.value, x.value)
    if x.value.dtype == np.float64:
        return x.value + side * x.error
    return (x.value + side * np.minimum(x.error, 1e6)).astype(x.value.dtype)


def elementwise(op, args, operand_type):
    rule = ELEMENTWISE[op]
    args = [cast(a, BOOL if op == "where" and k == 0 else operand_type) for k, a in enumerate(args)]
    if op == "add" and operand_type == BOOL:
        values = lambda xp, a, b: a | b
    else:
        values = rule.values
    result = rule.result(operand_type)
    y = np.asarray(values(np, *[a.value for a in args])).astype(stored(result))
    error = np.zeros(y.shape)
    for k, a in enumerate(args):
        if not a.error.any():
            continue
        apart = np.zeros(y.shape)
        for side in (-1, 1):
            other = values(np, *[shifted(b, side) if j == k else b.value for j, b in enumerate(args)])
            apart = np.maximum(apart, np.abs(np.asarray(other).astype(np.float64) - y.astype(np.float64)))
        same = np.broadcast_to(a.error == 0, y.shape)
        error = error + np.where(same, 0, apart)
    if is_floating(operand_type) and is_floating(result):
        rounding = rule.ulp * ROUNDING[operand_type] * np.abs(y)
        error = error + np.where(np.isfinite(y), rounding, 0)
    return tidied(y, error, result)


def reduced(op, x, axes, keep):
    rank = x.value.ndim
    axes = tuple(range(rank)) if axes is None else tuple(axes)
    t = REDUCTIONS[op](x.type)
    how = dict(axis=axes, keepdims=keep)
    if op in ("mean", "var", "std", "logsumexp", "norm"):
        return composite(op, cast(x, t), axes, keep)
    if op in ("argmax", "argmin"):
        return located(op, x, axes, keep)
    x = cast(x, t)
    n = np.prod([x.value.shape[a] for a in axes], dtype=np.int64) if axes else 1
    eps = ROUNDING.get(t, 0)
    v, e = x.value, x.error
    if op == "sum":
        return tidied(v.sum(**how), e.sum(**how) + n * eps * np.abs(v.astype(np.float64)).sum(**how), t)
    if op == "prod":
        y = v.prod(**how)
        size = np.abs(v.astype(np.float64))
        error = (size + e).prod(**how) - size.prod(**how) + n * eps * np.abs(y.astype(np.float64))
        return tidied(y, np.where(e.any(**how) | (eps > 0), error, 0), t)
    if op in ("any", "all"):
        return tidied(getattr(v, op)(**how), e.any(**how), t)
    if is_floating(t):
        identity = -np.inf if op == "max" else np.inf
    elif t == BOOL:
        identity = op == "min"
    else:
        identity = np.iinfo(v.dtype).min if op == "max" else np.iinfo(v.dtype).max
    return tidied(getattr(v, op)(initial=identity, **how), e.max(initial=0, **how), t)


def scanned(op, x, axis, t):
    x = cast(x, t)
    v, e, eps = x.value, x.error, ROUNDING.get(t, 0)
    scan = np.cumsum if op == "cumulative_sum" else np.cumprod
    y, size = scan(v, axis=axis), np.abs(v.astype(np.float64))
    bound = scan(size + e, axis=axis) - scan(size, axis=axis) + v.shape[axis] * eps * scan(size, axis=axis)
    return tidied(y, np.where(np.logical_or.accumulate(e > 0, axis=axis) | (eps > 0), bound, 0), t)


def located(op, x, axes, keep):
    v = x.value.astype(np.float64) * (1 if op == "argmax" else -1)
    e = x.error
    whole = len(axes) == v.ndim
    a = axes[0] if not whole or v.ndim == 1 else None
    kept = v.shape
    if a is None:
        v, e, a = v.reshape(-1), e.reshape(-1), 0
    elif v.ndim == 0:
        v, e, a = v.reshape(1), e.reshape(1), 0
    if v.shape[a] == 0:
        if math.prod(v.shape[:a] + v.shape[a + 1:]) == 0:
            raise Undecided  # nothing is chosen: NumPy refuses that, too
        raise Misfit("value")
    y = np.argmax(v, axis=a)
    best = np.expand_dims(y, a)
    close = (v + e >= np.take_along_axis(v - e, best, a)) & (e + np.take_along_axis(e, best, a) > 0)
    error = np.where(close.sum(axis=a) > 1, np.inf, 0)
    if keep:
        shape = tuple(1 if k in axes else n for k, n in enumerate(kept))
        y, error = y.reshape(shape), error.reshape(shape)
    return Approximate(y, error, REDUCTIONS[op](x.type))


def composite(op, x, axes, keep):
    t = x.type
    n = np.prod([x.value.shape[a] for a in axes], dtype=np.int64) if axes else 1

    def two(name, a, b):
        return elementwise(name, [a, b], t)

    def mean(v, kept):
        return two("divide", reduced("sum", v, axes, kept), exact(np.float64(n), t))

    if op == "mean":
        return mean(x, keep)
    if op == "norm":
        return elementwise("sqrt", [reduced("sum", elementwise("square", [x], t), axes, keep)], t)
    if op in ("var", "std"):
        from_mean = two("subtract", x, mean(x, True))
        y = mean(elementwise("square", [from_mean], t), keep)
        if op == "var":
            return y
        # near 0 the root of something that may be rounded below it
        root = np.sqrt(np.maximum(y.value, 0))
        return tidied(root, np.sqrt(np.maximum(y.value, 0) + y.error) - np.sqrt(np.maximum(y.value - y.error, 0)) + 4 * ROUNDING[t] * root, t)
    largest = reduced("max", x, axes, True)
    shift = Approximate(np.where(np.isfinite(largest.value), largest.value, 0), np.zeros(largest.value.shape), t)
    total = reduced("sum", elementwise("exp", [two("subtract", x, shift)], t), axes, True)
    y = two("add", elementwise("log", [total], t), shift)
    if keep:
        return y
    return Approximate(np.squeeze(y.value, axes), np.squeeze(y.error, axes), t)


def softmax(x, axes):
    t = floating(x.type)
    x = cast(x, t)
    largest = reduced("max", x, axes, True)
    shift = Approximate(np.where(np.isfinite(largest.value), largest.value, 0), np.zeros(largest.value.shape), t)
    e = elementwise("exp", [elementwise("subtract", [x, shift], t)], t)
    return elementwise("divide", [e, reduced("sum", e, axes, True)], t)


def product(node, a, b):
    t = node.type
    a, b = cast(a, t), cast(b, t)
    y = np.matmul(a.value, b.value)
    if not is_floating(t):
        return tidied(y, np.where(np.matmul(a.error, np.ones_like(b.error)) + np.matmul(np.ones_like(a.error), b.error) > 0, np.inf, 0), t)
    size_a, size_b = np.abs(a.value), np.abs(b.value)
    error = np.matmul(size_a, b.error) + np.matmul(a.error, size_b + b.error)
    return tidied(y, error + (a.value.shape[-1] + 2) * ROUNDING[t] * np.matmul(size_a, size_b), t)


def product_of_vectors(node, a, b):
    t = node.type
    a, b = cast(a, t), cast(b, t)
    if node.op == "outer":
        return elementwise("multiply", [part(a, lambda x: x[:, None]), part(b, lambda x: x[None, :])], t)
    if a.value.shape[-1] != b.value.shape[-1] or node.op == "cross" and a.value.shape[-1] != 3:
        raise Misfit("shape")
    if node.op == "vecdot":
        y = product(node, part(a, lambda x: x[..., None, :]), part(b, lambda x: x[..., :, None]))
        return part(y, lambda x: x[..., 0, 0])
    shape = np.broadcast_shapes(a.value.shape, b.value.shape)
    turned = [[part(x, lambda v, k=k: np.roll(np.broadcast_to(v, shape), k, -1)) for k in (-1, -2)] for x in (a, b)]
    terms = [elementwise("multiply", [turned[0][k], turned[1][1 - k]], t) for k in (0, 1)]
    return elementwise("subtract", terms, t)


def tidied_array(node, args):
    y, error = arrays.value_and_error(node, args, ROUNDING.get(node.type, 0.0))
    return tidied(y.astype(stored(node.type)), error, node.type)


def part(x, of):
    """The same elements elsewhere."""
    return Approximate(of(x.value), of(x.error), x.type)


def updated(old, operator, y):
    """`old op= y`, as far as both are broadcast."""
    if operator == "=":
        return cast(y, old.type)
    operation = UPDATES[operator]
    t = ELEMENTWISE[operation].operands(promote(old.type, y.type))
    try:
        return cast(elementwise(operation, [old, y], t), old.type)
    except ValueError as e:
        raise Misfit("shape") from e


def written(target, where, operator, y):
    """The elements at `where`, as `positions` gives it, updated."""
    shape = target.value.shape
    value, error = target.value.reshape(-1).copy(), target.error.reshape(-1).copy()
    new = updated(Approximate(value[where], error[where], target.type), operator, y)
    try:
        value[where] = np.broadcast_to(new.value, where.shape)
        error[where] = np.broadcast_to(new.error, where.shape)
    except ValueError as e:
        raise Misfit("shape") from e
    return Approximate(value.reshape(shape), error.reshape(shape), target.type)


class Evaluation:
    """Expressions over given operands; `numbers` are those that a case hands to reshape and its like."""

    def __init__(self, operands, numbers):
        self.operands, self.numbers, self.known = operands, numbers, {}

    def extents(self, shape):
        out = []
        for e in shape:
            if e[0] == "constant":
                out.append(e[1])
            elif e[0] == "number":
                out.append(self.numbers[e[1]])
            else:
                out.append(self.operands[e[1]].value.shape[e[2]])
        return tuple(out)

    def __call__(self, node):
        if id(node) not in self.known:
            self.known[id(node)] = (self.compute(node), node)
        return self.known[id(node)][0]

    def compute(self, node):
        op = node.op
        if op == "variable":
            return self.operands[node.name]
        args = self.written_operands(node) if op == "written" else [self.operand(a, node) for a in node.args]
        try:
            with np.errstate(all="ignore"):
                return self.apply(op, node, args)
        except (ValueError, np.exceptions.AxisError) as e:
            raise Misfit("shape") from e

    def operand(self, a, node):
        return self.number(a, node) if a.op == "number" else self(a)

    def written_operands(self, node):
        y = self.operand(node.args[1], node)
        try:
            return [self.operand(node.args[0], node), y]
        except Misfit as e:
            # Where all of it is overwritten, a compiled function neither computes the target nor looks at its indices.
            # Whether that is so takes its shape, which is not known here.
            if node.operator == "=" and e.kind == "index":
                raise Undecided from e
            raise

    @staticmethod
    def number(a, node):
        return exact(np.asarray(a.value), a.type if node.op == "where" else node.type if node.op == "written" else node.operand_type())

    def apply(self, op, node, args):
        if op == "array":
            return tidied_array(node, args)
        if op in ELEMENTWISE:
            return elementwise(op, args, node.operand_type())
        if op in REDUCTIONS:
            return reduced(op, args[0], node.axes, node.keep)
        if op == "softmax":
            return softmax(args[0], tuple(node.axes))
        if op in SCANS:
            return scanned(op, args[0], node.axes[0], node.type)
        if op in PRODUCTS:
            return (product if op == "matmul" else product_of_vectors)(node, *args)
        if op == "written":
            target, y = args
            return written(target, positions(target.value.shape, resolve_items(node.items, target.value.shape)), node.operator, y)
        if op == "astype":
            return cast(args[0], node.type)
        if op == "take":
            x, i = args
            axis, n = node.axis, args[0].value.shape[node.axis]
            if i.value.size and (i.value.min() < -n or i.value.max() >= n):
                raise Misfit("index")
            return Approximate(np.take(x.value, i.value, axis), np.take(x.error, i.value, axis), x.type)
        if op == "masked":
            x, mask = args
            if x.value.shape != mask.value.shape:
                raise Misfit("shape")
            if mask.error.any():
                raise Undecided
            return Approximate(x.value[mask.value], x.error[mask.value], x.type)
        if op in MOVES:
            if op in ("concat", "stack"):
                args = [cast(a, node.type) for a in args]
            value = moved(node, np, [a.value for a in args], self.extents)
            return Approximate(value, moved(node, np, [a.error for a in args], self.extents), node.type)
        raise KeyError(op)
