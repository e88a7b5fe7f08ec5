"""The same expressions as functions that JAX differentiates."""
import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")
# functions are compiled for one call each (at level 0, JAX 0.10.2 gives a derivative of interp as infinity, which is finite
# at the other levels and where nothing is compiled)
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_backend_optimization_level=1 --xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

from expressions import BOOL, ELEMENTWISE, MOVES, NUMPY, SCANS, UPDATES, moved, positions, resolve_items  # noqa: E402

jax.config.update("jax_enable_x64", True)


def value(node, operands):
    """An expression's value for operands by name."""
    known = {}

    def extents(shape):
        return tuple(e[1] if e[0] == "constant" else operands[e[1]].shape[e[2]] for e in shape)

    def evaluate(x):
        if id(x) not in known:
            known[id(x)] = compute(x)
        return known[id(x)]

    def compute(x):
        op = x.op
        if op == "variable":
            return operands[x.name]
        if op == "number":
            return x.value
        a = [evaluate(y) for y in x.args]
        if op == "array":
            return x.values(jnp, *a)
        if op == "relu":  # with a derivative of 0 at 0
            return jax.nn.relu(a[0])
        if op == "where":
            return jnp.where(a[0], jnp.asarray(a[1], NUMPY[x.type]), jnp.asarray(a[2], NUMPY[x.type]))
        if op in ELEMENTWISE:
            t = x.operand_type()
            return ELEMENTWISE[op].values(jnp, *[jnp.asarray(b).astype(NUMPY[t]) for b in a])
        if op == "softmax":
            return jax.nn.softmax(a[0], axis=tuple(x.axes))
        if op in SCANS:
            return (jnp.cumsum if op == "cumulative_sum" else jnp.cumprod)(a[0], axis=x.axes[0])
        if op == "logsumexp":
            return jax.scipy.special.logsumexp(a[0], axis=x.axes and tuple(x.axes), keepdims=x.keep)
        if op == "norm":
            return jnp.sqrt(jnp.sum(a[0] * a[0], axis=x.axes and tuple(x.axes), keepdims=x.keep))
        if op in ("var", "std"):  # of no elements, JAX gives the NaN of its own functions a derivative of 0
            axes = x.axes and tuple(x.axes)
            rest = a[0] - jnp.mean(a[0], axis=axes, keepdims=True)
            y = jnp.mean(rest * rest, axis=axes, keepdims=x.keep)
            return y if op == "var" else jnp.sqrt(y)
        if op in ("sum", "prod", "max", "min", "mean", "any", "all"):
            return getattr(jnp, op)(a[0], axis=None if x.axes is None else tuple(x.axes), keepdims=x.keep)
        if op == "matmul":
            return jnp.matmul(*a)
        if op == "vecdot":
            return jnp.sum(a[0] * a[1], axis=-1)
        if op == "outer":
            return jnp.outer(*a)
        if op == "cross":
            return jnp.cross(*a)
        if op == "written":
            where = positions(a[0].shape, resolve_items(x.items, a[0].shape))
            old = a[0].reshape(-1)
            new = ELEMENTWISE[UPDATES[x.operator]].values(jnp, old[where], a[1]) if x.operator in UPDATES else a[1]
            return old.at[where].set(jnp.broadcast_to(new, where.shape)).reshape(a[0].shape)
        if op == "astype":
            return a[0].astype(NUMPY[x.type]) if x.type != BOOL else a[0] != 0
        if op == "take":
            return jnp.take(a[0], a[1], axis=x.axis)
        if op in MOVES:
            return moved(x, jnp, a, extents)
        raise KeyError(op)

    return evaluate(node)
