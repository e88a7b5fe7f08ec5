"""Elements of operands. A domain is a name: `any` has all that a type holds, with nan, inf, -0 and denormals; `finite` has no nan and
inf, `moderate` is of numbers that sums and products do not overflow, `small` of few numbers, so that some are equal; a pair is an interval."""
import numpy as np


def elements(rng, name, shape, domain, extents):
    t = np.dtype(name)
    generator = np.random.default_rng(rng.getrandbits(64))
    n = int(np.prod(shape, dtype=np.int64))
    if callable(domain):
        return np.asarray(domain(generator, shape, extents)).astype(t).reshape(shape)
    if t.kind == "b":
        x = generator.integers(0, 2, n).astype(t)
    elif t.kind in "iu":
        x = integers(generator, t, n, domain)
    elif t.kind == "f":
        x = floats(generator, t, n, domain)
    else:
        real = np.dtype("f4" if t.itemsize == 8 else "f8")
        part = "finite complex" if domain in ("any", "finite") else domain
        x = np.empty(n, t)
        x.real, x.imag = floats(generator, real, n, part), floats(generator, real, n, part)
    return x.reshape(shape)


def integers(g, t, n, domain):
    ends = np.iinfo(t)
    if isinstance(domain, tuple):
        low, high = max(ends.min, int(domain[0])), min(ends.max, int(domain[1]))
        return g.integers(low, high, n, dtype=t, endpoint=True)
    near = g.integers(max(ends.min, -5), 6, n, dtype=t)
    if domain == "small":
        return near
    if domain == "moderate":
        return g.integers(max(ends.min, -100), 101, n, dtype=t)
    wide = g.integers(ends.min, ends.max, n, dtype=t, endpoint=True)
    last = g.choice(np.array([ends.min, ends.max, 0, 1], dtype=t), n)
    return np.where(g.random(n) < 0.5, near, np.where(g.random(n) < 0.8, wide, last))


def floats(g, t, n, domain):
    if isinstance(domain, tuple):
        return g.uniform(*domain, n).astype(t)
    if domain == "small":
        return g.integers(-3, 4, n).astype(t)
    if domain == "quarters":
        return (g.integers(-40, 41, n) / 4).astype(t)
    moderate = np.where(g.random(n) < 0.3, g.integers(-9, 10, n), g.normal(0, 2, n)).astype(t)
    if domain in ("moderate", "finite complex"):
        return moderate
    info = np.finfo(t)
    with np.errstate(all="ignore"):
        exponents = g.uniform(info.minexp - info.nmant, info.maxexp, n)
        wide = (np.ldexp(g.uniform(0.5, 1, n), exponents.astype(int)) * g.choice([-1, 1], n)).astype(t)
    wide = np.where(np.isfinite(wide), wide, info.max)
    tiny = info.tiny * t.type(2) ** -info.nmant if t != np.float16 else np.float16(6e-8)
    special = [0.0, -0.0, tiny, -tiny, info.tiny, info.max, info.min, info.eps, 1.0, -1.0, 0.5]
    if domain == "any":
        special += [np.nan, np.inf, -np.inf]
    special = g.choice(np.array(special, dtype=t), n)
    unit = g.uniform(-1, 1, n).astype(t)
    which = g.random(n)
    return np.select([which < 0.4, which < 0.55, which < 0.7], [moderate, unit, wide], special).astype(t)
