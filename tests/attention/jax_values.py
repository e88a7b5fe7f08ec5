"""Makes jax_values.hpp: attention and its derivatives by JAX in float64. jax.nn.dot_product_attention computes in float32
within; so the table is of the formula, which is compared with it.

    python3 tests/attention/jax_values.py > tests/attention/jax_values.hpp

Operands are sin(seed + 1.7 k^2), element by element, so that the table holds results alone: of each its sum, its sum
with weights cos(k), and three elements. JAX has places before heads."""
import jax
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import numpy as np


def sample(shape, seed):
    k = np.arange(int(np.prod(shape)), dtype=float)
    return np.sin(seed + 1.7 * k * k).reshape(shape)


def numbers(y):
    y = np.asarray(y).ravel()
    k = np.arange(y.size)
    return [y.size, y.sum(), (y * np.cos(k)).sum(), y[0], y[y.size // 2], y[-1]]


def plain(q, k, v, is_causal=False, mask=None, bias=None, key_value_seq_lengths=None, scale=None):
    s = jnp.einsum("bhmd,bhnd->bhmn", q, k) * (scale or q.shape[-1] ** -0.5)
    m, n = s.shape[-2:]
    s = s if bias is None else s + bias
    seen = jnp.ones((m, n), bool) if mask is None else mask
    if is_causal:
        seen = seen & (jnp.arange(n) <= jnp.arange(m)[:, None])
    if key_value_seq_lengths is not None:
        seen = seen & (jnp.arange(n) < key_value_seq_lengths[:, None, None, None])
    return jnp.einsum("bhmn,bhnd->bhmd", jax.nn.softmax(jnp.where(seen, s, -jnp.inf)), v)


def swapped(x):
    return jnp.swapaxes(x, -3, -2)


#        b  h  m    n    d   kind
cases = [
    (2, 3, 5, 7, 4, "plain"),
    (1, 2, 70, 131, 33, "plain"),
    (1, 1, 1, 1, 1, "plain"),
    (1, 2, 64, 128, 64, "causal"),
    (1, 2, 150, 100, 20, "causal"),
    (1, 2, 65, 257, 16, "causal"),
    (2, 2, 67, 129, 8, "mask"),
    (2, 2, 67, 129, 8, "bias"),
    (2, 2, 66, 66, 8, "bias, causal"),
    (2, 1, 9, 140, 5, "lengths"),
    (1, 1, 130, 3, 40, "scale"),
]
print("// Made by jax_values.py with jax", jax.__version__ + ": do not edit.\n#pragma once\n")
print("struct attention_numbers {\n  double size, sum, weighted, first, middle, last;\n};")
print("struct attention_values {\n  attention_numbers y, by_q, by_k, by_v;\n};\n// clang-format off")
print("inline constexpr attention_values attention_cases[] = {")
for b, h, m, n, d, kind in cases:
    q, k, v = sample((b, h, m, d), 1), sample((b, h, n, d), 2), sample((b, h, n, d), 3)
    options = {}
    if "causal" in kind:
        options["is_causal"] = True
    if "mask" in kind:
        options["mask"] = sample((b, 1, m, n), 5) > 0
    if "bias" in kind:
        options["bias"] = 2 * sample((h, m, n), 5)[None]
    if "lengths" in kind:
        options["key_value_seq_lengths"] = jnp.array([131, 2], jnp.int32)
    if "scale" in kind:
        options["scale"] = 0.25
    f = lambda q, k, v: swapped(jax.nn.dot_product_attention(swapped(q), swapped(k), swapped(v), **options))
    y, back = jax.vjp(lambda q, k, v: plain(q, k, v, **options), q, k, v)
    assert np.allclose(y, f(q, k, v), 0, 2e-6)
    assert y.dtype == np.float64
    grads = back(sample(y.shape, 4))
    rows = ", ".join("{" + ", ".join(repr(float(v)) for v in numbers(a)) + "}" for a in (y, *grads))
    print("    {" + rows + "},")
print("};\n// clang-format on")
