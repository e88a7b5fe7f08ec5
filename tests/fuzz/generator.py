"""Random expressions, built from the result down: a node is asked for a type and for extents, and asks its operands for theirs.

Extents are expressions in a few unknowns ("A", "(A*B)", "A+2", or a number), so that one expression can be tried with many. A
variable's axis is static or dynamic; what is static fixes its unknowns for good."""
import math
import random

import cases
from arrays import Arrays
from expressions import BOOL, DOUBLE, FLOAT, INT, LONG, Misfit, Node, Undecided, evaluated, is_floating
from numpy_oracle import Evaluation

SIZES = [1, 2, 3, 4, 5, 7, 8, 16, 17, 33]
WEIGHTS = [3, 5, 6, 4, 4, 4, 2, 2, 2, 1]


class Variable:
    """An operand: its element type, extents, which of its axes are static, and what its elements are for: "data", or "index" into an
    axis of the extent `limit`."""

    def __init__(self, name, element, dims, role="data", limit=None):
        self.name, self.type, self.dims, self.role, self.limit = name, element, dims, role, limit
        self.static = [True] * len(dims)
        self.names = [None] * len(dims)
        self.node = Node("variable", name=name, element=element, role=role)

    def cpp_type(self, values):
        extents = [f'rc::dim<"{n}">' if n else str(evaluated(d, values)) if s else "rc::dyn"
                   for d, s, n in zip(self.dims, self.static, self.names)]
        return f"rc::tensor<{', '.join([self.type] + extents)}>"


def is_number(dim):
    return dim.isdigit()


class Generator(Arrays):
    array_weight = 2.5  # how often operations of arrays.py are drawn

    def __init__(self, seed, traced=False, smooth=False):
        self.random = random.Random(seed)
        self.traced, self.smooth = traced, smooth
        self.values, self.variables, self.numbers = {}, [], []

    # ---- extents ----

    def unknown(self, most=33):
        name = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(self.values)]
        while True:
            n = self.random.choices(SIZES, WEIGHTS)[0]
            if n <= most:
                break
        self.values[name] = n
        return name

    def dim(self, most=33):
        r = self.random.random()
        if self.values and r < 0.45:
            known = [k for k in self.values if self.values[k] <= most]
            if known:
                d = self.random.choice(known)
                return f"({d}{self.random.choice(['+1', '+2', '*2'])})" if most > 4 and self.random.random() < 0.25 else d
        if r < 0.55 or len(self.values) >= 8:
            return str(self.random.choice([1, 2, 3, 4]))
        return self.unknown(most)

    def shape(self, rank=None):
        if rank is None:
            rank = self.random.choices([0, 1, 2, 3, 4, 5, 6], [1, 5, 7, 4, 2, 0.4, 0.3])[0]
        most = [0, 33, 17, 8, 5, 3, 3][rank]
        return [self.dim(most) for _ in range(rank)]

    def value(self, dim):
        return evaluated(dim, self.values)

    def size(self, dims):
        return math.prod(self.value(d) for d in dims)

    # ---- leaves ----

    def variable(self, element, dims, role="data", limit=None):
        v = Variable(f"x{len(self.variables)}", element, dims, role, limit)
        self.variables.append(v)
        return v

    def narrowed(self, dims):
        """Extents that broadcast to the given ones."""
        out = [d if self.random.random() < 0.85 else "1" for d in dims]
        while out and self.random.random() < 0.1:
            out.pop(0)
        return out

    def fits(self, v, dims):
        k = len(dims) - len(v.dims)
        return k >= 0 and all(a == b or a == "1" for a, b in zip(v.dims, dims[k:]))

    def leaf(self, dims, element, whole=False):
        r = self.random
        old = [v for v in self.variables if v.role == "data" and v.type == element and (v.dims == dims or not whole and self.fits(v, dims))]
        if old and r.random() < 0.45:
            return r.choice(old).node
        if len(self.variables) >= 6 and old:
            return r.choice(old).node
        want = dims if whole or r.random() < 0.6 else self.narrowed(dims)
        if want and r.random() < 0.35:
            return self.view_of_new(want, element)
        return self.variable(element, want).node

    def view_of_new(self, dims, element):
        """A part of a new variable with the given extents."""
        r = self.random
        own, items = [], []
        for d in dims:
            kind = r.random()
            if kind < 0.3 or self.value(d) > 17:
                own.append(d)
                items.append(("all",))
            elif d == "1" and kind < 0.6:
                items.append(("newaxis",))
            else:
                own.append(None)
                items.append(self.range_for(d, own, len(own) - 1))
            if r.random() < 0.12 and len(own) < 5:
                own.append(self.dim(4))
                items.append(("integer", r.choice([0, 0, -1]) if not is_number(own[-1]) else r.randrange(-self.value(own[-1]), self.value(own[-1]))))
        items = self.shortened(items)
        v = self.variable(element, own)
        return Node("index", v.node, items=items)

    def shortened(self, items):
        """Neighbouring `all`s as an ellipsis, or left out at the end."""
        r = self.random
        for k, i in enumerate(items):
            if i[0] == "all" and r.random() < 0.2:
                n = k
                while n < len(items) and items[n][0] == "all":
                    n += 1
                return items[:k] + [("ellipsis",)] + items[n:]
        while len(items) > 1 and items[-1] == ("all",) and any(i[0] != "integer" for i in items[:-1]) and r.random() < 0.3:
            items.pop()
        return items

    def range_for(self, d, own, axis):
        """A range that leaves `d` elements of an axis whose extent goes to own[axis]."""
        r, n = self.random, self.value(d)
        static = is_number(d) and r.random() < 0.5
        kind = r.choice(["inner", "front", "back", "every second", "backwards", "backwards in twos"])
        if kind == "inner":
            own[axis] = f"({d}+2)"
            return ("range", 1, -1, 1, static)
        if kind == "front":
            k = r.choice([1, 2])
            own[axis] = f"({d}+{k})"
            return ("range", 0, -k, 1, static)
        if kind == "back" and not self.traced:
            own[axis] = f"({d}+1)"
            return ("range", 1, (axis,), 1, False)
        if kind == "every second" and not self.traced:
            own[axis] = f"({d}*2)"
            return ("range", r.choice([0, 1]), (axis,), 2, False)
        if is_number(d) and n > 0:
            step = -2 if kind == "backwards in twos" else -1
            extent = (n - 1) * -step + 1
            own[axis] = str(extent)
            # from the last one to before the one that lies before the first
            return ("range", -1, -extent - 1, step, static)
        if kind == "backwards" and not self.traced and n > 1:
            own[axis] = f"({d}+1)"
            return ("range", -1, 0, -1, False)
        own[axis] = f"({d}+1)"
        return ("range", 1, (axis,), 1, False) if not self.traced else ("range", 0, -1, 1, static)

    def number_of(self, dim):
        """An extent as an argument of reshape and its like."""
        if is_number(dim):
            return ("constant", int(dim))
        if self.traced:
            for v in self.variables:
                if dim in v.dims:
                    return ("axis", v.name, v.dims.index(dim))
            return None
        if dim not in self.numbers:
            self.numbers.append(dim)
        return ("number", self.numbers.index(dim))

    def target(self, dims, open_allowed=True):
        """The extents `dims` as reshape is told them, or None where a trace has no name for them."""
        shape = [self.number_of(d) for d in dims]
        unnamed = [k for k, e in enumerate(shape) if e is None]
        if open_allowed and (len(unnamed) == 1 or not unnamed and shape and self.random.random() < 0.25):
            shape[unnamed[0] if unnamed else self.random.randrange(len(shape))] = ("constant", -1)
        elif unnamed:
            return None
        return shape

    # ---- inner nodes ----

    def expression(self, dims, element, depth):
        r = self.random
        if depth <= 0 or self.size(dims) > 600:
            return self.leaf(dims, element)
        for _ in range(20):
            make = r.choices(*zip(*self.makers(dims, element)))[0]
            made = make(dims, element, depth - 1)
            if made is not None:
                return made if made.type == element else Node("astype", made, element=element)
        return self.leaf(dims, element)

    def makers(self, dims, element):
        out = [(self.move, 4), (self.choose, 1.5), (self.join, 1.5), (lambda *a: self.leaf(*a[:2]), 1)]
        out.append((self.gather, 1))
        if element != BOOL:
            out.append((self.written, 2))
        if is_floating(element):
            out += [(self.binary, 5), (self.with_number, 2.5), (self.function, 4), (self.reduction, 2.5), (self.product, 1.6), (self.scan, 0.6),
                    (self.product_of_vectors, 1.2)]
            if not self.smooth:
                out += [(self.converted, 0.7), (self.rough, 1)]
        elif element == BOOL:
            out = [(self.comparison, 5), (self.logic, 3), (self.truth, 1), (self.move, 2), (lambda *a: self.leaf(*a[:2]), 1.5)]
        else:
            out += [(self.binary, 5), (self.with_number, 2), (self.integer_function, 2), (self.reduction, 1.5), (self.converted, 0.7)]
            if element == LONG:
                out += [(self.location, 1.5), (self.scan, 0.7)]
        return out + [(make, self.array_weight * weight) for make, weight in self.array_makers(dims, element)]

    def two_shapes(self, dims):
        a, b = (dims, self.narrowed(dims)) if self.random.random() < 0.7 else (self.narrowed(dims), dims)
        return (a, b) if self.random.random() < 0.5 else (b, a)

    def operand_types(self, element):
        """Types of two operands that promote to `element`."""
        if self.smooth or self.random.random() < 0.8:
            return element, element
        lower = {DOUBLE: [FLOAT, INT, LONG, BOOL], FLOAT: [FLOAT, BOOL], LONG: [INT, BOOL], INT: [INT, BOOL]}[element]
        pair = [element, self.random.choice(lower)]
        self.random.shuffle(pair)
        return pair

    def binary(self, dims, element, depth):
        a, b = self.two_shapes(dims)
        ta, tb = self.operand_types(element)
        op = self.random.choices(["add", "subtract", "multiply", "maximum", "minimum"], [4, 4, 4, 1, 1])[0]
        return Node(op, self.expression(a, ta, depth), self.expression(b, tb, depth - self.random.choice([0, 1])))

    def number(self, element):
        if is_floating(element):
            return Node("number", value=self.random.choice([0.5, 2.0, -1.25, 1.5, 0.75, 3.0, -0.25, 1.0]), element=DOUBLE)
        return Node("number", value=self.random.choice([1, 2, 3, -1, -2]), element=INT)

    def with_number(self, dims, element, depth):
        x, n = self.expression(dims, element, depth), self.number(element)
        op = self.random.choice(["add", "subtract", "multiply"] + ["maximum"] * (not self.smooth))
        return Node(op, x, n) if self.random.random() < 0.6 else Node(op, n, x)

    def away_from_zero(self, x):
        return Node("add", Node("abs", x) if not self.smooth else Node("square", x), Node("number", value=0.5, element=DOUBLE))

    def small(self, x):
        return Node("tanh", x)

    def function(self, dims, element, depth):
        r = self.random
        x = self.expression(dims, element, depth)
        op = r.choice(["exp", "expm1", "log", "log1p", "sqrt", "rsqrt", "sigmoid", "erf", "sin", "cos", "tan", "tanh", "sinh", "cosh",
                       "asin", "acos", "atan", "square", "negative", "abs", "relu", "divide", "atan2", "pow", "softmax", "softplus", "silu"])
        if op in ("exp", "expm1", "tan", "sinh", "cosh"):
            return Node(op, self.small(x))
        if op in ("asin", "acos"):
            return Node(op, Node("multiply", self.small(x), Node("number", value=0.75, element=DOUBLE)))
        if op in ("log", "sqrt", "rsqrt", "log1p"):
            return Node(op, self.away_from_zero(x))
        if op in ("divide", "atan2", "pow"):
            a, b = self.two_shapes(dims)
            x, y = self.expression(a, element, depth), self.expression(b, element, depth - 1)
            if op == "pow":
                return Node(op, self.away_from_zero(x), self.small(y))
            return Node(op, x, self.away_from_zero(y))
        if op == "softmax":
            return Node(op, self.whole(dims, element, depth), axes=[r.randrange(-1, len(dims))]) if dims else None
        return Node(op, x)

    def rough(self, dims, element, depth):
        op = self.random.choice(["sign", "floor", "ceil", "round", "floor_divide", "remainder"])
        x = self.expression(dims, element, depth)
        if op in ("floor_divide", "remainder"):
            return Node(op, x, self.away_from_zero(self.expression(self.narrowed(dims), element, depth - 1)))
        return Node(op, x)

    def integer_function(self, dims, element, depth):
        op = self.random.choice(["negative", "abs", "square", "sign", "floor_divide", "remainder"])
        x = self.expression(dims, element, depth)
        if op in ("floor_divide", "remainder"):
            return Node(op, x, self.expression(self.narrowed(dims), element, depth - 1))  # also by 0
        return Node(op, x)

    def converted(self, dims, element, depth):
        others = [t for t in (BOOL, INT, LONG, FLOAT, DOUBLE) if t != element]
        return Node("astype", self.expression(dims, self.random.choice(others), depth), element=element)

    def choose(self, dims, element, depth):
        a, b = self.two_shapes(dims)
        if self.random.random() < 0.3 and element != BOOL:
            low = self.expression(self.narrowed(dims), element, depth - 1) if self.random.random() < 0.5 else self.number(element)
            return Node("clip", self.expression(dims, element, depth), low, self.number(element))
        condition = self.expression(self.narrowed(dims), BOOL, min(depth, 1))
        x = self.expression(a, element, depth)
        y = self.number(element) if self.random.random() < 0.3 and a == dims else self.expression(b if a == dims else dims, element, depth - 1)
        return Node("where", condition, *([x, y] if self.random.random() < 0.5 else [y, x]))

    def comparison(self, dims, element, depth):
        t = self.random.choice([DOUBLE, FLOAT, INT, LONG] if not self.smooth else [DOUBLE])
        op = self.random.choice(["less", "less_equal", "greater", "greater_equal"] + ["equal", "not_equal"] * (not is_floating(t)))
        if self.random.random() < 0.4:
            return Node(op, self.expression(dims, t, depth), self.number(t))
        a, b = self.two_shapes(dims)
        return Node(op, self.expression(a, t, depth), self.expression(b, t, depth - 1))

    def logic(self, dims, element, depth):
        op = self.random.choice(["logical_and", "logical_or", "logical_xor", "logical_not"] * 2 + ["add", "maximum", "minimum"])
        if op == "logical_not":
            return Node(op, self.expression(dims, BOOL, depth))
        a, b = self.two_shapes(dims)
        return Node(op, self.expression(a, BOOL, depth), self.expression(b, BOOL, depth - 1))

    def with_axes(self, dims, most):
        """Extents of an operand of a reduction, its axes, and whether they are kept, for a result of extents `dims`; or None."""
        r = self.random
        ones = [k for k, d in enumerate(dims) if d == "1"]
        if ones and r.random() < 0.6:
            axes = [r.choice(ones)]
            operand = list(dims)
            operand[axes[0]] = self.dim(most)
            return operand, axes, True
        count = r.choice([1, 1, 2])
        rank = len(dims) + count
        if rank > 5:
            return None
        axes = sorted(r.sample(range(rank), count))
        operand, rest = [], iter(dims)
        for k in range(rank):
            operand.append(self.dim(most) if k in axes else next(rest))
        if not dims and r.random() < 0.6:
            axes = None
        return operand, axes, False

    def signed(self, axes, rank):
        return axes if axes is None else [a - rank if self.random.random() < 0.3 else a for a in axes]

    def reduction(self, dims, element, depth):
        r = self.random
        operand = self.with_axes(dims, 17)
        if operand is None:
            return None
        operand, axes, keep = operand
        if is_floating(element):
            op = r.choices(["sum", "mean", "max", "min", "prod", "var", "std", "logsumexp", "norm"], [5, 3, 2, 2, 1, 1, 0 if self.smooth else 1, 1.5, 1])[0]
        else:
            op = r.choice(["sum", "max", "min", "prod"] if element == LONG else ["max", "min"])
        x = self.whole(operand, BOOL if element == LONG and r.random() < 0.2 else element, depth)
        if op in ("prod", "norm") and is_floating(element):
            x = self.away_from_zero(self.small(x))
        return Node(op, x, axes=self.signed(axes, len(operand)), keep=keep)

    def scan(self, dims, element, depth):
        if not dims:
            return None
        x = self.whole(dims, element, depth)
        op = self.random.choice(["cumulative_sum", "cumulative_prod"])
        if op == "cumulative_prod" and is_floating(element):
            x = self.away_from_zero(self.small(x))
        return Node(op, x, axes=self.signed([self.random.randrange(len(dims))], len(dims)))

    def location(self, dims, element, depth):
        rank = len(dims) + 1
        if rank > 5:
            return None
        axes = [self.random.randrange(rank)]
        operand = list(dims)
        operand.insert(axes[0], self.dim(8))
        x = self.whole(operand, self.random.choice([DOUBLE, FLOAT, INT]), depth)
        return Node(self.random.choice(["argmax", "argmin"]), x, axes=self.signed(axes, rank), keep=False)

    def truth(self, dims, element, depth):
        operand = self.with_axes(dims, 8)
        if operand is None:
            return None
        operand, axes, keep = operand
        return Node(self.random.choice(["any", "all"] * 2 + ["max", "min"]), self.whole(operand, BOOL, depth), axes=self.signed(axes, len(operand)), keep=keep)

    def product(self, dims, element, depth):
        r, rank = self.random, len(dims)
        if rank > 4:
            return None
        k = self.dim(8)
        if rank == 0:
            a, b = [k], [k]
        elif rank == 1:
            a, b = ([k], [k] + dims) if r.random() < 0.5 else (dims + [k], [k])
        else:
            batch = dims[:-2]
            a, b = self.two_shapes(batch) if batch else (batch, batch)
            a, b = a + [dims[-2], k], b + [k, dims[-1]]
        return Node("matmul", self.factor(a, element, depth), self.factor(b, element, depth - 1))

    def factor(self, dims, element, depth):
        """Of a product: also transposed, or both of its axes in steps."""
        r = self.random.random()
        if len(dims) < 2 or r < 0.5:
            return self.whole(dims, element, depth)
        if r < 0.75:
            return Node("matrix_transpose", self.whole(dims[:-2] + [dims[-1], dims[-2]], element, depth))
        return self.view_of_new(dims, element)

    def product_of_vectors(self, dims, element, depth):
        rank = len(dims)
        op = self.random.choice(["vecdot", "outer", "cross"])
        if op == "outer":
            return Node(op, *[self.whole([d], element, depth) for d in dims]) if rank == 2 else None
        a, b = self.two_shapes(dims[:-1] if op == "cross" else dims)
        if op == "vecdot":
            k = self.dim(8)
            return Node(op, self.whole(a + [k], element, depth), self.whole(b + [k], element, depth - 1)) if rank <= 4 else None
        return Node(op, self.whole(a + ["3"], element, depth), self.whole(b + ["3"], element, depth - 1)) if dims and dims[-1] == "3" else None

    def written(self, dims, element, depth):
        """A copy of something of which a part is written."""
        r = self.random
        if not self.traced or not dims:
            return None
        own, items = list(dims), []
        for k, d in enumerate(dims):
            items.append(("all",) if r.random() < 0.4 else self.range_in(d))
        y = self.whole(own, element, depth)
        if y.op == "index":  # a part of a symbol
            return None
        part = [self.range_extent(d, i) for d, i in zip(dims, items)]
        if any(p is None for p in part):
            return None
        value = self.number(element) if r.random() < 0.2 else self.expression(self.narrowed(part), element, depth - 1)
        return Node("written", y, value, items=self.shortened(items), operator=r.choice(["=", "=", "+=", "-=", "*="]))

    def range_in(self, d):
        """A range on an axis of the extent d, or all of it."""
        r = self.random
        if is_number(d):
            n = int(d)
            if n >= 2:
                return r.choice([("range", 0, n - 1, 1, True), ("range", 1, -1 if n > 2 else n, 1, True), ("range", 0, n, 2, True),
                                 ("range", n - 1, -n - 1, -1, True)])
            return ("all",)
        return ("all",)

    def range_extent(self, d, item):
        if item == ("all",):
            return d
        n = int(d)
        start, stop = (b + n if b < 0 else b for b in item[1:3])
        return str(len(range(start, stop, item[3])))

    def join(self, dims, element, depth):
        r = self.random
        if not dims or element == BOOL:
            return None
        axis = r.randrange(len(dims))
        n = self.value(dims[axis])
        signed = axis - len(dims) if r.random() < 0.3 else axis
        if is_number(dims[axis]) and n in (1, 2, 3) and r.random() < 0.5:
            rest = dims[:axis] + dims[axis + 1:]
            return Node("stack", *[self.whole(rest, element, depth) for _ in range(n)], axis=signed)
        if is_number(dims[axis]) and n >= 2:
            k = r.randrange(1, n)
            parts = [str(k), str(n - k)]
        else:
            return None
        return Node("concat", *[self.whole(dims[:axis] + [p] + dims[axis + 1:], element, depth) for p in parts], axis=signed)

    def gather(self, dims, element, depth):
        r = self.random
        if not dims or element == BOOL:
            return None
        axis = r.randrange(len(dims))
        limit = self.dim(8)
        index = self.variable(r.choice([INT, LONG]), [dims[axis]], "index", limit)
        x = self.whole(dims[:axis] + [limit] + dims[axis + 1:], element, depth)
        return Node("take", x, index.node, axis=axis - len(dims) if r.random() < 0.3 else axis)

    def whole(self, dims, element, depth):
        """An expression that has these extents by itself, not fewer that would broadcast to them, whatever the unknowns are."""
        for _ in range(4):
            x = self.expression(dims, element, depth)
            if self.has_extents(x, dims, self.values) and self.has_extents(x, dims, {k: v + 1 for k, v in self.values.items()}):
                return x
        return self.leaf(dims, element, whole=True)

    def has_extents(self, x, dims, values):
        used = {n.name for n in x.walk() if n.op == "variable"} | {e[1] for n in x.walk() for e in n.attributes.get("shape", []) if e[0] == "axis"}
        try:
            operands = {v.name: cases.operand(v, [evaluated(d, values) for d in v.dims], None) for v in self.variables if v.name in used}
            y = Evaluation(operands, [evaluated(d, values) for d in self.numbers])(x)
        except (Misfit, Undecided):
            return False
        return list(y.value.shape) == [evaluated(d, values) for d in dims]

    def move(self, dims, element, depth):
        r, rank = self.random, len(dims)
        kind = r.choice(["permute_dims", "flip", "expand_dims", "squeeze", "reshape", "broadcast_to", "matrix_transpose", "index"])
        if kind == "permute_dims" and rank:
            axes = list(range(rank))
            r.shuffle(axes)
            operand = [None] * rank
            for k, a in enumerate(axes):
                operand[a] = dims[k]
            return Node(kind, self.whole(operand, element, depth), axes=self.signed(axes, rank))
        if kind == "matrix_transpose" and rank >= 2:
            return Node(kind, self.whole(dims[:-2] + [dims[-1], dims[-2]], element, depth))
        if kind == "flip" and rank:
            return Node(kind, self.whole(dims, element, depth), axes=self.signed(r.sample(range(rank), r.randrange(1, rank + 1)), rank))
        if kind == "expand_dims" and "1" in dims:
            k = dims.index("1")
            return Node(kind, self.whole(dims[:k] + dims[k + 1:], element, depth), axes=self.signed([k], rank))
        if kind == "squeeze" and rank < 5:
            k = r.randrange(rank + 1)
            return Node(kind, self.whole(dims[:k] + ["1"] + dims[k:], element, depth), axes=self.signed([k], rank + 1))
        if kind == "broadcast_to" and rank:
            x = self.whole(self.narrowed(dims), element, depth)
            shape = self.target(dims, False)
            return shape and Node(kind, x, shape=shape, static=r.random() < 0.6)
        if kind == "reshape" and rank:
            form = r.choice(["merge", "split", "cut"])
            k = r.randrange(rank)
            if form == "merge" and rank >= 2 and k + 1 < rank:  # the operand has two axes in one
                operand = dims[:k] + [f"({dims[k]}*{dims[k + 1]})"] + dims[k + 2:]
            elif form == "split" and not is_number(dims[k]):
                operand = dims[:k] + [dims[k], "1"] + dims[k + 1:]
            elif is_number(dims[k]) and self.value(dims[k]) in (4,):
                operand = dims[:k] + ["2", "2"] + dims[k + 1:]
            else:
                operand = ["1"] + dims
            operand = [str(self.value(d)) if "*" in d and all(c.isdigit() or c in "(*)" for c in d) else d for d in operand]
            x = self.whole(operand, element, depth)
            shape = self.target(dims)
            return shape and Node(kind, x, shape=shape, static=r.random() < 0.6)
        if kind == "index" and self.traced and rank:
            own, items = [], []
            for d in dims:
                own.append(d)
                items.append(("all",))
                if r.random() < 0.5:
                    items[-1] = self.range_for(d, own, len(own) - 1)
            if all(i == ("all",) for i in items) or any(i[0] == "range" and any(not isinstance(b, int) for b in i[1:3]) for i in items):
                return None
            x = self.whole(own, element, depth)
            return Node("index", x, items=items)
        return None

    # ---- what is settled at the end ----

    def masked(self, element, depth):
        """The elements of a tensor that a condition names, as a tensor of order 1; what is done with them in the end."""
        dims = self.shape(self.random.choice([1, 1, 2, 3]))
        x = Node("masked", self.leaf(dims, element, whole=True), self.whole(dims, BOOL, depth))
        kind = self.random.choice(["sum", "max", "elements", "scaled"])
        if kind in ("sum", "max"):
            return Node(kind, x, axes=None, keep=False)
        return x if kind == "elements" else Node("multiply", x, self.number(element))

    def settle(self, static):
        """Draws which axes are static: all for 1, none for 0, else some; and may give the dynamic axes of one unknown a name."""
        r = self.random
        for v in self.variables:
            v.static = [r.random() < static for d in v.dims]
        named = r.choice(sorted(self.values)) if self.values and r.random() < 0.2 else None
        for v in self.variables:
            v.names = ["n" if d == named and not s else None for d, s in zip(v.dims, v.static)]
        return self

    def pinned(self, variables):
        """The unknowns whose values follow from static axes."""
        text = " ".join(d for v in variables for d, s in zip(v.dims, v.static) if s)
        return {k for k in self.values if k in text}
