"""Random statements with what NumPy says of them: values of expressions, declarations, assignments to tensors and to parts of them."""
import numpy as np

from cases import random_case
from expressions import BOOL, DOUBLE, FLOAT, INT, LONG, Misfit, Undecided, item_cpp, positions, resolve_items
from generator import Generator
from numpy_oracle import Evaluation, updated, written

SHAPE, INDEX, VALUE = 1, 2, 4  # errors, as bits
ERRORS = {"shape": SHAPE, "index": INDEX, "value": VALUE}


def possible_errors(kind, expression, update=None):
    """More than one thing may be wrong with a case, and which is said first is open."""
    errors = ERRORS[kind]
    nodes = list(expression.walk()) + (list(update.mask.walk()) if update and update.mask is not None else [])
    if update and update.indexed or any(n.op in ("index", "take", "written") for n in nodes):
        errors |= SHAPE | INDEX
    if any(n.op == "array" for n in nodes):
        errors |= SHAPE | INDEX | VALUE
    if any(n.op in ("argmax", "argmin") for n in nodes):
        errors |= SHAPE | VALUE | INDEX
    return errors


class Statement:
    """`groups` has one list of (name, C++ text), ways to compute the same; `target` is the variable that an assignment writes, else None."""

    def __init__(self, generator, expression, ways, target=None, update=None):
        self.generator, self.expression, self.groups, self.target, self.update = generator, expression, [ways], target, update
        nodes = list(expression.walk())
        if update and update.mask is not None:
            nodes += update.mask.walk()
        if update and update.rows is not None:
            nodes.append(update.rows.node)
        names = {n.name for n in nodes if n.op == "variable"} | ({target.name} if target else set())
        names |= {e[1] for n in nodes if n.op in ("reshape", "broadcast_to") for e in n.shape if e[0] == "axis"}
        self.variables = [v for v in generator.variables if v.name in names]
        self.cases = []

    def fill(self, random, count):
        """Adds cases; a statement whose first one is no valid one is refused."""
        special_statement = random.random() < 0.1
        for k in range(count):
            try:
                case = random_case(self.generator, self.variables, random, special_statement and k % 2 == 1, k == 0)
                evaluation = Evaluation(case.operands, case.numbers)
                try:
                    y = evaluation(self.expression)
                    if self.update:
                        with np.errstate(all="ignore"):
                            y = self.update.apply(case.operands[self.target.name], y, evaluation)
                        shape = y.value.shape
                        for n, before, fixed in zip(shape, case.shapes[self.target.name], self.target.static):
                            if fixed and n != before:
                                raise Misfit("shape")
                        if len({n for n, name in zip(shape, self.target.names) if name}) > 1:  # axes of one name
                            raise Misfit("shape")
                    case.results = [[y]]
                except Misfit as e:
                    if k == 0:
                        return False
                    case.errors = possible_errors(e.kind, self.expression, self.update)
            except Undecided:
                if k == 0:
                    return False
                continue
            self.cases.append(case)
            if all(all(v.static) for v in self.variables) and k >= 2:
                break
        return True


class Update:
    """`target(items) op= expression`; without items the whole target, which then may change its shape. Items may also be one integer
    tensor, whose rows are written in order, or a condition."""

    def __init__(self, operator, items=None, rows=None, mask=None):
        self.operator, self.items, self.rows, self.mask = operator, items, rows, mask
        self.indexed = items is not None or rows is not None

    def place(self, target):
        if self.mask is not None:
            return f"{target}({self.mask.cpp()})"
        if self.rows is not None:
            return f"{target}({self.rows.name})"
        return target if self.items is None else f"{target}({', '.join(item_cpp(i, target) for i in self.items)})"

    def apply(self, target, y, evaluation):
        shape = target.value.shape
        if self.items is None and self.rows is None and self.mask is None:
            new = updated(target, self.operator, y)
            if new.value.ndim != target.value.ndim:
                raise Undecided
            return new
        if self.mask is not None:
            mask = evaluation(self.mask)
            if mask.error.any():
                raise Undecided
            if mask.value.shape != shape:
                raise Misfit("shape")
            where = positions(shape, [slice(None)] * len(shape))[mask.value]
        elif self.rows is not None:
            rows = evaluation(self.rows.node).value
            if rows.size and (rows.min() < -shape[0] or rows.max() >= shape[0]):
                raise Misfit("index")
            where = np.take(positions(shape, [slice(None)] * len(shape)), rows, axis=0)
        else:
            where = positions(shape, resolve_items(self.items, shape))
        return written(target, where, self.operator, y)


def traced_ways(expression, variables, random):
    names = ", ".join(v.name for v in variables)
    takes = ", ".join(f"auto {v.name}" for v in variables)
    f = f"[]({takes}) {{ return {expression.cpp()}; }}"
    ways = [("fn", f"rc::fn({f})({names})")]
    if random.random() < 0.5:
        ways.append(("interpret", f"rc::interpret({f})({names})"))
    return ways


def random_statement(seed, count):
    """A statement with up to `count` cases; None where the draw did not make a sensible one."""
    random = np.random.default_rng(seed)
    kind = random.choice(["eval", "declare", "assign", "view", "rows", "mask", "elements", "fn"],
                         p=[0.32, 0.05, 0.11, 0.15, 0.04, 0.04, 0.03, 0.26])
    g = Generator(int(random.integers(1 << 60)), traced=kind == "fn")
    element = str(random.choice([DOUBLE, FLOAT, INT, LONG, BOOL], p=[0.45, 0.2, 0.13, 0.09, 0.13]))
    if kind in ("view", "rows", "mask", "elements") and element == BOOL:
        element = DOUBLE
    dims = [] if kind == "mask" else g.shape()
    depth = int(random.choice([1, 2, 3], p=[0.3, 0.45, 0.25]))
    # what is assigned to a whole tensor has its shape, by itself
    if kind == "elements":
        expression = g.masked(element, depth)
    else:
        expression = (g.whole if kind in ("assign", "mask") else g.expression)(dims, element, depth)
    if expression.op in ("variable", "number"):
        return None
    static = float(random.choice([0.0, 1.0, 0.6], p=[0.4, 0.3, 0.3]))
    target = update = None
    operator = str(random.choice(["=", "+=", "-=", "*="]))
    if kind == "rows":
        if not dims:
            return None
        index = g.variable(INT, [dims[0]], "index", g.dim(8))
        target = g.variable(element, [index.limit] + dims[1:])
        update = Update(operator, rows=index)
    elif kind == "mask":
        own = g.shape(int(random.choice([1, 2, 3])))
        target = g.variable(element, own)
        update = Update(operator, mask=g.whole(own, BOOL, depth))
    elif kind in ("assign", "view"):
        same = [v for v in g.variables if v.role == "data" and v.type == element and (v.dims == dims or static == 0 and len(v.dims) == len(dims))]
        if kind == "assign":
            operator = str(random.choice(["=", "+=", "-=", "*="], p=[0.55, 0.15, 0.15, 0.15]))
            if element == BOOL:
                operator = "="
            target = g.variable(element, dims) if not same or random.random() < 0.4 else same[random.integers(len(same))]
            update = Update(operator)
        else:
            own, items = list(dims), []
            for k, d in enumerate(dims):
                items.append(("all",) if random.random() < 0.4 else g.range_for(d, own, k))
            if not dims:
                return None
            old = [v for v in g.variables if v.role == "data" and v.type == element and v.dims == own]
            target = old[0] if old else g.variable(element, own)
            update = Update(operator, g.shortened(items))
    g.settle(static)
    if kind == "assign" and operator == "=" and static == 0.6:
        target.static = [False] * len(target.dims)
    statement = Statement(g, expression, [], target, update)
    if not statement.variables:
        return None
    text = expression.cpp()
    if kind in ("eval", "elements"):
        statement.groups = [[("eval", f"rc::eval({text})")]]
    elif kind == "fn":
        statement.groups = [traced_ways(expression, statement.variables, random)]
    elif kind == "declare":
        statement.groups = [[("declare", text)]]
    else:
        place = update.place(target.name)
        statement.groups = [[("write", f"{place} {update.operator} {text};")]]
    if not statement.fill(random, count):
        return None
    if kind == "declare":
        # of the result's order; each extent static or dynamic
        shape = statement.cases[0].results[0][0].value.shape
        varies = [any(c.results and c.results[0][0].value.shape[k:k + 1] != shape[k:k + 1] for c in statement.cases) for k in range(len(shape))]
        extents = [str(n) if not v and random.random() < 0.5 else "rc::dyn" for n, v in zip(shape, varies)]
        statement.groups = [[("declare", f"rc::tensor<{', '.join([expression.type] + extents)}>({text})")]]
    return statement
