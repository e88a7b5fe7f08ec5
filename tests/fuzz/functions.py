"""Random functions with their derivatives, by JAX in double: forward, backward, second order, batches of each; compiled and
interpreted."""
import numpy as np

import jax
import jax_oracle
import jax.numpy as jnp

from cases import Case, operand, random_shapes
from expressions import BOOL, DOUBLE, Misfit, Node, Undecided, evaluated
from generator import Generator, Variable
from numpy_oracle import Approximate, Evaluation, exact
from statements import possible_errors

LARGEST_MATRIX = 4000  # elements of a hessian or jacobian


class Way:
    """A derivative: its name, the transformed function in C++, its arguments, and JAX's function of all operands, which gives a list of
    arrays; `direct` is another way to write the call, outside of any trace."""

    def __init__(self, name, function, arguments, reference, direct=None):
        self.name, self.function, self.arguments, self.reference, self.direct = name, function, arguments, reference, direct

    def texts(self, random):
        """Compiled, and some interpreted, too."""
        call = f"{self.function}({self.arguments})"
        out = [(self.name, self.direct if self.direct and random.random() < 0.6 else call)]
        if random.random() < 0.4:
            out.append(("interpreted " + self.name, f"rc::interpret({self.function})({self.arguments})"))
        return out


class Function:
    target = update = None

    def __init__(self, generator, variables, groups, references, elements_of, expression):
        self.generator, self.variables, self.groups, self.references = generator, variables, groups, references
        self.elements_of, self.expression = elements_of, expression
        self.cases = []

    @property
    def ways(self):
        return [w for g in self.groups for w in g]

    def fill(self, random, count):
        reference = jax.jit(lambda operands: [r(operands) for r in self.references])
        for k in range(count):
            try:
                case = self.draw(random, k == 0)
                is_number = True
                try:
                    for operands in self.elements_of(case.operands):
                        value = Evaluation(operands, [])(self.expression).value
                        is_number = is_number and not np.isnan(value).any()
                except Misfit as e:
                    if k == 0:
                        return False
                    if e.kind == "index":  # a derivative may need nothing of what an index looks up
                        raise Undecided from e
                    case.errors = possible_errors(e.kind, self.expression)
                if not case.errors:
                    case.results = self.reference(reference, case, is_number)
            except Undecided:
                if k == 0:
                    return False
                continue
            self.cases.append(case)
            if all(all(v.static) for v in self.variables) and k >= 1:
                break
        return True

    def draw(self, random, first):
        g = self.generator
        if first:
            values = g.values
            shapes = {v.name: [evaluated(d, values) for d in v.dims] for v in self.variables}
        else:
            shapes, values = random_shapes(g, [v for v in self.variables if v.role != "tangent"], random)
        operands = {}
        for v in self.variables:
            if v.role == "tangent":
                shapes[v.name] = shapes[v.limit]
            if np.prod(shapes[v.name], dtype=np.int64) > 2000:
                raise Undecided
            if v.role in ("index", "distinct", "ascending"):
                operands[v.name] = operand(v, shapes[v.name], random, limit=evaluated(v.limit, values) if v.limit else 0)
                continue
            x = random.integers(0, 2, shapes[v.name]) if v.type == BOOL else random.uniform(-1.5, 1.5, shapes[v.name])
            operands[v.name] = exact(x, v.type)
        return Case(shapes, [], operands)

    def reference(self, compiled, case, is_number):
        operands = {k: x.value for k, x in case.operands.items()}
        try:
            shapes = jax.eval_shape(compiled, operands)
            if any(s.size > LARGEST_MATRIX for group in shapes for s in group):
                raise Undecided
            results = compiled(operands)
        except (ValueError, TypeError, IndexError) as e:
            # JAX has no extremum of nothing, and no element of it in a batch of nothing
            raise Undecided from e
        return [[near(np.asarray(x), is_number) for x in group] for group in results]


def near(x, is_number):
    """Where the function itself is NaN, as a variance of no elements is, nobody says what its derivatives are: any number will do."""
    finite = np.isfinite(x) & is_number
    largest = np.max(np.abs(x), where=finite, initial=0)
    return Approximate(x, np.where(finite, 1e-8 * largest + 1e-12, np.inf), DOUBLE)


def random_function(seed, count):
    random = np.random.default_rng(seed)
    g = Generator(int(random.integers(1 << 60)), traced=True, smooth=True)
    rank = int(random.choice([0, 1, 2, 3], p=[0.2, 0.4, 0.3, 0.1]))
    dims = [g.dim(5) for _ in range(rank)]
    body = g.expression(dims, DOUBLE, int(random.choice([1, 2, 3, 4], p=[0.1, 0.35, 0.35, 0.2])))
    used = {n.name for n in body.walk() if n.op == "variable"}
    used |= {e[1] for n in body.walk() for e in n.attributes.get("shape", []) if e[0] == "axis"}
    if random.random() < 0.15:  # an argument that is not used
        used.add(g.variable(DOUBLE, [g.dim(4)]).name)
    variables = [v for v in g.variables if v.name in used]
    real = [v for v in variables if v.type == DOUBLE]
    if not real or body.op == "variable":
        return None
    whole = random.choice(["sum", "mean", "square", "tanh"])
    inner = {"sum": body, "mean": body, "square": Node("square", body), "tanh": Node("tanh", body)}[whole]
    loss = Node("mean" if whole in ("mean", "tanh") else "sum", inner, axes=None, keep=False)
    g.settle(float(random.choice([0.0, 1.0, 0.6], p=[0.4, 0.25, 0.35])))
    if random.random() < 0.3:
        item = batched(g, random, variables, real, body, loss)
    else:
        item = plain(g, random, variables, real, body, loss)
    return item if item.fill(random, min(count, 8)) else None


def lambda_of(node, variables, pair=False):
    """`pair`: the first two variables are one argument, a tuple."""
    if pair:
        takes = ", ".join(["auto p"] + ["auto " + v.name for v in variables[2:]])
        a, b, body = variables[0].name, variables[1].name, node.cpp()
        # clang 19 lets no lambda in a constant expression capture a name of a structured binding
        names = f"auto {a} = std::get<0>(p); auto {b} = std::get<1>(p);" if "[&]" in body else f"auto [{a}, {b}] = p;"
        return f"[]({takes}) {{ {names} return {body}; }}"
    return f"[]({', '.join('auto ' + v.name for v in variables)}) {{ return {node.cpp()}; }}"


def listed(names, pair):
    """Arguments of a call."""
    return ", ".join([f"std::tuple({names[0]}, {names[1]})"] + names[2:] if pair else names)


def plain(g, random, variables, real, body, loss):
    pair = len(variables) > 1 and variables[0].type == variables[1].type == DOUBLE and random.random() < 0.2
    names = listed([v.name for v in variables], pair)
    f, l = lambda_of(body, variables, pair), lambda_of(loss, variables, pair)
    positions = {v.name: max(0, k - 1) if pair else k for k, v in enumerate(variables)}
    chosen = [v for v in real if random.random() < 0.7] or [real[0]]
    if pair:
        chosen = variables[:2] + [v for v in chosen if v not in variables[:2]]
    first = variables[0] if variables[0].type == DOUBLE else None
    tangents = []
    for v in real:
        t = Variable("t" + v.name[1:], v.type, v.dims, "tangent", v.name)
        t.static = v.static
        tangents.append(t)

    def at(operands, values, some):
        return {**operands, **dict(zip([v.name for v in some], values))}

    def gradient(operands, some=chosen):
        return list(jax.grad(lambda xs: jax_oracle.value(loss, at(operands, xs, some)))([operands[v.name] for v in some]))

    def pushed(operands, node):
        start = [operands[v.name] for v in real]
        by = [operands[t.name] for t in tangents]
        return list(jax.jvp(lambda *xs: jax_oracle.value(node, at(operands, xs, real)), start, by))

    def pulled(operands):
        y, pull = jax.vjp(lambda *xs: jax_oracle.value(body, at(operands, xs, real)), *[operands[v.name] for v in real])
        return [y, *pull(y)]

    def derivative_by(v, transform, node):
        return lambda operands: [transform(lambda x: jax_oracle.value(node, {**operands, v.name: x}))(operands[v.name])]

    def product_with_hessian(operands):
        gradient_of_first = jax.grad(lambda x: jax_oracle.value(loss, {**operands, first.name: x}))
        return [jax.jvp(gradient_of_first, [operands[first.name]], [operands["t" + first.name[1:]]])[1]]

    def gradient_of_gradient(operands):
        return [jax.grad(lambda x: jnp.sum(jnp.square(jax.grad(lambda y: jax_oracle.value(loss, {**operands, v.name: y}))(x))))(operands[v.name])]

    places = ", ".join(str(n) for n in sorted({positions[v.name] for v in chosen}))
    directions = listed(["t" + v.name[1:] if v.type == DOUBLE else f"rc::zeros_like({v.name})" for v in variables], pair)
    separate = ", ".join(v.name for v in variables)
    takes = ", ".join("auto " + v.name for v in variables)
    takes_both = ", ".join("auto " + v.name for v in variables + tangents)
    both = ", ".join(v.name for v in variables + tangents)
    v = chosen[0]
    place = positions[v.name]
    jvp = f"rc::jvp({f})({names})({directions})"
    vjp = f"auto const vp = rc::vjp({f})({names}); return std::tuple_cat(std::tuple(vp.first), vp.second(vp.first));"
    ways = [
        Way("fn", f"rc::fn({f})", names, lambda o: [jax_oracle.value(body, o)]),
        Way("grad", f"rc::grad<{places}>({l})", names, gradient),
        Way("value_and_grad", f"rc::value_and_grad<{places}>({l})", names, lambda o: [jax_oracle.value(loss, o), *gradient(o)]),
        Way("jvp", f"rc::fn([]({takes_both}) {{ auto const p = {jvp}; return std::tuple(p.first, p.second); }})", both,
            lambda o: pushed(o, body), jvp),
    ]
    if len(real) == len(variables):
        ways.append(Way("vjp", f"rc::fn([]({takes}) {{ {vjp} }})", separate, pulled, f"[&] {{ {vjp} }}()"))
    if pair:  # second derivatives are by one tensor
        names, f, l = separate, lambda_of(body, variables), lambda_of(loss, variables)
        place = 0
    second = [
        Way("jacfwd", f"rc::jacfwd<{place}>({f})", names, derivative_by(v, jax.jacfwd, body)),
        Way("jacrev", f"rc::jacrev<{place}>({f})", names, derivative_by(v, jax.jacrev, body)),
        Way("grad of grad", f"rc::grad<{place}>([]({takes}) {{ return rc::sum(rc::square(rc::grad<{place}>({l})({names}))); }})", names,
            gradient_of_gradient),
    ]
    if first is not None:
        second.append(Way("hessian", f"rc::hessian({l})", names, derivative_by(first, jax.hessian, loss)))
        second.append(Way("hvp", f"rc::hvp({l})", f"{names}, t{first.name[1:]}", product_with_hessian))
    picked = [ways[k] for k in random.choice(len(ways), 2, replace=False)] + [second[random.integers(len(second))]]
    texts = " ".join(w.function + w.arguments for w in picked)
    used = variables + [t for t in tangents if t.name in texts]
    return Function(g, used, [w.texts(random) for w in picked], [w.reference for w in picked], lambda operands: [operands], body)


def batched(g, random, variables, real, body, loss):
    """vmap of the function and of its gradient: some arguments have one more axis."""
    n = g.unknown(5) if len(g.values) < 20 else "3"
    outer, axes = [], []
    for v in variables:
        axis = None if random.random() < 0.3 else int(random.choice([0, 0, len(v.dims), -1]))
        if v is variables[-1] and all(a is None for a in axes):
            axis = 0
        at = len(v.dims) if axis == -1 else axis
        dims = list(v.dims) if axis is None else v.dims[:at] + [n] + v.dims[at:]
        b = Variable(v.name, v.type, dims, v.role, v.limit)
        b.static = list(v.static) if axis is None else v.static[:at] + [bool(random.random() < 0.4)] + v.static[at:]
        outer.append(b)
        axes.append(axis)
    extents_of_batch = {b.static[a] for b, a in zip(outer, axes) if a is not None}
    if len(extents_of_batch) > 1 and random.random() < 0.5:
        for b, a in zip(outer, axes):
            if a is not None:
                b.static[a] = False
    names = ", ".join(v.name for v in variables)
    f, l = lambda_of(body, variables), lambda_of(loss, variables)
    in_axes = f"rc::in_axes<{', '.join('rc::unbatched' if a is None else str(a) for a in axes)}>"
    v = real[int(random.integers(len(real)))]
    place = [x.name for x in variables].index(v.name)
    order = [x.name for x in variables]

    def mapped(one):
        def all_of(operands):
            y = jax.vmap(lambda *xs: one(dict(zip(order, xs))), in_axes=tuple(axes))(*[operands[k] for k in order])
            return [y]

        return all_of

    def gradient(operands):
        return jax.grad(lambda x: jax_oracle.value(loss, {**operands, v.name: x}))(operands[v.name])

    def gradient_of_sum(operands):
        return [jax.grad(lambda x: jnp.sum(mapped(lambda o: jax_oracle.value(loss, o))({**operands, v.name: x})[0]))(operands[v.name])]

    takes = ", ".join("auto " + x.name for x in variables)
    ways = [
        Way("vmap", f"rc::vmap({f}, {in_axes})", names, mapped(lambda o: jax_oracle.value(body, o))),
        Way("vmap of grad", f"rc::vmap(rc::grad<{place}>({l}), {in_axes})", names, mapped(gradient)),
        Way("grad of vmap", f"rc::grad<{place}>([]({takes}) {{ return rc::sum(rc::vmap({l}, {in_axes})({names})); }})", names,
            gradient_of_sum),
    ]
    picked = [ways[k] for k in sorted(random.choice(3, 2, replace=False))]

    def elements_of(operands):
        """The arguments of each element of the batch: one of them may have an index outside."""
        extents = {operands[b.name].value.shape[a] for b, a in zip(outer, axes) if a is not None}
        if len(extents) > 1:
            raise Misfit("shape")
        if 0 in extents:
            raise Undecided
        return [{b.name: operands[b.name] if a is None else exact(np.take(operands[b.name].value, k, axis=a), b.type) for b, a in zip(outer, axes)}
                for k in range(extents.pop())]

    return Function(g, outer, [w.texts(random) for w in picked], [w.reference for w in picked], elements_of, body)
