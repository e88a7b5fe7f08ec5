# Makes tables.hpp: values of special functions by mpmath, at the doubles that stand there.
#   python3 tables.py > tables.hpp
import random
import mpmath as mp

mp.mp.dps = 60
rng = random.Random(1)


def between(low, high, n):
    return [rng.uniform(low, high) for _ in range(n)]


def scales(low, high, n):
    return [10 ** rng.uniform(low, high) for _ in range(n)]


def ndtri(p):
    p = mp.mpf(p)
    q = min(p, 1 - p)
    z = -mp.sqrt(2) * mp.erfinv(1 - 2 * q) if q > mp.mpf(10) ** -40 else -mp.findroot(
        lambda u: mp.log(mp.erfc(u / mp.sqrt(2)) / 2) - mp.log(q), mp.sqrt(-2 * mp.log(q)))
    return z if p == q else -z


root2 = mp.sqrt(2)
one = {
    "digamma": (mp.digamma, between(1e-3, 3, 60) + scales(-9, 12, 60) + [1.46163214496836, 1.4616321449683622]),
    "gammaln": (mp.loggamma, between(0.01, 4, 40) + scales(-9, 12, 40)),
    "gamma": (mp.gamma, between(0.01, 5, 40) + between(5, 170, 40)),
    "erfc": (mp.erfc, between(-5, 26, 60)),
    "erfcx": (lambda x: mp.exp(mp.mpf(x) ** 2) * mp.erfc(x), between(-26, 30, 80) + scales(0, 20, 20)),
    "ndtr": (lambda x: mp.erfc(-mp.mpf(x) / root2) / 2, between(-37, 8, 80)),
    "log_ndtr": (lambda x: mp.log1p(-mp.erfc(mp.mpf(x) / root2) / 2) if x > 0 else mp.log(mp.erfc(-mp.mpf(x) / root2) / 2), between(-40, 20, 60) + between(-2, 2, 40)),
    "ndtri": (ndtri, between(0.001, 0.999, 60) + scales(-300, -3, 60)),
    "erfinv": (lambda x: ndtri((1 + mp.mpf(x)) / 2) / root2, between(-1, 1, 80) + scales(-20, -1, 30)),
    "erfcinv": (lambda x: -ndtri(mp.mpf(x) / 2) / root2, between(0.01, 0.9, 60) + scales(-300, -3, 40)),
    "i0": (lambda x: mp.besseli(0, x), between(-700, 700, 60) + between(-30, 30, 60)),
    "i1": (lambda x: mp.besseli(1, x), between(-700, 700, 60) + between(-30, 30, 60)),
    "i0e": (lambda x: mp.besseli(0, x) * mp.exp(-abs(mp.mpf(x))), between(-30, 30, 60) + scales(0, 4, 40)),
    "i1e": (lambda x: mp.besseli(1, x) * mp.exp(-abs(mp.mpf(x))), between(-30, 30, 60) + scales(0, 4, 40)),
    "k0": (lambda x: mp.besselk(0, x), between(0.01, 3, 60) + between(3, 600, 60)),
    "k1": (lambda x: mp.besselk(1, x), between(0.01, 3, 60) + between(3, 600, 60)),
    "k0e": (lambda x: mp.besselk(0, x) * mp.exp(x), between(0.01, 30, 60) + scales(0, 4, 40)),
    "k1e": (lambda x: mp.besselk(1, x) * mp.exp(x), between(0.01, 30, 60) + scales(0, 4, 40)),
    "ellipk": (mp.ellipk, between(-1, 1, 60) + [-x for x in scales(0, 8, 20)] + [1 - x for x in scales(-14, -1, 20)]),
    "ellipe": (mp.ellipe, between(-1, 1, 60) + [-x for x in scales(0, 8, 20)] + [1 - x for x in scales(-14, -1, 20)]),
    "lambertw0": (mp.lambertw, between(-0.3678, 1, 60) + scales(-9, 200, 60)),
    "lambertw1": (lambda x: mp.lambertw(x, -1).real, between(-0.3678, 0, 60) + [-x for x in scales(-200, -1, 60)]),
    "zeta1": (mp.zeta, between(1.01, 20, 60) + between(0, 0.99, 20)),
}
two = {
    "zeta": (lambda s, q: mp.zeta(s, q), list(zip(scales(0.1, 1.3, 60), scales(-2, 2, 60)))),
    "betaln": (lambda a, b: mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(mp.mpf(a) + mp.mpf(b)),
               list(zip(scales(-3, 8, 80), scales(-3, 8, 80)))),
    "beta": (lambda a, b: mp.beta(a, b), list(zip(scales(-3, 1.9, 80), scales(-3, 1.9, 80)))),
    "gammainc": (lambda a, x: mp.gammainc(a, 0, x, regularized=True), list(zip(scales(-2, 2.5, 80), scales(-2, 2.5, 80)))),
    "gammaincc": (lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True), list(zip(scales(-2, 2, 80), scales(-2, 2, 80)))),
}
print("// Values of special functions by mpmath: made by tables.py.\n#pragma once\n\nnamespace tables {\n")
print("struct row {\n  double a, b;\n  long double truth;\n};")
print("// clang-format off")


def table(name, rows):
    print(f"inline constexpr row {name}[] = {{")
    for a, b, y in rows:
        y = mp.re(y)
        if 1e-305 < abs(y) < 1e305:
            print(f"    {{{a!r}, {b!r}, {mp.nstr(y, 22, min_fixed=0, max_fixed=0)}L}},")
    print("};")


for name, (f, points) in one.items():
    table(name, [(x, 0.0, f(mp.mpf(x))) for x in points])
for name, (f, points) in two.items():
    table(name, [(a, b, f(mp.mpf(a), mp.mpf(b))) for a, b in points])
print("// clang-format on\n\n}  // namespace tables")
