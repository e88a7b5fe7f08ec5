"""Extents and elements for an expression's operands: such that go together, such that broadcast only at run time, and such that do
not go together at all, of which the library has to say so."""
import numpy as np

from expressions import BOOL, INT, Undecided, evaluated, is_floating
from numpy_oracle import exact

ELEMENTS = 4000  # the most an operand has


class Case:
    def __init__(self, shapes, numbers, operands):
        self.shapes, self.numbers, self.operands = shapes, numbers, operands
        self.errors, self.results = 0, []


def operand(variable, shape, random, special=False, limit=1):
    """Elements that are exact in their type: eighths, small integers, conditions, positions on an axis."""
    if random is None:
        return exact(np.zeros(shape), variable.type)
    if variable.role == "index":
        return exact(random.integers(-limit, limit, shape) if limit else np.zeros(shape), variable.type)
    if variable.role == "distinct":  # positions of which no two are the same
        n = int(np.prod(shape))
        if n > limit:
            raise Undecided
        return exact((random.permutation(limit)[:n] - limit * random.integers(0, 2, n)).reshape(shape), variable.type)
    if variable.role == "count":
        return exact(random.integers(0, limit, shape) if limit else np.zeros(shape), variable.type)
    if variable.role == "ascending":  # along every axis
        steps = random.integers(1, 9, shape).reshape(-1)
        x = (np.cumsum(steps) - random.integers(0, 1 + steps.sum())).reshape(shape)
        return exact(x / 8 if is_floating(variable.type) else x, variable.type)
    if is_floating(variable.type):
        if random.random() < 0.5:
            x = random.integers(-16, 17, shape) / 8
        else:
            x = random.uniform(-2, 2, shape).astype(np.float32)
        x = np.asarray(x, dtype=np.float64)
        if special and x.size:
            flat = x.reshape(-1)
            flat[random.integers(0, flat.size, 1 + flat.size // 4)] = random.choice([np.inf, -np.inf, np.nan, -0.0])
    elif variable.type == BOOL:
        x = random.integers(0, 2, shape)
    else:
        x = np.asarray(random.integers(-4, 8, shape))
        if special and x.size and variable.type == INT:
            flat = x.reshape(-1)
            flat[random.integers(0, flat.size, 1 + flat.size // 4)] = random.choice([-(2**31), 2**31 - 1, -1])
    return exact(x, variable.type)


def extent(random):
    """A third is 0 or 1."""
    if random.random() < 1 / 3:
        return int(random.integers(0, 2))
    return int(random.choice([2, 3, 4, 5, 7, 8, 16, 17], p=[0.2, 0.2, 0.15, 0.15, 0.1, 0.1, 0.05, 0.05]))


def random_shapes(generator, variables, random):
    """Extents for every variable, and the values of the unknowns behind them."""
    pinned = generator.pinned(variables)
    values = dict(generator.values)
    if random.random() < 0.8:
        for k in values:
            if k not in pinned and random.random() < 0.8:
                values[k] = extent(random)
    shapes = {v.name: [evaluated(d, values) for d in v.dims] for v in variables}
    open_axes = [(v, k) for v in variables for k in range(len(v.dims)) if not v.static[k] and not v.names[k]]
    if open_axes:
        for _ in range(random.choice([0, 0, 1, 1, 2, 3])):  # extents that turn out to be 1
            v, k = open_axes[random.integers(len(open_axes))]
            shapes[v.name][k] = 1
        if random.random() < 0.2:  # one that probably does not go together with the others
            v, k = open_axes[random.integers(len(open_axes))]
            shapes[v.name][k] = int(random.choice([0, 2, 3, 4, 5]))
    return shapes, values


def random_case(generator, variables, random, special, first):
    if first:
        values = generator.values
        shapes = {v.name: [evaluated(d, values) for d in v.dims] for v in variables}
    else:
        shapes, values = random_shapes(generator, variables, random)
    if any(np.prod(s, dtype=np.int64) > ELEMENTS for s in shapes.values()):
        raise Undecided
    operands = {v.name: operand(v, shapes[v.name], random, special, evaluated(v.limit, values) if v.limit else 0) for v in variables}
    return Case(shapes, [evaluated(d, values) for d in generator.numbers], operands)
