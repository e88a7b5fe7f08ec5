"""References of benchmarks/autodiff that do not come from ricci: writes benchmark_problems.hpp, beside this file.

Each problem is written here once more, number by number, in mpmath with 60 digits; derivatives are central differences
with a step of 1e-20, whose error is about 1e-40. Data are numbers of three decimals.

    python3 -m venv /tmp/v && /tmp/v/bin/pip install mpmath && /tmp/v/bin/python make.py
"""
import pathlib
import random

from mpmath import cos, exp, log, log1p, mp, mpf, sin, sqrt, tanh

mp.dps = 60
STEP = mpf(10) ** -20
random.seed(31337)
lines = []


def draw(n, low=-1.0, high=1.0):
    return [round(random.uniform(low, high), 3) for _ in range(n)]


def write(name, values):
    # what is zero but for the error of the differences is zero
    text = ", ".join(repr(float(v)) if abs(v) > mpf(10) ** -30 else "0" for v in values)
    lines.append(f"inline constexpr double {name}[]{{{text}}};")


def derivative(f, x, k):
    up, down = list(x), list(x)
    up[k] += STEP
    down[k] -= STEP
    a, b = f(up), f(down)
    if isinstance(a, list):
        return [(p - q) / (2 * STEP) for p, q in zip(a, b)]
    return (a - b) / (2 * STEP)


def gradient(f, x):
    return [derivative(f, x, k) for k in range(len(x))]


def problem(name, f, parameters):
    """Writes the parameters, f of them, and its gradient."""
    x = [mpf(p) for p in parameters]
    write(name + "_at", x)
    write(name + "_value", [f(x)])
    write(name + "_gradient", gradient(f, x))


def parts(x, *sizes):
    at, out = 0, []
    for n in sizes:
        out.append(x[at:at + n])
        at += n
    assert at == len(x)
    return out


def lse(x):
    return log(sum(exp(e) for e in x))


# ---- functions of one vector, products ----
problem("sum_of_squares", lambda x: sum(e * e for e in x), draw(7, -3, 3))
problem("log_sum_exp", lse, draw(7, -3, 3))


def sum_of_product(x):
    a, b = parts(x, 12, 8)  # 3 x 4, 4 x 2
    return sum(a[4 * i + k] * b[2 * k + j] for i in range(3) for k in range(4) for j in range(2))


problem("sum_of_product", sum_of_product, draw(20))

data = draw(5 * 3)
signs = [-1, 1, 1, -1, 1]
write("logistic_data", data)
write("logistic_signs", signs)
problem("logistic", lambda w: sum(
    log1p(exp(-signs[i] * sum(mpf(data[3 * i + k]) * w[k] for k in range(3)))) for i in range(5)) / 5, draw(3))

rows = draw(4 * 3)
labels = [0, 1, 1, 0, 0, 1, 1, 0]  # 4 x 2
write("net_data", rows)
write("net_labels", labels)


def net(p):
    w1, b1, w2, b2 = parts(p, 15, 5, 10, 2)  # 3 - 5 - 2
    out = mpf(0)
    for i in range(4):
        h = [tanh(sum(mpf(rows[3 * i + k]) * w1[5 * k + j] for k in range(3)) + b1[j]) for j in range(5)]
        z = [sum(h[k] * w2[2 * k + j] for k in range(5)) + b2[j] for j in range(2)]
        out += lse(z) - sum(labels[2 * i + j] * z[j] for j in range(2))
    return out / 4


problem("net", net, draw(32))

# ---- a mixture of Gaussians: 3 components, 4 points of 3 numbers ----
K, N, D = 3, 4, 3
BELOW = D * (D - 1) // 2
points = draw(N * D)
write("mixture_data", points)
GAMMA, M = 1, 0


def mixture(p):
    alpha, mean, q, l = parts(p, K, K * D, K * D, K * BELOW)
    out = -N * lse(alpha)
    for i in range(N):
        terms = []
        for k in range(K):
            apart = [mpf(points[D * i + j]) - mean[D * k + j] for j in range(D)]
            y = [exp(q[D * k + j]) * apart[j] for j in range(D)]
            at = 0
            for col in range(D):
                for row in range(col + 1, D):
                    y[row] += l[BELOW * k + at] * apart[col]
                    at += 1
            terms.append(alpha[k] + sum(q[D * k:D * k + D]) - sum(e * e for e in y) / 2)
        out += lse(terms)
    for k in range(K):
        frobenius = sum(exp(2 * e) for e in q[D * k:D * k + D]) + sum(e * e for e in l[BELOW * k:BELOW * k + BELOW])
        out -= mpf(GAMMA) ** 2 / 2 * frobenius - M * sum(q[D * k:D * k + D])
    return out


problem("mixture", mixture, draw(K + 2 * K * D + K * BELOW))

# ---- an LSTM: 2 layers of 3 numbers, 5 rows of bits ----
WIDTH, ROWS = 3, 5
bits = [1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 1]
write("lstm_data", bits)


def sigmoid(x):
    return 1 / (1 + exp(-x))


def lstm(p):
    gates, extra, start = parts(p, 2 * 2 * 4 * WIDTH, 3 * WIDTH, 2 * 2 * WIDTH)

    def gate(layer, what, g, j):  # what: 0 weight, 1 bias
        return gates[((layer * 2 + what) * 4 + g) * WIDTH + j]

    hidden = [start[2 * k * WIDTH:(2 * k + 1) * WIDTH] for k in range(2)]
    state = [start[(2 * k + 1) * WIDTH:(2 * k + 2) * WIDTH] for k in range(2)]
    out = mpf(0)
    for t in range(ROWS - 1):
        x = [bits[WIDTH * t + j] * extra[j] for j in range(WIDTH)]
        for k in range(2):
            next_state, next_hidden = [], []
            for j in range(WIDTH):
                f = sigmoid(x[j] * gate(k, 0, 0, j) + gate(k, 1, 0, j))
                i = sigmoid(hidden[k][j] * gate(k, 0, 1, j) + gate(k, 1, 1, j))
                o = sigmoid(x[j] * gate(k, 0, 2, j) + gate(k, 1, 2, j))
                c = tanh(hidden[k][j] * gate(k, 0, 3, j) + gate(k, 1, 3, j))
                next_state.append(state[k][j] * f + i * c)
                next_hidden.append(o * tanh(next_state[j]))
            state[k], hidden[k] = next_state, next_hidden
            x = next_hidden
        y = [x[j] * extra[WIDTH + j] + extra[2 * WIDTH + j] for j in range(WIDTH)]
        normal = log(2 + sum(exp(e) for e in y))
        out += sum(bits[WIDTH * (t + 1) + j] * (y[j] - normal) for j in range(WIDTH))
    return -out / ((ROWS - 1) * WIDTH)


problem("lstm", lstm, draw(2 * 2 * 4 * WIDTH + 3 * WIDTH + 4 * WIDTH))

# ---- bundle adjustment: 2 cameras, 3 points, 5 observations ----
CAMERAS, POINTS, SEEN = 2, 3, 5
cameras = []
for _ in range(CAMERAS):
    cameras += draw(3, 0.1, 0.4) + draw(3) + draw(1, 2, 3) + draw(2, -0.1, 0.1) + draw(2, -0.02, 0.02)
spots = []
for _ in range(POINTS):
    spots += draw(2) + draw(1, 4, 6)
seen = draw(SEEN * 2)
write("bundle_data", seen)


def bundle(p):
    cams, xs, ws = parts(p, 11 * CAMERAS, 3 * POINTS, SEEN)
    errors = []
    for i in range(SEEN):
        c, x, w = cams[11 * (i % CAMERAS):][:11], xs[3 * (i % POINTS):][:3], ws[i]
        r, o = c[:3], [x[k] - c[3 + k] for k in range(3)]
        angle = sqrt(sum(e * e for e in r))
        u = [e / angle for e in r]
        cross = [u[1] * o[2] - u[2] * o[1], u[2] * o[0] - u[0] * o[2], u[0] * o[1] - u[1] * o[0]]
        along = sum(u[k] * o[k] for k in range(3))
        y = [o[k] * cos(angle) + cross[k] * sin(angle) + u[k] * along * (1 - cos(angle)) for k in range(3)]
        v = [y[0] / y[2], y[1] / y[2]]
        square = v[0] ** 2 + v[1] ** 2
        by = 1 + c[9] * square + c[10] * square ** 2
        errors += [w * (v[k] * by * c[6] + c[7 + k] - mpf(seen[2 * i + k])) for k in range(2)]
    return errors + [1 - w * w for w in ws]


at = [mpf(e) for e in cameras + spots + draw(SEEN)]
write("bundle_at", at)
write("bundle_value", bundle(at))
columns = gradient(bundle, at)  # of each parameter, the derivatives of all errors
write("bundle_jacobian", [columns[j][i] for i in range(3 * SEEN) for j in range(len(at))])


# ---- least squares: 9 points, 6 coefficients; a chain of 5 in 4 steps ----
def least_squares(x):
    out = mpf(0)
    for i in range(9):
        t = mpf(-1) + mpf(2) * i / 8
        out += ((t > 0) - (t < 0) - sum(c * t ** j for j, c in enumerate(x))) ** 2
    return out / 2


problem("least_squares", least_squares, draw(6))


def chain(x):
    n, steps = len(x), 4
    h = mpf(2) / steps

    def rate(y):
        return [x[0]] + [x[i] * y[i - 1] for i in range(1, n)]

    y = [mpf(0)] * n
    for _ in range(steps):
        k1 = rate(y)
        k2 = rate([a + h / 2 * b for a, b in zip(y, k1)])
        k3 = rate([a + h / 2 * b for a, b in zip(y, k2)])
        k4 = rate([a + h * b for a, b in zip(y, k3)])
        y = [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(y, k1, k2, k3, k4)]
    return y[-1]


problem("chain", chain, draw(5, 0.5, 2))


# ---- derivatives of derivatives; the inner ones by their formulas ----
def lowest(f, g, x):
    fx, gx, eta, i = f(x), g(x), mpf(1e-5), 0
    while sqrt(sum(e * e for e in gx)) > mpf(1e-5):
        if i == 10:
            eta, i = eta * 2, 0
            continue
        to = [a - eta * b for a, b in zip(x, gx)]
        if sqrt(sum((a - b) ** 2 for a, b in zip(to, x))) <= mpf(1e-5):
            break
        fn = f(to)
        if fn < fx:
            x, fx, gx, i = to, fn, g(to), i + 1
        else:
            eta, i = eta / 2, 0
    return x


def saddle(a, b):
    return a[0] ** 2 + a[1] ** 2 - b[0] ** 2 - b[1] ** 2


def highest(a, start):
    return lowest(lambda b: -saddle(a, b), lambda b: [2 * b[0], 2 * b[1]], start)


def charged(w):
    x, v = [mpf(0), mpf(8)], [mpf(0.75), mpf(0)]
    dt = mpf(1) / 10
    while True:
        a = [mpf(0), mpf(0)]
        for c in ([10, 10 - w[0]], [10, 0]):
            apart = [x[0] - c[0], x[1] - c[1]]
            r = sqrt(apart[0] ** 2 + apart[1] ** 2)
            a = [a[k] + apart[k] / r ** 3 for k in range(2)]
        if x[1] + dt * v[1] <= 0:
            return (x[0] - x[1] / v[1] * v[0]) ** 2
        x, v = [x[k] + dt * v[k] for k in range(2)], [v[k] + dt * a[k] for k in range(2)]


START = [mpf(1), mpf(1)]
mp.dps = 30
STEP = mpf(10) ** -10
problem("height", lambda a: saddle(a, highest(a, START)), [0.8, 0.6])
problem("landing", charged, [0.3])
write("lowest_landing", lowest(lambda w: charged(w), lambda w: gradient(charged, w), [mpf(0)]))
first = lowest(lambda a: saddle(a, highest(a, START)), lambda a: [2 * a[0], 2 * a[1]], [mpf(1), mpf(0.5)])
write("saddle_point", first + highest(first, START))

# ---- hand tracking: 22 bones, 7 vertices, 5 points, each of a vertex or of a triangle; by the suites' definition ----
mp.dps = 60
STEP = mpf(10) ** -20
BONES, VERTICES, TRACKED = 22, 7, 5


def affine(n):
    """n matrices (4, 4) whose last row is 0 0 0 1, one after another."""
    return [e for _ in range(n) for e in draw(12) + [0, 0, 0, 1]]


bases, inverses = affine(BONES), affine(BONES)
corners_of_hand = draw(3 * VERTICES) + [1] * VERTICES
weights = []
for _ in range(VERTICES):
    parts_of_it = draw(BONES, 0.1, 1)
    weights.append([mpf(e) / sum(map(mpf, parts_of_it)) for e in parts_of_it])
seen = draw(3 * TRACKED)
vertex_of = [random.randrange(VERTICES) for _ in range(TRACKED)]
triangle_of = [random.sample(range(VERTICES), 3) for _ in range(TRACKED)]
write("hand_base", bases)
write("hand_inverse", inverses)
write("hand_vertices", corners_of_hand)
write("hand_weights", [weights[v][b] for b in range(BONES) for v in range(VERTICES)])
write("hand_seen", seen)
write("hand_vertex_of", vertex_of)
write("hand_corners", [triangle_of[i][k] for k in range(3) for i in range(TRACKED)])


def product(a, b):
    return [[sum(x * b[k][j] for k, x in enumerate(row)) for j in range(len(b[0]))] for row in a]


def matrices(of):
    return [[[mpf(e) for e in of[16 * b + 4 * i:][:4]] for i in range(4)] for b in range(BONES)]


def turned(x, y, z):
    """By angles about the three axes: R_z R_y R_x."""
    about_x = [[1, 0, 0, 0], [0, cos(x), -sin(x), 0], [0, sin(x), cos(x), 0], [0, 0, 0, 1]]
    about_y = [[cos(y), 0, sin(y), 0], [0, 1, 0, 0], [-sin(y), 0, cos(y), 0], [0, 0, 0, 1]]
    about_z = [[cos(z), -sin(z), 0, 0], [sin(z), cos(z), 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    return product(product(about_z, about_y), about_x)


def places_of_vertices(theta):
    angles = [[mpf(0)] * 3 for _ in range(BONES)]
    for f in range(5):
        of = theta[6 + 4 * f:][:4]
        angles[2 + 4 * f] = [of[0], mpf(0), of[1]]
        angles[3 + 4 * f] = [of[2], mpf(0), mpf(0)]
        angles[4 + 4 * f] = [of[3], mpf(0), mpf(0)]
    absolute = []
    for b in range(BONES):
        relative = product(matrices(bases)[b], turned(*angles[b]))
        parent = b - 1 if b < 2 or (b - 2) % 4 else 1
        absolute.append(product(absolute[parent], relative) if parent >= 0 else relative)
    moves = [product(absolute[b], matrices(inverses)[b]) for b in range(BONES)]
    v = theta[:3]
    angle = sqrt(sum(e * e for e in v))
    x, y, z = [e / angle for e in v]
    c, s = cos(angle), sin(angle)
    turn = [[x * x + (1 - x * x) * c, x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [x * y * (1 - c) + z * s, y * y + (1 - y * y) * c, y * z * (1 - c) - x * s],
            [x * z * (1 - c) - y * s, z * y * (1 - c) + x * s, z * z + (1 - z * z) * c]]
    out = []
    for k in range(VERTICES):
        rest = [[mpf(corners_of_hand[VERTICES * i + k])] for i in range(4)]
        moved = [product(m, rest) for m in moves]
        at = [[sum(weights[k][b] * moved[b][i][0] for b in range(BONES))] for i in range(3)]
        out.append([product(turn, at)[i][0] + theta[3 + i] for i in range(3)])
    return out


def hand(theta):
    at = places_of_vertices(theta)
    return [mpf(seen[TRACKED * j + i]) - at[vertex_of[i]][j] for j in range(3) for i in range(TRACKED)]


def hand_by_triangles(theta, u):
    at, out = places_of_vertices(theta), []
    for j in range(3):
        for i in range(TRACKED):
            first, second, third = (at[k][j] for k in triangle_of[i])
            a, b = u[i], u[TRACKED + i]
            out.append(mpf(seen[TRACKED * j + i]) - (a * first + b * second + (1 - a - b) * third))
    return out


theta = [mpf(e) for e in draw(26)]
places = [mpf(e) for e in draw(2 * TRACKED, 0.1, 0.4)]
write("hand_at", theta)
write("hand_places", places)
write("hand_value", hand(theta))
write("hand_jacobian", [e for column in gradient(hand, theta) for e in column])
write("hand_by_triangles_value", hand_by_triangles(theta, places))
write("hand_by_triangles_jacobian",
      [e for column in gradient(lambda t: hand_by_triangles(t, places), theta) for e in column])
# columns by the places, of which those of different points share no rows: added up
columns = gradient(lambda u: hand_by_triangles(theta, u), places)
write("hand_by_places",
      [sum(columns[TRACKED * k + i][row] for i in range(TRACKED)) for k in range(2) for row in range(3 * TRACKED)])

# ---- what tests/autodiff/levels.cpp computes at every level of optimisation ----
def walk(x):
    at = [mpf(e) for e in (0.3, -0.7, 1.1, -0.2, 0.9)]
    h = []
    for i in range(5):
        row = [at[(2 * i + 3 * j) % 5] - mpf("0.1") * i for j in range(5)]
        h.append(tanh(sum(a * b for a, b in zip(row, x))) / sqrt(1 + x[i] ** 2))
    s, out = mpf(1), mpf(0)
    for e in h:
        s = s * exp(-e) if e > 0 else s + sin(e)
        out += s * e
    return s * s + out


start = [mpf(e) for e in (0.3, -0.7, 1.1, -0.2, 0.9)]
write("walk_gradient", gradient(walk, start))
STEP = mpf(10) ** -15
write("walk_hvp", derivative(lambda t: gradient(walk, [a + t[0] * a for a in start]), [mpf(0)], 0))

header = '''// Made by make.py, beside this file: data and derivatives of the problems of benchmarks/autodiff.
#pragma once

// clang-format off
namespace reference {

'''
path = pathlib.Path(__file__).with_name("benchmark_problems.hpp")
path.write_text(header + "\n".join(lines) + "\n\n}  // namespace reference\n")
