"""Expressions of the library as trees: how they are written in C++, which element type they have, and what their elements are.

A node says nothing about extents: those follow when it is evaluated, so that the same expression is tried with extents that go
together and with others that do not."""
import math

import numpy as np

BOOL, INT, LONG, FLOAT, DOUBLE = "bool", "int", "std::int64_t", "float", "double"
ORDER = [BOOL, INT, LONG, FLOAT, DOUBLE]
NUMPY = {BOOL: np.bool_, INT: np.int32, LONG: np.int64, FLOAT: np.float32, DOUBLE: np.float64}


def is_floating(t):
    return t in (FLOAT, DOUBLE)


def promote(a, b):
    """NumPy 2's promotion of two tensors, as core/types.hpp has it."""
    if ORDER.index(a) > ORDER.index(b):
        a, b = b, a
    if a == b or a == BOOL or is_floating(a) or not is_floating(b):
        return b
    return DOUBLE


def promote_weak(t, number):
    if is_floating(t) or number == BOOL:
        return t
    if is_floating(number):
        return number
    return number if t == BOOL else t


# What an operation takes of the type that its operands promote to, and the type of its result.
def keep(t):
    return t


def arithmetic(t):
    return INT if t == BOOL else t


def floating(t):
    return t if is_floating(t) else DOUBLE


def wide(t):
    return t if is_floating(t) else LONG


def boolean(_):
    return BOOL


def erf(xp, x):
    if xp is np:
        return np.vectorize(math.erf, otypes=[np.float64])(x) if np.size(x) else np.asarray(x)
    import jax

    return jax.scipy.special.erf(x)


class Elementwise:
    """C++ with places for the operands, values by NumPy or jax.numpy, the operands' type, the result's, and how many units in the
    last place the library promises."""

    def __init__(self, cpp, values, operands=floating, result=keep, ulp=5):
        self.cpp, self.values, self.operands, self.result, self.ulp = cpp, values, operands, result, ulp


ELEMENTWISE = {
    "add": Elementwise("({} + {})", lambda xp, a, b: a + b, keep, ulp=1),
    "subtract": Elementwise("({} - {})", lambda xp, a, b: a - b, arithmetic, ulp=1),
    "multiply": Elementwise("({} * {})", lambda xp, a, b: a * b, arithmetic, ulp=1),
    "divide": Elementwise("rc::divide({}, {})", lambda xp, a, b: a / b, ulp=1),
    "maximum": Elementwise("rc::maximum({}, {})", lambda xp, a, b: xp.maximum(a, b), keep, ulp=0),
    "minimum": Elementwise("rc::minimum({}, {})", lambda xp, a, b: xp.minimum(a, b), keep, ulp=0),
    "atan2": Elementwise("rc::atan2({}, {})", lambda xp, a, b: xp.arctan2(a, b)),
    "pow": Elementwise("rc::pow({}, {})", lambda xp, a, b: xp.power(a, b), ulp=8),
    "floor_divide": Elementwise("rc::floor_divide({}, {})", lambda xp, a, b: xp.floor_divide(a, b), arithmetic),
    "remainder": Elementwise("rc::remainder({}, {})", lambda xp, a, b: xp.remainder(a, b), arithmetic),
    "negative": Elementwise("(-{})", lambda xp, a: -a, arithmetic, ulp=0),
    "square": Elementwise("rc::square({})", lambda xp, a: a * a, arithmetic, ulp=1),
    "abs": Elementwise("rc::abs({})", lambda xp, a: xp.abs(a), arithmetic, ulp=0),
    "sign": Elementwise("rc::sign({})", lambda xp, a: xp.sign(a), arithmetic, ulp=0),
    "relu": Elementwise("rc::relu({})", lambda xp, a: xp.maximum(a, xp.zeros_like(a)), arithmetic, ulp=0),
    "floor": Elementwise("rc::floor({})", lambda xp, a: xp.floor(a), arithmetic, ulp=0),
    "ceil": Elementwise("rc::ceil({})", lambda xp, a: xp.ceil(a), arithmetic, ulp=0),
    "round": Elementwise("rc::round({})", lambda xp, a: xp.round(a), arithmetic, ulp=0),
    "exp": Elementwise("rc::exp({})", lambda xp, a: xp.exp(a)),
    "expm1": Elementwise("rc::expm1({})", lambda xp, a: xp.expm1(a)),
    "log": Elementwise("rc::log({})", lambda xp, a: xp.log(a)),
    "log1p": Elementwise("rc::log1p({})", lambda xp, a: xp.log1p(a)),
    "sqrt": Elementwise("rc::sqrt({})", lambda xp, a: xp.sqrt(a)),
    "rsqrt": Elementwise("rc::rsqrt({})", lambda xp, a: 1 / xp.sqrt(a)),
    "sigmoid": Elementwise("rc::sigmoid({})", lambda xp, a: 1 / (1 + xp.exp(-a)), ulp=8),
    "silu": Elementwise("rc::silu({})", lambda xp, a: a / (1 + xp.exp(-a)), ulp=8),
    "erf": Elementwise("rc::erf({})", erf),
    "softplus": Elementwise("rc::softplus({})", lambda xp, a: xp.logaddexp(a, xp.zeros_like(a))),
    "sin": Elementwise("rc::sin({})", lambda xp, a: xp.sin(a)),
    "cos": Elementwise("rc::cos({})", lambda xp, a: xp.cos(a)),
    "tan": Elementwise("rc::tan({})", lambda xp, a: xp.tan(a)),
    "tanh": Elementwise("rc::tanh({})", lambda xp, a: xp.tanh(a)),
    "sinh": Elementwise("rc::sinh({})", lambda xp, a: xp.sinh(a)),
    "cosh": Elementwise("rc::cosh({})", lambda xp, a: xp.cosh(a)),
    "asin": Elementwise("rc::asin({})", lambda xp, a: xp.arcsin(a)),
    "acos": Elementwise("rc::acos({})", lambda xp, a: xp.arccos(a)),
    "atan": Elementwise("rc::atan({})", lambda xp, a: xp.arctan(a)),
    "clip": Elementwise("rc::clip({}, {}, {})", lambda xp, x, low, high: xp.minimum(xp.maximum(x, low), high), arithmetic, ulp=0),
    "where": Elementwise("rc::where({}, {}, {})", lambda xp, c, a, b: xp.where(c, a, b), keep, ulp=0),
    "equal": Elementwise("({} == {})", lambda xp, a, b: a == b, keep, boolean, 0),
    "not_equal": Elementwise("({} != {})", lambda xp, a, b: a != b, keep, boolean, 0),
    "less": Elementwise("({} < {})", lambda xp, a, b: a < b, keep, boolean, 0),
    "less_equal": Elementwise("({} <= {})", lambda xp, a, b: a <= b, keep, boolean, 0),
    "greater": Elementwise("({} > {})", lambda xp, a, b: a > b, keep, boolean, 0),
    "greater_equal": Elementwise("({} >= {})", lambda xp, a, b: a >= b, keep, boolean, 0),
    "logical_and": Elementwise("({} & {})", lambda xp, a, b: xp.logical_and(a, b), boolean, boolean, 0),
    "logical_or": Elementwise("({} | {})", lambda xp, a, b: xp.logical_or(a, b), boolean, boolean, 0),
    "logical_xor": Elementwise("rc::logical_xor({}, {})", lambda xp, a, b: xp.logical_xor(a, b), boolean, boolean, 0),
    "logical_not": Elementwise("(!{})", lambda xp, a: xp.logical_not(a), boolean, boolean, 0),
}
SCANS = ("cumulative_sum", "cumulative_prod")
PRODUCTS = ("matmul", "vecdot", "outer", "cross")
REDUCTIONS = {"sum": wide, "prod": wide, "max": keep, "min": keep, "any": boolean, "all": boolean, "mean": floating, "var": floating,
              "std": floating, "logsumexp": floating, "norm": floating, "argmax": lambda t: LONG, "argmin": lambda t: LONG}


def evaluated(dim, values):
    """An extent as a number: `dim` is an expression in unknowns, "(A*2)"."""
    return int(eval(dim, {}, values))


class Misfit(Exception):
    """What the library has to refuse: "shape", "index" or "value"."""

    def __init__(self, kind):
        self.kind = kind


class Undecided(Exception):
    """A case of which neither NumPy nor the library says what should come out."""


class Node:
    def __init__(self, op, *args, **attributes):
        self.op, self.args, self.attributes = op, args, attributes
        self.type = self.own_type()

    def __getattr__(self, name):
        try:
            return self.__dict__["attributes"][name]
        except KeyError:
            raise AttributeError(name) from None

    def operand_type(self):
        """What the operands of an elementwise operation are converted to."""
        numeric = self.args[1:] if self.op == "where" else self.args
        strong = [a.type for a in numeric if a.op != "number"]
        t = strong[0]
        for s in strong[1:]:
            t = promote(t, s)
        entering = t
        for a in numeric:
            if a.op == "number":
                entering = promote(entering, promote_weak(t, a.type))
        return ELEMENTWISE[self.op].operands(entering)

    def own_type(self):
        if self.op in ("variable", "number", "astype", "array"):
            return self.attributes["element"]
        if self.op in ELEMENTWISE:
            return ELEMENTWISE[self.op].result(self.operand_type())
        if self.op in REDUCTIONS:
            return REDUCTIONS[self.op](self.args[0].type)
        if self.op in SCANS:
            return wide(self.args[0].type)
        if self.op == "softmax":
            return floating(self.args[0].type)
        if self.op in PRODUCTS:
            return arithmetic(promote(self.args[0].type, self.args[1].type))
        if self.op in ("concat", "stack"):
            t = self.args[0].type
            for a in self.args[1:]:
                t = promote(t, a.type)
            return t
        return self.args[0].type

    def walk(self):
        yield self
        for a in self.args:
            yield from a.walk()

    def cpp(self):
        a = [x.cpp() for x in self.args]
        op = self.op
        if op == "variable":
            return self.name
        if op == "number":
            return repr(self.value)
        if op == "array":  # of arrays.py
            return self.text.format(*a)
        if op in ELEMENTWISE:
            return ELEMENTWISE[op].cpp.format(*a)
        if op in REDUCTIONS:
            axes = "" if self.axes is None else ", " + axis(self.axes)
            return f"rc::{op}({a[0]}{axes}{', rc::keepdims' if self.keep else ''})"
        if op in ("softmax", *SCANS, "permute_dims", "flip", "expand_dims", "squeeze"):
            return f"rc::{op}({a[0]}, {axis(self.axes)})"
        if op == "matrix_transpose":
            return f"rc::matrix_transpose({a[0]})"
        if op in ("concat", "stack"):
            return f"rc::{op}({', '.join(a)}, {axis([self.axis])})"
        if op == "take":
            return f"rc::take({a[0]}, {a[1]}, {axis([self.axis])})"
        if op == "astype":
            return f"rc::astype<{self.type}>({a[0]})"
        if op in ("reshape", "broadcast_to"):
            if all(e[0] == "constant" for e in self.shape) and self.static:
                return f"rc::{op}({a[0]}, rc::extents<{', '.join(str(e[1]) for e in self.shape)}>{{}})"
            return f"rc::{op}({a[0]}, rc::shape({', '.join(extent_cpp(e) for e in self.shape)}))"
        if op in PRODUCTS:
            return f"rc::{op}({a[0]}, {a[1]})"
        if op == "written":
            return f"[&] {{ auto y = {a[0]}; y({', '.join(item_cpp(i, 'y') for i in self.items)}) {self.operator} {a[1]}; return y; }}()"
        if op == "masked":
            return f"{a[0]}({a[1]})"
        if op == "index":
            return f"{a[0]}({', '.join(item_cpp(i, a[0]) for i in self.items)})"
        raise KeyError(op)


def axis(axes):
    return f"rc::axis<{', '.join(map(str, axes))}>"


def extent_cpp(e):
    """An extent given to reshape: a constant, a number of the case, or an argument's extent."""
    if e[0] == "constant":
        return str(e[1])
    if e[0] == "number":
        return f"n[{e[1]}]"
    return f"{e[1]}.shape({e[2]})"


def item_cpp(i, tensor):
    if i[0] == "integer":
        return str(i[1])
    if i[0] == "range":
        _, start, stop, step, static = i
        if static:
            return f"rc::range<{start}, {stop}>()" if step == 1 else f"rc::range<{start}, {stop}, {step}>()"
        bounds = [b if isinstance(b, int) else f"{tensor}.shape({b[0]})" for b in (start, stop)]
        if step == 1:
            return f"rc::range({bounds[1]})" if start == 0 else f"rc::range({bounds[0]}, {bounds[1]})"
        return f"rc::range({bounds[0]}, {bounds[1]}, {step})"
    return {"all": "rc::all", "newaxis": "rc::newaxis", "ellipsis": "rc::ellipsis"}[i[0]]


def resolve_items(items, shape):
    """The same items with one for every axis, ranges as lists of positions; the library's rules of what lies on an axis."""
    named = sum(i[0] in ("integer", "range", "all") for i in items)
    if named > len(shape):
        raise Misfit("index")
    rest = [("all",)] * (len(shape) - named)
    whole = []
    for i in items:
        whole += rest if i[0] == "ellipsis" else [i]
    if not any(i[0] == "ellipsis" for i in items):
        whole += rest
    out, k = [], 0
    for i in whole:
        if i[0] == "newaxis":
            out.append(None)
            continue
        n = shape[k]
        if i[0] == "all":
            out.append(slice(None))
        elif i[0] == "integer":
            if not -n <= i[1] < n:
                raise Misfit("index")
            out.append(i[1] % n)
        else:
            start, stop, step = (b if isinstance(b, int) else shape[b[0]] for b in i[1:4])
            start, stop = (b + n if b < 0 else b for b in (start, stop))
            backwards = step < 0
            if start < -1 or stop < -1 or start > n or stop > n or not (backwards and n == 0) and (start < 0 or backwards and start == n):
                raise Misfit("index")
            out.append(np.array([] if n == 0 else range(start, stop, step), dtype=np.int64))
        k += 1
    return out


def select(xp, x, items):
    """x indexed by resolved items: each positions list by itself, not NumPy's product of them."""
    k = 0
    for i in items:
        if i is None:
            x = xp.expand_dims(x, k)
            k += 1
        elif isinstance(i, slice):
            k += 1
        elif isinstance(i, int):
            x = xp.take(x, i, axis=k)
        else:
            x = xp.take(x, i, axis=k)
            k += 1
    return x


def positions(shape, items):
    """Where the elements that resolved items select lie in a flattened tensor of that shape."""
    return select(np, np.arange(math.prod(shape)).reshape(shape), items)


UPDATES = {"+=": "add", "-=": "subtract", "*=": "multiply"}


def moved(node, xp, arrays, extents):
    """The operations that only move elements, by NumPy or jax.numpy; `extents` gives those of reshape as numbers."""
    x, op = arrays[0], node.op
    if op == "permute_dims":
        return xp.transpose(x, node.axes)
    if op == "matrix_transpose":
        return xp.swapaxes(x, -1, -2)
    if op == "flip":
        return xp.flip(x, tuple(node.axes))
    if op == "expand_dims":
        return xp.expand_dims(x, tuple(node.axes))
    if op == "squeeze":
        return xp.squeeze(x, tuple(node.axes))
    if op == "reshape":
        to = extents(node.shape)
        if -1 in to and 0 in to:
            raise Misfit("shape")  # NumPy: what -1 stands for could be any number
        return xp.reshape(x, to)
    if op == "broadcast_to":
        return xp.broadcast_to(x, extents(node.shape))
    if op == "concat":
        return xp.concatenate(arrays, axis=node.axis)
    if op == "stack":
        return xp.stack(arrays, axis=node.axis)
    if op == "index":
        return select(xp, x, resolve_items(node.items, x.shape))
    raise KeyError(op)


MOVES = ("permute_dims", "matrix_transpose", "flip", "expand_dims", "squeeze", "reshape", "broadcast_to", "concat", "stack", "index")
