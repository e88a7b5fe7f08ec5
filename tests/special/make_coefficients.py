# The tables of numbers in include/ricci/special: python3 make_coefficients.py (mpmath).
import mpmath as mp

mp.mp.dps = 60
root = mp.findroot(mp.digamma, mp.mpf("1.4616321449683623"))
high = mp.mpf(float(root))
print("digamma: its positive zero", mp.nstr(root, 40), "=", float(root).hex(), "+", mp.nstr(root - high, 20))
print("digamma: Taylor coefficients there, from the first on")
print([mp.nstr(mp.polygamma(k, root) / mp.factorial(k), 20) for k in range(1, 26)])

# lambertw: w(p) with w exp(w) = (p^2 / 2 - 1) / e, w(0) = -1: 1 + w = sum m[k] p^k, by reversion of
# p^2 / 2 = 1 + (v - 1) exp(v) = sum v^k / (k (k - 2)!)
terms = 22
square = [mp.mpf(0)] * (terms + 2)
for k in range(2, terms + 2):
    square[k] = 2 / (k * mp.factorial(k - 2))  # p^2 as a series in v
m = [mp.mpf(0)] * (terms + 1)
m[1] = mp.mpf(1)
for n in range(2, terms + 1):  # the coefficient of p^(n + 1) in the sum of square[k] v^k vanishes
    def residual(c):
        m[n] = c
        total, power = mp.mpf(0), [mp.mpf(1)] + [mp.mpf(0)] * (n + 1)
        for k in range(1, n + 2):
            power = [sum(power[i] * m[j - i] for i in range(j + 1) if j - i <= n) for j in range(n + 2)]
            total += square[k] * power[n + 1]
        return total
    zero, one = residual(mp.mpf(0)), residual(mp.mpf(1))
    m[n] = -zero / (one - zero)
print("lambertw:", [mp.nstr(c, 20) for c in m[1:]])
print("zeta: B(2k) / (2k)!", [mp.nstr(mp.bernoulli(2 * k) / mp.factorial(2 * k), 20) for k in range(1, 13)])
print("1 / sqrt(2):", float(1 / mp.sqrt(2)).hex(), mp.nstr(1 / mp.sqrt(2) - mp.mpf(float(1 / mp.sqrt(2))), 20))
print("e:", mp.nstr(mp.e - mp.mpf(float(mp.e)), 20))
