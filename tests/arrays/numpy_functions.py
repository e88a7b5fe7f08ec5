"""What NumPy computes for each function of the driver, and how far a right result may be from it.

A new function is a line of the tables below. `ulps` are the units in the last place that a result may be off; exact where it is 0. What
is not exact is computed in long double, if the machine has one."""
import functools
import itertools
from builtins import max as builtins_max

import numpy as np

ALL = "any"


class Function:
    """values: of operands as they are; axes: labels of the axes of operands of these orders (none: they broadcast); domain: of operand k
    of type t; numbers: arguments that are only known at run time; says_type: whether the type of the result is one of the arguments."""

    def __init__(self, results, axes=None, domain=None, numbers=None, says_type=False):
        self.results, self.axes, self.numbers, self.says_type = results, axes, numbers, says_type
        self.domain = domain or (lambda k, t: ALL)


def promoted(operands):
    """Where three types promote by twos to other types in another order (int16, uint16, float16) there is no case."""
    types = {functools.reduce(np.promote_types, order) for order in itertools.permutations(x.dtype for x in operands)}
    if len(types) > 1:
        raise Impossible
    return types.pop()


def floating(t):
    return t if t.kind in "fc" else np.dtype("float64")


def of_parts(t):
    return np.dtype({"complex64": "float32", "complex128": "float64"}.get(t.name, t.name))


def wide(t):
    return np.clongdouble if t.kind == "c" else np.longdouble


UNSIGNED_ZERO = -1  # exact, but that of a zero nobody says the sign
SAME, FLOAT, BOOL, REAL = "same", "float", "bool", "real"



def whole(f):
    """Integers stay what they are; NumPy 1 makes floats of them."""
    return lambda x: f(x) if x.dtype.kind in "fc" else x


def sign(x):
    """Of complex numbers as NumPy 2 has it."""
    if x.dtype.kind != "c":
        return np.sign(x)
    size = np.abs(x)
    return np.where(size == 0, 0, x / np.where(size == 0, 1, size))


# name: values, operands enter as, the result is, ulps of floats, ulps of complex numbers, domain
ELEMENTWISE = {
    "abs": (np.abs, SAME, REAL, 0, 4, ALL),
    "acos": (np.arccos, FLOAT, SAME, 4, 4, (-1, 1)),
    "asin": (np.arcsin, FLOAT, SAME, 4, 4, (-1, 1)),
    "atan": (np.arctan, FLOAT, SAME, 4, 4, ALL),
    "ceil": (whole(np.ceil), SAME, SAME, 0, 0, ALL),
    "conj": (np.conj, SAME, SAME, 0, 0, ALL),
    "cos": (np.cos, FLOAT, SAME, 4, 8, ALL),
    "cosh": (np.cosh, FLOAT, SAME, 4, 8, ALL),
    "exp": (np.exp, FLOAT, SAME, 4, 8, ALL),
    "expm1": (np.expm1, FLOAT, SAME, 4, 8, ALL),
    "floor": (whole(np.floor), SAME, SAME, 0, 0, ALL),
    "imag": (np.imag, SAME, REAL, 0, 0, ALL),
    "log": (np.log, FLOAT, SAME, 4, 8, ALL),
    "log1p": (np.log1p, FLOAT, SAME, 4, 8, ALL),
    "logical_not": (np.logical_not, SAME, BOOL, 0, 0, ALL),
    "negative": (np.negative, SAME, SAME, 0, 0, ALL),
    "real": (np.real, SAME, REAL, 0, 0, ALL),
    "round": (whole(np.round), SAME, SAME, 0, 0, ALL),
    "sign": (sign, SAME, SAME, UNSIGNED_ZERO, 4, ALL),
    "sin": (np.sin, FLOAT, SAME, 4, 8, ALL),
    "sinh": (np.sinh, FLOAT, SAME, 4, 8, ALL),
    "sqrt": (np.sqrt, FLOAT, SAME, 0, 8, ALL),
    "square": (np.square, SAME, SAME, 0, 4, ALL),
    "tan": (np.tan, FLOAT, SAME, 4, 8, ALL),
    "tanh": (np.tanh, FLOAT, SAME, 4, 8, ALL),
    "acosh": (np.arccosh, FLOAT, SAME, 4, 8, (1, 40)),
    "asinh": (np.arcsinh, FLOAT, SAME, 4, 8, ALL),
    "atanh": (np.arctanh, FLOAT, SAME, 4, 8, (-1, 1)),
    "bitwise_invert": (np.invert, SAME, SAME, 0, 0, ALL),
    "isfinite": (np.isfinite, SAME, BOOL, 0, 0, ALL),
    "isinf": (np.isinf, SAME, BOOL, 0, 0, ALL),
    "isnan": (np.isnan, SAME, BOOL, 0, 0, ALL),
    "log2": (np.log2, FLOAT, SAME, 4, 8, ALL),
    "log10": (np.log10, FLOAT, SAME, 4, 8, ALL),
    "positive": (np.positive, SAME, SAME, 0, 0, ALL),
    "reciprocal": (lambda x: 1 / x, FLOAT, SAME, 0, 4, ALL),
    "signbit": (np.signbit, FLOAT, BOOL, 0, 0, ALL),
    "trunc": (whole(np.trunc), SAME, SAME, 0, 0, ALL),
    "bitwise_and": (np.bitwise_and, SAME, SAME, 0, 0, ALL),
    "bitwise_or": (np.bitwise_or, SAME, SAME, 0, 0, ALL),
    "bitwise_xor": (np.bitwise_xor, SAME, SAME, 0, 0, ALL),
    "bitwise_left_shift": (np.left_shift, SAME, SAME, 0, 0, (0, 7)),
    "bitwise_right_shift": (np.right_shift, SAME, SAME, 0, 0, (0, 31)),
    "clip": (lambda x, low, high: np.minimum(np.maximum(x, low), high), SAME, SAME, UNSIGNED_ZERO, 0, ALL),
    "copysign": (np.copysign, FLOAT, SAME, 0, 0, ALL),
    "hypot": (np.hypot, FLOAT, SAME, 4, 4, ALL),
    "nextafter": (np.nextafter, FLOAT, SAME, 0, 0, ALL),
    "add": (np.add, SAME, SAME, 0, 0, ALL),
    "atan2": (np.arctan2, FLOAT, SAME, 4, 4, ALL),
    "divide": (np.divide, FLOAT, SAME, 0, 4, ALL),
    "equal": (np.equal, SAME, BOOL, 0, 0, ALL),
    "floor_divide": (np.floor_divide, SAME, SAME, UNSIGNED_ZERO, 0, "quarters"),
    "greater": (np.greater, SAME, BOOL, 0, 0, ALL),
    "greater_equal": (np.greater_equal, SAME, BOOL, 0, 0, ALL),
    "less": (np.less, SAME, BOOL, 0, 0, ALL),
    "less_equal": (np.less_equal, SAME, BOOL, 0, 0, ALL),
    "logical_and": (np.logical_and, SAME, BOOL, 0, 0, ALL),
    "logical_or": (np.logical_or, SAME, BOOL, 0, 0, ALL),
    "logical_xor": (np.logical_xor, SAME, BOOL, 0, 0, ALL),
    "maximum": (np.maximum, SAME, SAME, UNSIGNED_ZERO, 0, ALL),
    "minimum": (np.minimum, SAME, SAME, UNSIGNED_ZERO, 0, ALL),
    "multiply": (np.multiply, SAME, SAME, 0, 4, ALL),
    "not_equal": (np.not_equal, SAME, BOOL, 0, 0, ALL),
    "pow": (np.power, SAME, SAME, 4, 64, ALL),
    "remainder": (np.remainder, SAME, SAME, UNSIGNED_ZERO, 0, "quarters"),
    "subtract": (np.subtract, SAME, SAME, 0, 0, ALL),
}


def elementwise(name):
    values, enters, gives, ulps, complex_ulps, domain = ELEMENTWISE[name]

    def results(x, _):
        t = promoted(x)
        if enters == FLOAT:
            t = floating(t)
        if name.startswith("bitwise") and t.kind == "f":  # int64 beside uint64
            raise Impossible
        u = complex_ulps if t.kind == "c" else ulps if t.kind == "f" else 0
        y = np.asarray(values(*[np.asarray(a).astype(t).astype(wide(t) if u > 0 else t) for a in x]))
        result = np.dtype(bool) if gives == BOOL else of_parts(t) if gives == REAL else t
        return [(y.astype(result), 0.0 if u == UNSIGNED_ZERO else float(u) if u else None)]

    def of_operand(k, t):  # NumPy refuses negative powers of integers
        return (0, 40) if name == "pow" and k == 1 and np.dtype(t).kind in "iu" else domain

    return Function(results, domain=of_operand)


# ---- everything else: a function of the arguments that gives a Function ----

STRUCTURAL = {}


def structural(make):
    STRUCTURAL[make.__name__.rstrip("_")] = make
    return make


def function(name, arguments):
    if name in ELEMENTWISE:
        return elementwise(name)
    return STRUCTURAL[name](**eval(f"dict({arguments})", {"run_time": RUN_TIME}))  # our own text, from the driver


RUN_TIME = object()


def exact(values, **more):
    """The same for every type: what moves elements, and counts."""
    return Function(lambda x, numbers: [(np.asarray(values(*x)), None)], **more)


def letters(*names):
    return lambda orders: [list(n) for n in names]


def axes_of_one(orders):
    return [[f"axis {k}" for k in range(orders[0])]]


def epsilon(t):
    return float(np.finfo(t).eps) if t.kind in "fc" else 0.0


def size_along(x, axis):
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return int(np.prod([x.shape[a] for a in axes], dtype=np.int64))


def type_of_sum(t):
    return np.dtype("int64") if t.kind in "bi" else np.dtype("uint64") if t.kind == "u" else t




def reduction(values, type_of, error, axis=None, domain="moderate", least=0):
    """values(x, axis) in long double, type_of the result, error(x, y, n, eps): absolute, of the result."""

    def results(operands, numbers):
        x = operands[0]
        along = int(numbers[0]) if axis is RUN_TIME else axis
        t = np.dtype(type_of(x.dtype))
        n = size_along(x, along)
        if n < least:
            raise Impossible
        v = x.astype(wide(t)) if t.kind in "fc" else x.astype(t)
        y = np.asarray(values(v, along))
        if t.kind not in "fc":
            return [(y.astype(t), None)]
        bound = error(v, y, builtins_max(n, 1), epsilon(t), along)
        return [(y.astype(t), np.asarray(np.broadcast_to(bound, y.shape), dtype=np.float64) + epsilon(t) * np.abs(y).astype(np.float64))]

    return Function(results, axes=axes_of_one, domain=lambda k, t: domain,
                    numbers=(lambda rng, e: [rng.randrange(-len(e[0]), len(e[0]))]) if axis is RUN_TIME else None)


class Impossible(Exception):
    """There is no result for such operands."""


def kept(keepdims):
    return {"keepdims": True} if keepdims else {}


@structural
def sum(axis=None, keepdims=False):
    return reduction(lambda x, a: np.sum(x, axis=a, dtype=x.dtype, **kept(keepdims)), type_of_sum,
                     lambda x, y, n, eps, a: (4 + np.log2(n)) * eps * np.sum(np.abs(x), axis=a, **kept(keepdims)), axis)


@structural
def prod(axis=None, keepdims=False):
    return reduction(lambda x, a: np.prod(x, axis=a, dtype=x.dtype, **kept(keepdims)), type_of_sum,
                     lambda x, y, n, eps, a: (2 if x.dtype.kind == "c" else 1) * n * eps * np.abs(y), axis, domain=(-1.5, 1.5))


def mean_error(x, n, eps, a, k):
    return (5 + np.log2(n)) * eps * np.sum(np.abs(x), axis=a, **k) / n


@structural
def mean(axis=None, keepdims=False):
    return reduction(lambda x, a: np.mean(x, axis=a, dtype=x.dtype, **kept(keepdims)), floating,
                     lambda x, y, n, eps, a: mean_error(x, n, eps, a, kept(keepdims)), axis)


def var_error(x, n, eps, a, k):
    of_mean = mean_error(x, n, eps, a, {"keepdims": True})
    apart = np.abs(x - np.mean(x, axis=a, keepdims=True))
    each = (2 * eps * apart + of_mean) * (2 * apart + of_mean)
    return (np.sum(each, axis=a, **k) + (5 + np.log2(n)) * eps * np.sum(apart * apart, axis=a, **k)) / n


@structural
def var(axis=None, keepdims=False):
    return reduction(lambda x, a: np.var(x, axis=a, dtype=x.dtype, **kept(keepdims)), floating,
                     lambda x, y, n, eps, a: var_error(x, n, eps, a, kept(keepdims)), axis)


@structural
def std(axis=None, keepdims=False):
    return reduction(lambda x, a: np.std(x, axis=a, dtype=x.dtype, **kept(keepdims)), floating,
                     lambda x, y, n, eps, a: np.sqrt(np.square(y) + var_error(x, n, eps, a, kept(keepdims))) - y + 2 * eps * y
                     + np.where(y < 1e-3, np.sqrt(var_error(x, n, eps, a, kept(keepdims))), 0), axis)


def extremum(of, of_nothing, axis, keepdims):
    def values(x):
        t = x.dtype
        if t.kind == "f":
            start = of_nothing * np.inf
        elif t.kind == "b":
            start = of_nothing > 0
        else:
            start = np.iinfo(t).max if of_nothing > 0 else np.iinfo(t).min
        return of(x, axis=axis, initial=t.type(start), **kept(keepdims))

    return Function(lambda x, _: [(np.asarray(values(x[0])), 0.0)], axes=axes_of_one)


@structural
def max(axis=None, keepdims=False):
    return extremum(np.max, -1, axis, keepdims)


@structural
def min(axis=None, keepdims=False):
    return extremum(np.min, 1, axis, keepdims)


@structural
def all(axis=None, keepdims=False):
    return exact(lambda x: np.all(x != 0, axis=axis, **kept(keepdims)), axes=axes_of_one)


@structural
def any(axis=None, keepdims=False):
    return exact(lambda x: np.any(x != 0, axis=axis, **kept(keepdims)), axes=axes_of_one)


def scan(of, bound, axis, domain, initial=None):
    """initial: what the results begin with, where that is asked for"""

    def begun(y, along, first):
        return y if first is None else np.insert(y, 0, first, axis=along)

    def results(operands, numbers):
        along = int(numbers[0]) if axis is RUN_TIME else axis
        t = type_of_sum(operands[0].dtype)
        x = operands[0].astype(wide(t) if t.kind in "fc" else t)
        y = begun(of(x, axis=along, dtype=x.dtype), along, initial)
        if t.kind not in "fc":
            return [(y.astype(t), None)]
        n = x.shape[along] + 4
        far = begun(np.asarray(bound(np.abs(x), along), dtype=np.float64), along, initial and 0)
        return [(y.astype(t), n * epsilon(t) * far + float(np.finfo(t).tiny))]

    return Function(results, axes=axes_of_one, domain=lambda k, t: domain,
                    numbers=(lambda rng, e: [rng.randrange(-len(e[0]), len(e[0]))]) if axis is RUN_TIME else None)


@structural
def cumulative_sum(axis, include_initial=False):
    return scan(np.cumsum, lambda a, axis: np.cumsum(a, axis=axis), axis, "moderate", 0 if include_initial else None)


@structural
def cumulative_prod(axis, include_initial=False):
    return scan(np.cumprod, lambda a, axis: 2 * np.cumprod(a, axis=axis), axis, (-1.5, 1.5), 1 if include_initial else None)


@structural
def logaddexp():
    """The greater one and a logarithm: near 0 the sum of these has lost digits, as in NumPy."""

    def results(x, _):
        t = floating(promoted(x))
        a, b = (v.astype(wide(t)) for v in x)
        y = np.asarray(np.logaddexp(a, b))
        return [(y.astype(t), np.asarray(4 * epsilon(t) * np.maximum(np.maximum(np.abs(a), np.abs(b)), 1), dtype=np.float64))]

    return Function(results, domain=lambda k, t: "moderate")


# ---- searching, sorting, sets, indexing ----


def arg_extremum(of, axis, keepdims):
    def values(x):
        if size_along(x, axis) == 0:
            raise Impossible
        y = of(x, axis=axis)
        return np.expand_dims(y, axis) if keepdims else y

    return exact(values, axes=axes_of_one)


@structural
def argmax(axis=None, keepdims=False):
    return arg_extremum(np.argmax, axis, keepdims)


@structural
def argmin(axis=None, keepdims=False):
    return arg_extremum(np.argmin, axis, keepdims)


@structural
def nonzero():
    return Function(lambda x, _: [(np.asarray(i), None) for i in np.nonzero(x[0])], axes=axes_of_one)


@structural
def where():
    def values(c, a, b):
        t = promoted([a, b])
        return np.where(c, a.astype(t), b.astype(t))

    return exact(values)


def in_order(x, axis, descending):
    """Stable; a NaN is greater than every number."""
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    back = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - back, axis)


@structural
def argsort(axis=-1, descending=False):
    return exact(lambda x: in_order(x, axis, descending), axes=axes_of_one)


@structural
def sort(axis=-1, descending=False):
    return Function(lambda x, _: [(np.take_along_axis(x[0], in_order(x[0], axis, descending), axis), 0.0)], axes=axes_of_one)


def unique(*parts):
    def results(operands, _):
        x = operands[0].reshape(-1)
        values, indices, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
        given = {"values": values, "indices": indices, "inverse_indices": inverse.reshape(operands[0].shape), "counts": counts}
        return [(np.asarray(given[p]), 0.0 if p == "values" else None) for p in parts]

    return Function(results, axes=axes_of_one, domain=lambda k, t: "small")  # of NaN the standard has one for each, NumPy not


@structural
def unique_values():
    return unique("values")


@structural
def unique_counts():
    return unique("values", "counts")


@structural
def unique_inverse():
    return unique("values", "inverse_indices")


@structural
def unique_all():
    return unique("values", "indices", "inverse_indices", "counts")


@structural
def searchsorted(side="left", sorter=False):
    def sorted_numbers(generator, shape, extents):
        numbers = generator.integers(-5, 6, shape)
        return numbers if sorter else np.sort(numbers)

    return exact(lambda x, v: np.searchsorted(x, v, side, sorter=np.argsort(x) if sorter else None), domain=lambda k, t: sorted_numbers if k == 0 else "small",
                 axes=lambda orders: [["n"], [f"axis {k}" for k in range(orders[1])]])


def indices_of(axis, signed=True):
    """Elements of operand 1 are positions along an axis of operand 0."""

    def domain(generator, shape, extents):
        n = extents[0][axis]
        if n == 0 and np.prod(shape, dtype=np.int64) > 0:
            raise Impossible
        return generator.integers(-n if signed else 0, n if n > 0 else 1, shape)

    return lambda k, t: domain if k == 1 else ALL


@structural
def take(axis):
    return exact(lambda x, i: np.take(x, i, axis=axis), domain=indices_of(axis),
                 axes=lambda orders: [[f"x{k}" for k in range(orders[0])], [f"i{k}" for k in range(orders[1])]])


# ---- manipulation ----


@structural
def expand_dims(axis):
    return exact(lambda x: np.expand_dims(x, axis), axes=axes_of_one)


@structural
def flip(axis=None):
    return exact(lambda x: np.flip(x, axis), axes=axes_of_one)


@structural
def permute_dims(axes):
    return exact(lambda x: np.transpose(x, axes), axes=axes_of_one)


@structural
def matrix_transpose():
    return exact(lambda x: np.swapaxes(x, -1, -2), axes=axes_of_one)


@structural
def reshape(shape):
    def values(x):
        known = -np.prod(shape, dtype=np.int64)
        if -1 in shape and (x.size == 0 and known != 1 or x.size % known != 0) or -1 not in shape and x.size != -known:
            raise Impossible
        return np.reshape(x, shape)

    return exact(values, axes=axes_of_one)


@structural
def squeeze(axis):
    def axes(orders):
        names = axes_of_one(orders)
        for a in axis:
            names[0][a] = 1
        return names

    return exact(lambda x: np.squeeze(x, axis), axes=axes)


@structural
def broadcast_to(shape):
    def axes(orders):
        return [[[1, n] for n in shape[len(shape) - orders[0]:]]]

    return exact(lambda x: np.broadcast_to(x, shape), axes=axes)


@structural
def broadcast_arrays():
    return Function(lambda x, _: [(y, None) for y in np.broadcast_arrays(*x)])


@structural
def moveaxis(source, destination):
    return exact(lambda x: np.moveaxis(x, source, destination), axes=axes_of_one)


@structural
def repeat(times=None, axis=None, counts=False):
    if counts:
        return exact(lambda x, n: np.repeat(x, n, axis), domain=lambda k, t: (0, 3) if k == 1 else ALL,
                     axes=lambda orders: [axes_of_one(orders)[0], [f"axis {axis}"]])
    return Function(lambda x, n: [(np.repeat(x[0], times or n[0], axis), None)], axes=axes_of_one,
                    numbers=None if times else lambda rng, e: [rng.randint(0, 3)])


@structural
def roll(axis=None):
    count = len(axis) if axis else 1

    def results(x, n):
        return [(np.roll(x[0], tuple(n) if axis else n[0], axis), None)]

    return Function(results, axes=axes_of_one, numbers=lambda rng, e: [rng.randint(-7, 7) for _ in range(count)])


@structural
def tile(count=None, times=None):
    return Function(lambda x, n: [(np.tile(x[0], times or tuple(n)), None)], axes=axes_of_one,
                    numbers=None if times else lambda rng, e: [rng.randint(0, 3) for _ in range(count)])


@structural
def unstack(axis, parts):
    def axes(orders):
        names = axes_of_one(orders)
        names[0][axis] = parts
        return names

    return Function(lambda x, _: [(y, None) for y in np.moveaxis(x[0], axis, 0)], axes=axes)


def triangle(of):
    return Function(lambda x, n: [(of(x[0], n[0]), None)], axes=axes_of_one, numbers=lambda rng, e: [rng.randint(-3, 3)])


@structural
def tril():
    return triangle(np.tril)


@structural
def triu():
    return triangle(np.triu)


@structural
def meshgrid(indexing="xy"):
    return Function(lambda x, _: [(np.asarray(y), None) for y in np.meshgrid(*x, indexing=indexing)],
                    axes=lambda orders: [[f"own {k}"] for k in range(len(orders))])


@structural
def diff(n=1, axis=-1, around=False):
    """around: a 1 before, and the second operand behind."""
    def labels(orders):
        x, y = (axes_of_one([n])[0] for n in orders)
        y[axis] = "behind"
        return [x, y]

    if around:
        return exact(lambda x, y: np.diff(x, axis=axis, prepend=x.dtype.type(1), append=y), axes=labels)

    def values(x):
        if x.shape[axis] < n:
            raise Impossible
        return np.diff(x, n, axis)

    return exact(values, axes=axes_of_one)


@structural
def take_along_axis(axis):
    def labels(orders):
        x, i = ([f"axis {k}" for k in range(n)] for n in orders)
        i[axis] = "chosen"
        return [x, i]

    return exact(lambda x, i: np.take_along_axis(x, i, axis), domain=indices_of(axis), axes=labels)


def joined(values, axis):
    def results(x, _):
        t = promoted(x)
        return [(values([a.astype(t) for a in x], axis), None)]

    return results


@structural
def concat(axis):
    def axes(orders):
        names = [[f"axis {k}" for k in range(n)] for n in orders]
        for k, n in enumerate(names):
            n[axis] = f"own {k}"
        return names

    return Function(joined(np.concatenate, axis), axes=axes)


@structural
def stack(axis):
    return Function(joined(np.stack, axis), axes=lambda orders: [[f"axis {k}" for k in range(n)] for n in orders])


# ---- products ----


def product(values, axes):
    """values(a, b); bounds by the same of absolute values"""

    def results(x, _):
        t = promoted(x)
        a, b = (y.astype(wide(t) if t.kind in "fc" else t) for y in x)
        y = np.asarray(values(a, b))
        if t.kind not in "fc":
            return [(y.astype(t), None)]
        n = x[0].shape[-1] + 4
        bound = 2 * n * epsilon(t) * np.asarray(values(np.abs(a), np.abs(b)), dtype=np.float64)
        return [(y.astype(t), bound + float(np.finfo(t).tiny))]

    return Function(results, axes=axes, domain=lambda k, t: "moderate")


@structural
def matmul():
    def axes(orders):
        a, b = orders
        batch = [f"batch {k}" for k in range(5)]
        left = ["k"] if a == 1 else batch[5 - (a - 2):] + ["m", "k"]
        right = ["k"] if b == 1 else batch[5 - (b - 2):] + ["k", "n"]
        return [left, right]

    def values(a, b):
        """By a sum of products: np.matmul, np.einsum or np.dot corrupts memory for some of these (NumPy 1.24 and 2.4, glibc's checks)."""
        left, right = a[np.newaxis] if a.ndim == 1 else a, b[:, np.newaxis] if b.ndim == 1 else b
        y = np.sum(left[..., :, :, np.newaxis] * right[..., np.newaxis, :, :], axis=-2, dtype=a.dtype)
        y = y[..., 0] if b.ndim == 1 else y
        return (y[..., 0, :] if b.ndim > 1 else y[..., 0]) if a.ndim == 1 else y

    return product(values, axes)


@structural
def vecdot():
    def axes(orders):
        batch = [f"batch {k}" for k in range(5)]
        return [batch[5 - (n - 1):] + ["k"] for n in orders]

    return product(lambda a, b: np.sum(np.conj(a) * b, axis=-1, dtype=a.dtype), axes)


@structural
def tensordot(axes):
    def labels(orders):
        left, right = ([f"{side} {k}" for k in range(n)] for side, n in zip("ab", orders))
        of_a, of_b = axes if isinstance(axes, tuple) else (range(-axes, 0), range(axes))
        for n, (i, k) in enumerate(zip(of_a, of_b)):
            left[i] = right[k] = f"sum {n}"
        return [left, right]

    return product(lambda a, b: np.tensordot(a, b, axes), labels)


# ---- beyond the standard ----


def of_integers(values, domain):
    def results(x, _):
        t = promoted(x)
        if t.kind not in "iu":  # int64 beside uint64
            raise Impossible
        return [(np.asarray(values(*[a.astype(t) for a in x])), None)]

    return Function(results, domain=lambda k, t: domain)


@structural
def gcd():
    return of_integers(np.gcd, "moderate")


@structural
def lcm():
    return of_integers(np.lcm, (-11, 11))


@structural
def bitwise_count():
    """Of the magnitude, as NumPy 2 counts."""
    return exact(lambda x: np.array([bin(abs(int(v))).count("1") for v in x.ravel()], dtype=np.uint8).reshape(x.shape))


@structural
def lexsort():
    return exact(lambda *keys: np.lexsort(np.broadcast_arrays(*keys)), domain=lambda k, t: "small")


@structural
def polyval():
    """By Horner's scheme, in the type of the result; bounds by the same of absolute values."""

    def results(x, _):
        t = promoted(x)
        p, at = (a.astype(wide(t) if t.kind in "fc" else t) for a in x)
        y = np.asarray(np.polyval(p, at))
        if t.kind not in "fc":
            return [(y.astype(t), None)]
        n = 4 * (x[0].size + 1)
        return [(y.astype(t), n * epsilon(t) * np.asarray(np.polyval(np.abs(p), np.abs(at)), dtype=np.float64) + float(np.finfo(t).tiny))]

    return Function(results, domain=lambda k, t: "moderate",
                    axes=lambda orders: [["n"], [f"axis {k}" for k in range(orders[1])]])


@structural
def polyfit(degree):
    """Points apart from each other, on both sides of 0, so that columns of powers are well apart, too."""

    def places(generator, shape, extents):
        n = shape[0]
        return np.arange(n) - n / 2 + generator.uniform(0.2, 0.4, n)

    def results(x, _):
        t = floating(promoted(x))
        if x[0].size == 0:
            raise Impossible
        y = np.polyfit(x[0].astype(np.float64), x[1].astype(np.float64), degree, rcond=x[0].size * epsilon(t))
        greatest = np.max(np.abs(y), initial=0) + np.max(np.abs(x[1]), initial=0).astype(np.float64)
        return [(y.astype(t), np.full(y.shape, 300 * epsilon(t) * greatest))]

    return Function(results, domain=lambda k, t: places if k == 0 else "moderate",
                    axes=lambda orders: [["points"], ["points", "sets"][:orders[1]]])


# ---- creation and types ----


def made(values, numbers):
    return Function(lambda x, n: [(np.asarray(values(n)), None)], numbers=lambda rng, extents: numbers(rng))


def extents_by_chance(rng):
    return [rng.choice([0, 1, 2, 3, 5]), rng.choice([0, 1, 2, 4])]


@structural
def arange(dtype, stop=None, quarters=False):
    if stop is not None:
        return made(lambda n: np.arange(n[0], dtype=dtype), lambda rng: [rng.randint(-2, 30)])

    def values(n):
        start, stop, step = [k / 4 for k in n] if quarters else n
        return (start + step * np.arange(builtins_max(0, -(-(stop - start) // step)))).astype(dtype)

    return made(values, lambda rng: [rng.randint(-30, 30), rng.randint(-30, 30), rng.choice([-7, -2, -1, 1, 2, 3, 5])])


@structural
def linspace(dtype):
    def results(_, n):
        y = np.linspace(np.longdouble(n[0]), np.longdouble(n[1]), n[2])
        bound = 2 * epsilon(np.dtype(dtype)) * np.full(y.shape, np.maximum(abs(n[0]), abs(n[1])))
        return [(y.astype(dtype), bound)]

    return Function(results, numbers=lambda rng, extents: [rng.randint(-30, 30), rng.randint(-30, 30), rng.randint(0, 30)])


@structural
def eye(dtype):
    return made(lambda n: np.eye(n[0], n[1], dtype=dtype), extents_by_chance)


@structural
def zeros(dtype):
    return made(lambda n: np.zeros(n, dtype=dtype), extents_by_chance)


@structural
def ones(dtype):
    return made(lambda n: np.ones(n, dtype=dtype), extents_by_chance)


@structural
def full(dtype):
    return made(lambda n: np.full(n[:2], n[2], dtype=dtype), lambda rng: extents_by_chance(rng) + [rng.randint(-9, 9)])


@structural
def empty(dtype):
    return made(lambda n: np.asarray(True), extents_by_chance)


@structural
def zeros_like():
    return exact(np.zeros_like, axes=axes_of_one)


@structural
def ones_like():
    return exact(np.ones_like, axes=axes_of_one)


@structural
def full_like():
    return exact(lambda x: np.full_like(x, 1), axes=axes_of_one)


@structural
def empty_like():
    return exact(lambda x: np.asarray(True), axes=axes_of_one)


@structural
def asarray(dtype):
    return exact(lambda x: x.astype("complex128" if x.dtype.kind == "c" else dtype), axes=axes_of_one)


@structural
def astype(dtype):
    """Floats become integers by truncation, what lies beyond them their end, NaN 0; bool is "is not zero"."""
    t = np.dtype(dtype)

    def values(x):
        if t.kind == "b":
            return x != 0
        if t.kind == "f":
            return (x.real if x.dtype.kind == "c" else x).astype(t)
        if x.dtype.kind == "f":
            v = np.trunc(np.nan_to_num(x.astype(np.longdouble), nan=0))
            return np.clip(v, np.iinfo(t).min, np.iinfo(t).max).astype(t)
        return x.astype(t)

    return exact(values, axes=axes_of_one, says_type=True)
