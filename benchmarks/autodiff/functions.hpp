// The problems as functions of ricci's, apart from how they are timed: so the test compares the very functions of the
// table with references at small sizes (tests/autodiff/benchmark_*.cpp). Definitions are those of the ADBench and
// GradBench suites and of the usual small ones.
#pragma once

#include <array>
#include <ricci/ricci.hpp>
#include <tuple>

namespace bench {

namespace rc = ricci;

inline constexpr auto sum_of_squares = [](auto x) { return rc::sum(x * x); };
inline constexpr auto log_sum_exp = [](auto x) { return rc::log(rc::sum(rc::exp(x), rc::axis<0>)); };

inline constexpr auto sum_of_product = [](auto a, auto b) { return rc::sum(rc::matmul(a, b)); };
// labels y are -1 or 1
inline constexpr auto logistic = [](auto w, auto x, auto y) {
  return rc::mean(rc::log1p(rc::exp(-(y * rc::matmul(x, w)))));
};
// labels y are rows with a single 1
inline constexpr auto net = [](auto w1, auto b1, auto w2, auto b2, auto x, auto y) {
  auto const h = rc::tanh(rc::matmul(x, w1) + b1);
  auto const z = rc::matmul(h, w2) + b2;
  return rc::mean(rc::log(rc::sum(rc::exp(z), rc::axis<1>)) - rc::sum(y * z, rc::axis<1>));
};

// ---- a mixture of Gaussians (ADBench's first problem, with GradBench's corrections) ----
// The logarithm of the likelihood of points of D numbers, and a Wishart prior. Of each component there are a weight
// alpha, a mean, and the factor Q of its inverse covariance, lower triangular: logarithms q of its diagonal, and l
// below it, column by column. Terms without parameters are left out.
inline constexpr double gamma_of_prior = 1, m_of_prior = 0;
// where element (i, j) of Q lies in l, and whether it does
template <int D>
inline constexpr auto place = [] {
  rc::tensor<int, D, D> at;
  for (int j = 0, p = 0; j < D; ++j)
    for (int i = j + 1; i < D; ++i) at(i, j) = p++;
  return at;
}();
template <int D>
inline constexpr auto is_below = [] {
  rc::tensor<double, D, D> at;
  for (int j = 0; j < D; ++j)
    for (int i = j + 1; i < D; ++i) at(i, j) = 1;
  return at;
}();
template <int D, int N>
inline constexpr auto likelihood = [](auto alpha, auto mean, auto q, auto l, auto x) {
  auto const diagonal = rc::exp(q);
  auto const sums = rc::sum(q, rc::axis<1>);
  auto const factor = rc::take(l, place<D>, rc::axis<1>) * is_below<D> +
                      diagonal(rc::all, rc::newaxis, rc::all) * rc::eye<double>(rc::extents<D, D>{});
  auto const apart = x(rc::newaxis, rc::all, rc::all) - mean(rc::all, rc::newaxis, rc::all);
  auto const y = rc::matmul(apart, rc::permute_dims(factor, rc::axis<0, 2, 1>));
  auto const each = (alpha + sums)(rc::all, rc::newaxis) - 0.5 * rc::sum(y * y, rc::axis<2>);
  auto const prior = 0.5 * gamma_of_prior * gamma_of_prior * (rc::sum(diagonal * diagonal) + rc::sum(l * l)) -
                     m_of_prior * rc::sum(sums);
  return rc::sum(log_sum_exp(each)) - double(N) * log_sum_exp(alpha) - prior;
};

// ---- an LSTM with diagonal gates, two layers (ADBench's third problem) ----
// gates: forget, in, out, change
inline constexpr auto cell = [](auto weight, auto bias, auto hidden, auto state, auto input) {
  auto const forget = rc::sigmoid(input * weight(0) + bias(0)), in = rc::sigmoid(hidden * weight(1) + bias(1)),
             out = rc::sigmoid(input * weight(2) + bias(2)), change = rc::tanh(hidden * weight(3) + bias(3));
  auto const next = state * forget + in * change;
  return std::pair(out * rc::tanh(next), next);
};
template <int Steps>
inline constexpr auto lstm = [](auto gates, auto extra, auto start, auto bits) {
  auto const step = [=](auto carry, auto x) {
    auto [h0, s0, h1, s1] = carry;
    auto [below, state] = cell(gates(0, 0), gates(0, 1), h0, s0, x * extra(0));
    auto [above, upper] = cell(gates(1, 0), gates(1, 1), h1, s1, below);
    return std::pair(std::tuple(below, state, above, upper), above);
  };
  auto const first = std::tuple(start(0, 0), start(0, 1), start(1, 0), start(1, 1));
  auto const above = std::get<1>(rc::scan(step, first, bits(rc::range<0, Steps - 1>(), rc::all)));
  auto const y = above * extra(1) + extra(2);
  auto const normal = y - rc::log(2. + rc::sum(rc::exp(y), rc::axis<1>, rc::keepdims));
  return -rc::mean(bits(rc::range<1, Steps>(), rc::all) * normal);
};

// ---- bundle adjustment (ADBench's second problem) ----
// Points that cameras saw: errors of where they are seen, (p, 2), times weights w, and 1 - w^2. A camera is a rotation
// vector (which is not zero), its centre, focal length, principal point (2), radial distortion (2). All of one tuple,
// by which it is derived.
// of cameras (11, p) and points (3, p): numbers of one kind lie side by side
inline constexpr auto errors_of_each = [](auto camera, auto point, auto w, auto seen) {
  auto const of = [&](auto i) { return camera(i); };
  auto const r0 = of(0), r1 = of(1), r2 = of(2);
  auto const o0 = point(0) - of(3), o1 = point(1) - of(4), o2 = point(2) - of(5);
  auto const angle = rc::sqrt(r0 * r0 + r1 * r1 + r2 * r2);
  auto const c = rc::cos(angle), s = rc::sin(angle), inverse = 1. / angle;
  auto const u0 = r0 * inverse, u1 = r1 * inverse, u2 = r2 * inverse;
  auto const along = (u0 * o0 + u1 * o1 + u2 * o2) * (1. - c);
  auto const depth = 1. / (o2 * c + (u0 * o1 - u1 * o0) * s + u2 * along);
  auto const x = (o0 * c + (u1 * o2 - u2 * o1) * s + u0 * along) * depth;
  auto const y = (o1 * c + (u2 * o0 - u0 * o2) * s + u1 * along) * depth;
  auto const square = x * x + y * y;
  auto const by = (1. + of(9) * square + of(10) * square * square) * of(6);
  auto const error =
      rc::stack(w * (x * by + of(7) - seen(rc::all, 0)), w * (y * by + of(8) - seen(rc::all, 1)), rc::axis<1>);
  return std::pair(error, 1. - w * w);
};
inline constexpr auto reprojection = [](auto parameters, auto camera_of, auto point_of, auto seen) {
  auto const [cameras, points, w] = parameters;
  return errors_of_each(rc::take(cameras.T(), camera_of, rc::axis<1>), rc::take(points.T(), point_of, rc::axis<1>), w,
                        seen);
};
// The same of parameters that have been gathered, a camera and a point for each observation, (11, p) and (3, p). The
// jacobian has the same elements in the same rows, but observations share no columns: it takes a few derivatives in
// reverse mode.
inline constexpr auto gathered_reprojection = [](auto parameters, auto seen) {
  auto const [camera, point, w] = parameters;
  return errors_of_each(camera, point, w, seen);
};

// ---- hand tracking (ADBench's fourth problem) ----
// How far points that a camera saw lie from the places of a hand's surface that they belong to. Of 22 bones 0 and 1 are
// the forearm and the wrist; finger f has bones 2 + 4 f to 5 + 4 f, each the parent of the next one, the wrist that of
// the first. A pose is the tuple of a rotation vector (which is not zero), a translation, and for each of the five
// fingers how far its first bone is bent, how far it is spread, and how far the second and the third are bent: 26
// numbers. So the jacobian by it is of blocks: of a finger's angles only its bones know.
//
// A model is how each bone stands to its parent at rest, and its skin: the vertices as the bone sees them at rest,
// times the weights by which it moves them, four rows for each bone.
inline constexpr int bones = 22, fingers = 5, phalanges = 4;
// of the inverse of where bones are at rest (22, 4, 4), of vertices (4, n), whose last coordinate is 1, and of weights
// (22, n)
inline constexpr auto skin_of = [](auto inverse, auto vertices, auto weights) {
  auto const each = rc::matmul(inverse, vertices) * weights(rc::all, rc::newaxis);
  return rc::reshape(each, rc::shape(4 * bones, vertices.shape(1)));
};

// a turn by an angle about an axis, as a matrix: c cos + s sin + rest
inline constexpr auto bent = [](auto angle) {  // about the first axis
  return rc::cos(angle) * rc::tensor<double, 4, 4>{{0, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}} +
         rc::sin(angle) * rc::tensor<double, 4, 4>{{0, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}} +
         rc::tensor<double, 4, 4>{{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}};
};
inline constexpr auto spread = [](auto angle) {  // about the third one
  return rc::cos(angle) * rc::tensor<double, 4, 4>{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}} +
         rc::sin(angle) * rc::tensor<double, 4, 4>{{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}} +
         rc::tensor<double, 4, 4>{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
};
// by Rodrigues' formula, (3, 3)
inline constexpr auto rotation_by = [](auto v) {
  auto const angle = rc::sqrt(rc::sum(v * v));
  auto const u = v / angle;
  rc::tensor<double, 9, 3> const crossed{{0, 0, 0},  {0, 0, -1}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0},
                                         {-1, 0, 0}, {0, -1, 0}, {1, 0, 0}, {0, 0, 0}};
  return rc::cos(angle) * rc::eye<double>(rc::extents<3, 3>{}) +
         rc::sin(angle) * rc::reshape(rc::matmul(crossed, u), rc::extents<3, 3>{}) +
         (1. - rc::cos(angle)) * (u(rc::all, rc::newaxis) * u(rc::newaxis));
};
// What the bones of a part do to the vertices, (3, n): those of the palm, and of a finger
inline constexpr auto moved = [](auto frames, int bone, int count, auto skin) {
  return rc::matmul(frames, skin(rc::range(4 * bone, 4 * (bone + count))));
};
inline constexpr auto palm = [](auto base, auto skin) {
  auto const root = base(0)(rc::range<0, 3>());
  return moved(rc::concat(root, rc::matmul(root, base(1)), rc::axis<1>), 0, 2, skin);
};
inline constexpr auto finger = [](int which, auto angle, auto base, auto skin) {
  int const first = 2 + phalanges * which;
  auto const wrist = rc::matmul(base(0)(rc::range<0, 3>()), base(1));
  auto const a = rc::matmul(rc::matmul(wrist, base(first)), rc::matmul(spread(angle(1)), bent(angle(0))));
  auto const b = rc::matmul(rc::matmul(a, base(first + 1)), bent(angle(2)));
  auto const c = rc::matmul(rc::matmul(b, base(first + 2)), bent(angle(3)));
  auto const d = rc::matmul(c, base(first + 3));
  return moved(rc::concat(a, b, c, d, rc::axis<1>), first, phalanges, skin);
};
inline constexpr auto parts_of = [](auto angles, auto base, auto skin) {
  auto const of = [&](int k) { return finger(k, angles[std::size_t(k)], base, skin); };
  return std::array{palm(base, skin), of(0), of(1), of(2), of(3), of(4)};
};
// of points (3, k) to places (3, k) of the hand that is turned and shifted
inline constexpr auto apart = [](auto points, auto places, auto rotation, auto translation) {
  auto const turn = rotation_by(rotation);
  auto const along = [&](int k) { return turn(rc::all, k)(rc::all, rc::newaxis) * places(k); };
  return points - translation(rc::all, rc::newaxis) - (along(0) + along(1) + along(2));
};
// where points are on a hand of such parts: each belongs to a vertex
inline constexpr auto at_vertices = [](auto vertices, auto vertex_of) {
  return rc::take(vertices, vertex_of, rc::axis<1>);
};
// the complicated one: each belongs to a place of a triangle, u (2, k) of the way to its first two corners (3, k)
inline constexpr auto at_triangles = [](auto vertices, auto u, auto corners) {
  auto const corner = [&](int k) { return rc::take(vertices, corners(k), rc::axis<1>); };
  return u(0) * corner(0) + u(1) * corner(1) + (1. - u(0) - u(1)) * corner(2);
};

// The columns of a jacobian, (n, 3, k): forward derivatives in the direction of each element of x.
inline constexpr auto columns = [](auto f, auto x) {
  constexpr int n = int(decltype(x)::extents::extent(0));
  auto const along = [=](auto t) { return rc::jvp(f)(x)(t).second; };
  return rc::vmap(along)(rc::eye<double>(rc::extents<n, n>{}, rc::like(x)));
};
// The errors and their jacobian by a pose, (26, 3, k), one leaf after another. `place` says of vertices where points
// are. That errors are of parts, of which a finger's angles know one, is all that is told of their structure.
inline constexpr auto errors_and_columns = [](auto place, auto pose, auto base, auto skin, auto points) {
  auto const rotation = std::get<0>(pose), translation = std::get<1>(pose);
  auto const angles = std::get<2>(pose);
  auto const parts = parts_of(angles, base, skin);
  auto const errors = [=](auto turn, auto shift, auto of) {
    return apart(points, place(of[0] + of[1] + of[2] + of[3] + of[4] + of[5]), turn, shift);
  };
  auto const by_angles = [&](int k) {
    auto const bent_finger = [=](auto angle) {
      auto all = parts;
      all[std::size_t(k + 1)] = finger(k, angle, base, skin);
      return errors(rotation, translation, all);
    };
    return columns(bent_finger, angles[std::size_t(k)]);
  };
  return std::pair(errors(rotation, translation, parts),
                   rc::concat(columns([=](auto x) { return errors(x, translation, parts); }, rotation),
                              columns([=](auto x) { return errors(rotation, x, parts); }, translation), by_angles(0),
                              by_angles(1), by_angles(2), by_angles(3), by_angles(4), rc::axis<0>));
};
inline constexpr auto jacobian_of_tracked = [](auto pose, auto base, auto skin, auto vertex_of, auto points) {
  return errors_and_columns([=](auto vertices) { return at_vertices(vertices, vertex_of); }, pose, base, skin, points);
};
// and by u two columns (2, 3, k), since those of different points share no rows: one derivative finds them all
inline constexpr auto jacobian_by_triangles = [](auto pose, auto u, auto base, auto skin, auto corners, auto points) {
  auto const [errors, by_pose] =
      errors_and_columns([=](auto vertices) { return at_triangles(vertices, u, corners); }, pose, base, skin, points);
  auto const of = parts_of(std::get<2>(pose), base, skin);
  auto const all = of[0] + of[1] + of[2] + of[3] + of[4] + of[5];
  auto const of_places = [=](auto v) {
    return apart(points, at_triangles(all, v, corners), std::get<0>(pose), std::get<1>(pose));
  };
  auto const by = [&](int k) {
    auto direction = rc::zeros_like(u);
    direction(k) = 1.;
    return rc::jvp(of_places)(u)(direction).second;
  };
  return std::tuple(errors, by_pose, rc::stack(by(0), by(1), rc::axis<0>));
};

// ---- least squares (GradBench's llsq): a polynomial for the sign of N points of [-1, 1], by its coefficients ----
template <int N>
inline constexpr auto least_squares = [](auto x) {
  auto const t = rc::linspace<double>(-1, 1, N, rc::like(x));
  auto const horner = [=](auto p, auto c) { return std::pair(p * t + c, std::tuple{}); };
  auto const p = std::get<0>(rc::scan(horner, 0. * t, rc::flip(x, rc::axis<0>), rc::unroll<8>));
  return 0.5 * rc::sum(rc::square(rc::sign(t) - p));
};

// ---- an equation of motion (GradBench's ode) ----
// y_0' = x_0, y_i' = x_i y_(i-1) from 0 over a time of 2, in Steps steps of RK4: the last of y.
template <int Steps>
inline constexpr auto last_of_chain = [](auto x) {
  constexpr double h = 2. / Steps;
  auto const n = x.shape(0);
  auto const rate = [=](auto y) { return rc::concat(x(rc::range(0, 1)), x(rc::range(1, n)) * y(rc::range(0, n - 1))); };
  auto const step = [=](auto, auto y) {
    auto const k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
    return y + h / 6 * (k1 + 2. * k2 + 2. * k3 + k4);
  };
  return rc::fori_loop(0, Steps, step, rc::zeros_like(x))(n - 1);
};

// ---- derivatives of derivatives (GradBench's saddle and particle) ----
inline constexpr auto saddle = [](auto x1, auto y1, auto x2, auto y2) {
  return (x1 * x1 + y1 * y1) - (x2 * x2 + y2 * y2);
};
// The steps of descent that GradBench prescribes, for -saddle by its last two arguments: eta doubles after ten that
// led down, and is halved by one that did not.
inline constexpr auto highest = [](auto x1, auto y1, auto x_start, auto y_start) {
  auto const f = [=](auto x, auto y) { return -saddle(x1, y1, x, y); };
  auto const go_on = [](auto state) {
    auto const [x, y, fx, gx, gy, eta, i, done] = state;
    return rc::logical_and(done == 0., gx * gx + gy * gy > 1e-10);
  };
  auto const step = [=](auto state) {
    auto const [x, y, fx, gx, gy, eta, i, done] = state;
    auto const ten = i == 10.;
    auto const nx = x - eta * gx, ny = y - eta * gy;
    auto const fn = f(nx, ny);
    auto const close = rc::square(nx - x) + rc::square(ny - y) <= 1e-10;
    auto const down = fn < fx;
    auto const moves = rc::logical_and(down, !rc::logical_or(ten, close));
    auto const [ngx, ngy] = rc::grad<0, 1>(f)(nx, ny);
    return std::tuple(rc::where(moves, nx, x), rc::where(moves, ny, y), rc::where(moves, fn, fx),
                      rc::where(moves, ngx, gx), rc::where(moves, ngy, gy),
                      rc::where(ten, 2. * eta, rc::where(down, eta, 0.5 * eta)), rc::where(moves, i + 1., 0. * i),
                      rc::where(ten, 0. * done, rc::where(close, 0. * done + 1., 0. * done)));
  };
  auto const [gx0, gy0] = rc::grad<0, 1>(f)(x_start, y_start);
  auto const zero = 0. * x_start;
  auto const end =
      rc::while_loop(go_on, step, std::tuple(x_start, y_start, f(x_start, y_start), gx0, gy0, zero + 1e-5, zero, zero));
  return std::pair(std::get<0>(end), std::get<1>(end));
};
inline constexpr auto height = [](auto x1, auto y1, auto x, auto y) {
  auto const [x2, y2] = highest(x1, y1, x, y);
  return saddle(x1, y1, x2, y2);
};

// How far from 0 a charged particle meets the ground, squared: it is pushed by charges at (10, 10 - w) and (10, 0), in
// steps of 0.1 from (0, 8) with velocity (0.75, 0).
inline constexpr auto landing = [](auto w) {
  auto const potential = [=](auto x, auto y) {
    auto const dx = rc::square(x - 10.);
    return rc::rsqrt(dx + rc::square(y - (10. - w))) + rc::rsqrt(dx + y * y);
  };
  auto const flies = [](auto state) {
    auto const [x, y, vx, vy] = state;
    return y + 0.1 * vy > 0.;
  };
  auto const step = [=](auto state) {
    auto const [x, y, vx, vy] = state;
    auto const [fx, fy] = rc::grad<0, 1>(potential)(x, y);
    return std::tuple(x + 0.1 * vx, y + 0.1 * vy, vx - 0.1 * fx, vy - 0.1 * fy);
  };
  auto const zero = 0. * w;
  auto const [x, y, vx, vy] = rc::while_loop(flies, step, std::tuple(zero, zero + 8., zero + 0.75, zero));
  return rc::square(x - y / vy * vx);
};

// Descent as above, of plain C++ over any value and gradient: f(x) is a number, g(x) an array.
template <std::size_t N, class F, class G>
std::array<double, N> lowest(F const& f, G const& g, std::array<double, N> x) {
  auto const norm2 = [](auto const& a) {
    double s = 0;
    for (double e : a) s += e * e;
    return s;
  };
  double fx = f(x), eta = 1e-5;
  auto gx = g(x);
  for (int i = 0; norm2(gx) > 1e-10;) {
    if (i == 10) {
      eta *= 2, i = 0;
      continue;
    }
    std::array<double, N> next, by;
    for (std::size_t k = 0; k < N; ++k) next[k] = x[k] - eta * gx[k], by[k] = next[k] - x[k];
    if (norm2(by) <= 1e-10) break;
    double const fn = f(next);
    if (fn < fx)
      x = next, fx = fn, gx = g(x), ++i;
    else
      eta /= 2, i = 0;
  }
  return x;
}

}  // namespace bench
