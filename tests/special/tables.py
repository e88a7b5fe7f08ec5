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


def gamma_below(a, x):  # by the power series, of positive terms
    term = total = mp.mpf(1)
    n = 0
    while term > total * mp.mpf(10) ** -45:
        n += 1
        term *= x / (a + n)
        total += term
    return total * mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1))


def beta_below(a, b, x):  # the same of DLMF 8.17.8
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_below(b, a, 1 - x)
    term = total = mp.mpf(1)
    n = 0
    while term > total * mp.mpf(10) ** -45:
        term *= (a + b + n) / (a + 1 + n) * x
        total += term
        n += 1
    return total * mp.exp(a * mp.log(x) + b * mp.log(1 - x) + mp.loggamma(a + b) - mp.loggamma(a + 1) - mp.loggamma(b))


def gamma_points(n):
    for _ in range(n):
        a = 10 ** own.uniform(-1, 4)
        yield a, max(a + own.gauss(0, 2) * a ** 0.5, a * 10 ** own.uniform(-3, 0))


def beta_points(n, low, high):
    for _ in range(n):
        a, b = 10 ** own.uniform(low, high), 10 ** own.uniform(low, high)
        mean = a / (a + b)
        x = mean + own.gauss(0, 2) * (mean * (1 - mean) / (a + b + 1)) ** 0.5
        if own.random() < 0.3:
            x = 10 ** own.uniform(-9, 0)
        elif own.random() < 0.2:
            x = 1 - 10 ** own.uniform(-9, 0)
        if 0 < x < 1:
            yield a, b, x


own = random.Random(2)  # so that the rows before stay what they are
below, above, gamma_low, gamma_high, beta_low, beta_high = [], [], [], [], [], []
for a, b, x in beta_points(240, -3, 4.5):
    A, B, X = map(mp.mpf, (a, b, x))
    y = beta_below(A, B, X)
    below.append((a, b, x, y))
    if y < 1 - mp.mpf(10) ** -30:
        above.append((a, b, x, 1 - y))
# x where the function is the double p: one step of Newton's from a double behind it
for a, x in gamma_points(120):
    A, X = mp.mpf(a), mp.mpf(x)
    y, density = gamma_below(A, X), mp.exp((A - 1) * mp.log(X) - X - mp.loggamma(A))
    p, q = float(y), float(1 - y)
    if 1e-12 < p < 0.9:
        gamma_low.append((a, p, X + (p - y) / density))
    if 1e-12 < q < 0.9:
        gamma_high.append((a, q, X - (q - (1 - y)) / density))
for a, b, x in beta_points(160, -1, 4):
    A, B, X = map(mp.mpf, (a, b, x))
    y = beta_below(A, B, X)
    density = mp.exp((A - 1) * mp.log(X) + (B - 1) * mp.log(1 - X) + mp.loggamma(A + B) - mp.loggamma(A) - mp.loggamma(B))
    p, q = float(y), float(1 - y)
    if 1e-12 < p < 0.9:
        beta_low.append((a, b, p, X + (p - y) / density))
    if 1e-12 < q < 0.9:
        beta_high.append((a, b, q, X - (q - (1 - y)) / density))

print("// Values of special functions by mpmath: made by tables.py.\n#pragma once\n\nnamespace tables {\n")
print("struct row {\n  double a, b;\n  long double truth;\n};")
print("struct row_of_three {\n  double a, b, c;\n  long double truth;\n};")
print("// clang-format off")


def table(name, rows):
    print(f"inline constexpr row{'_of_three' if len(rows[0]) == 4 else ''} {name}[] = {{")
    for *x, y in rows:
        y = mp.re(y)
        if 1e-305 < abs(y) < 1e305:
            print(f"    {{{', '.join(map(repr, x))}, {mp.nstr(y, 22, min_fixed=0, max_fixed=0)}L}},")
    print("};")


for name, (f, points) in one.items():
    table(name, [(x, 0.0, f(mp.mpf(x))) for x in points])
for name, (f, points) in two.items():
    table(name, [(a, b, f(mp.mpf(a), mp.mpf(b))) for a, b in points])
for name, rows in (("gammaincinv", gamma_low), ("gammainccinv", gamma_high), ("betainc", below), ("betaincc", above),
                   ("betaincinv", beta_low), ("betainccinv", beta_high)):
    table(name, rows)
print("// clang-format on\n\n}  // namespace tables")
