// Hand tracking, as functions.hpp defines it: 1000 points of a hand of 544 vertices, each beside its vertex, and each
// beside its place in a triangle. The jacobian is of 3000 rows and 26 columns, and two more for the places.
#include <algorithm>
#include <memory>
#include <tuple>

#include "../core/peers.hpp"
#include "problems.hpp"
#if BENCH_EIGEN
#include <unsupported/Eigen/AutoDiff>
#endif

namespace bench {
namespace {

constexpr int vertices = 544, triangles = 1084, points = 1000, parameters = 26;

// What suits a hand in proportion: bones of length 1, each turned a little against its parent, vertices about them. A
// vertex belongs to its bone, and less to those that are farther.
struct model {
  rc::tensor<double, bones, 4, 4> base, inverse;
  rc::tensor<double, 4, vertices> vertex;
  rc::tensor<double, bones, vertices> weight;
  rc::tensor<int, 3, triangles> triangle;

  explicit model(numbers& draw) {
    rc::tensor<double, bones, 4, 4> absolute;
    for (int b = 0; b < bones; ++b) {
      int const parent = b < 2 ? b - 1 : (b - 2) % phalanges == 0 ? 1 : b - 1;
      double const turn = .4 * draw(), c = std::cos(turn), s = std::sin(turn);
      double const shift[3] = {.3 * draw(), b == 0 ? 0 : 1., .3 * draw()};
      double const at[4][4] = {{c, -s, 0, shift[0]}, {s, c, 0, shift[1]}, {0, 0, 1, shift[2]}, {0, 0, 0, 1}};
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          base(b, i, j) = at[i][j];
          double sum = 0;
          for (int k = 0; k < 4; ++k) sum += (parent < 0 ? double(i == k) : absolute(parent, i, k)) * at[k][j];
          absolute(b, i, j) = sum;
        }
      for (int i = 0; i < 3; ++i) {  // a rotation and a shift: turned back, and shifted back
        inverse(b, i, 3) = 0;
        for (int j = 0; j < 3; ++j) {
          inverse(b, i, j) = absolute(b, j, i);
          inverse(b, i, 3) -= absolute(b, j, i) * absolute(b, j, 3);
        }
      }
      inverse(b, 3, 3) = 1;
    }
    for (int v = 0; v < vertices; ++v) {
      int const bone = v % bones;
      for (int i = 0; i < 3; ++i) vertex(i, v) = absolute(bone, i, 3) + .4 * draw();
      vertex(3, v) = 1;
      double sum = 0;
      for (int b = 0; b < bones; ++b) {
        double square = .1;
        for (int i = 0; i < 3; ++i) square += std::pow(vertex(i, v) - absolute(b, i, 3), 2);
        sum += weight(b, v) = 1 / (square * square);
      }
      for (int b = 0; b < bones; ++b) weight(b, v) /= sum;
    }
    for (int t = 0; t < triangles; ++t)
      for (int k = 0; k < 3; ++k) triangle(k, t) = (t + k * (t % 7 + 1)) % vertices;
  }
};

#if BENCH_EIGEN
using frame = Eigen::Matrix<double, 3, 4, Eigen::RowMajor>;
using square = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;
template <class T>
using rows_of = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// turns about the first axis and the third, and their derivatives
template <class T>
using turn_of = Eigen::Matrix<T, 4, 4, Eigen::RowMajor>;
template <class T, class S>
turn_of<T> turn(S const& c, S const& s, int i, int j, bool derivative = false) {
  turn_of<T> m;
  for (int k = 0; k < 4; ++k)
    for (int l = 0; l < 4; ++l) m(k, l) = T(k == l && !derivative ? 1. : 0.);
  m(i, i) = c, m(i, j) = -s, m(j, i) = s, m(j, j) = c;
  return m;
}
template <class T>
using rotation_of = Eigen::Matrix<T, 3, 3, Eigen::RowMajor>;
template <class T>
rotation_of<T> rotation(T const* v) {
  using std::cos, std::sin, std::sqrt;
  T const angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), c = cos(angle), s = sin(angle), rest = 1. - c;
  T const x = v[0] / angle, y = v[1] / angle, z = v[2] / angle;
  rotation_of<T> r;
  r << T(x * x * rest + c), T(x * y * rest - z * s), T(x * z * rest + y * s), T(x * y * rest + z * s),
      T(y * y * rest + c), T(y * z * rest - x * s), T(x * z * rest - y * s), T(y * z * rest + x * s),
      T(z * z * rest + c);
  return r;
}

template <bool Triangles>
struct by_hand {
  static constexpr int corners = Triangles ? 3 : 1;
  double pose[parameters], u[2][points];  // rotation, translation, four angles for each finger
  square base[bones];
  rows_of<double> skin{4 * bones, vertices};
  int corner[corners][points];
  double seen[3][points], error[3][points], jacobian[parameters][3][points], by_place[2][3][points];

  rows_of<double> frames{3, 4 * bones}, local{3, vertices}, placed{3, vertices};
  rows_of<double> of_rotation{9, vertices}, of_finger{12, vertices}, slopes{12, 4 * phalanges};

  double const* angles(int f) const { return pose + 6 + 4 * f; }

  // from vertices to points: `to = of[corner] - from`, where `from` is there
  void gather(double const* of, double* to, double const* from, double shift) const {
    for (int i = 0; i < points; ++i) {
      double at = 0;
      if constexpr (Triangles)
        at = u[0][i] * of[corner[0][i]] + u[1][i] * of[corner[1][i]] + (1 - u[0][i] - u[1][i]) * of[corner[2][i]];
      else
        at = of[corner[0][i]];
      to[i] = (from ? from[i] - shift : 0) - at;
    }
  }
  void place() {
    auto const r = rotation(pose);
    local.noalias() = frames * skin;
    placed.noalias() = r * local;
    for (int k = 0; k < 3; ++k) gather(placed.row(k).data(), error[k], seen[k], pose[3 + k]);
  }
  frame pose_palm() {
    frame const root = base[0].topRows<3>(), wrist = root * base[1];
    frames.middleCols<4>(0) = root, frames.middleCols<4>(4) = wrist;
    return wrist;
  }
  void objective() {
    frame const wrist = pose_palm();
    for (int f = 0; f < fingers; ++f) {
      double const* const a = angles(f);
      int const first = 2 + phalanges * f;
      frame at = wrist * base[first] * turn<double>(std::cos(a[1]), std::sin(a[1]), 0, 1) *
                 turn<double>(std::cos(a[0]), std::sin(a[0]), 1, 2);
      frames.middleCols<4>(4 * first) = at;
      for (int k = 1; k < phalanges; ++k) {
        at = at * base[first + k];
        if (k < 3) at = at * turn<double>(std::cos(a[k + 1]), std::sin(a[k + 1]), 1, 2);
        frames.middleCols<4>(4 * (first + k)) = at;
      }
    }
    place();
  }
  void jacobian_of_it() {
    frame const wrist = pose_palm();
    auto const r = rotation(pose);
    for (int f = 0; f < fingers; ++f) {
      double const* const a = angles(f);
      int const first = 2 + phalanges * f;
      frame at, by[4];
      for (int k = 0; k < phalanges; ++k) {
        square step = base[first + k];
        if (k == 0) {
          double const c = std::cos(a[1]), s = std::sin(a[1]), cb = std::cos(a[0]), sb = std::sin(a[0]);
          square const spread = turn<double>(c, s, 0, 1), bent = turn<double>(cb, sb, 1, 2);
          frame const from = wrist * step;
          at = from * (spread * bent);
          by[0] = r * (from * (spread * turn<double>(-sb, cb, 1, 2, true)));
          by[1] = r * (from * (turn<double>(-s, c, 0, 1, true) * bent));
        } else {
          if (k < 3) {
            double const c = std::cos(a[k + 1]), s = std::sin(a[k + 1]);
            by[k + 1] = r * (at * (step * turn<double>(-s, c, 1, 2, true)));
            step = step * turn<double>(c, s, 1, 2);
          }
          at = at * step;
          for (int d = 0; d < std::min(k + 1, 4); ++d) by[d] = by[d] * step;
        }
        frames.middleCols<4>(4 * (first + k)) = at;
        for (int d = 0; d < std::min(k + 2, 4); ++d) slopes.block<3, 4>(3 * d, 4 * k) = by[d];
      }
      // of the first bone two angles know, of the second three
      auto const bone = skin.middleRows<4 * phalanges>(4 * first);
      of_finger.topRows<6>().noalias() = slopes.topRows<6>() * bone;
      of_finger.middleRows<3>(6).noalias() = slopes.block<3, 12>(6, 4) * bone.bottomRows<12>();
      of_finger.bottomRows<3>().noalias() = slopes.block<3, 8>(9, 8) * bone.bottomRows<8>();
      for (int k = 0; k < 12; ++k) gather(of_finger.row(k).data(), jacobian[6 + 4 * f + k / 3][k % 3], nullptr, 0);
    }
    place();
    // by the rotation vector v of length t: with u = v / t, dt = u and du = (e - u u') / t
    double const t = std::sqrt(pose[0] * pose[0] + pose[1] * pose[1] + pose[2] * pose[2]), c = std::cos(t),
                 s = std::sin(t);
    double const w[3] = {pose[0] / t, pose[1] / t, pose[2] / t};
    rotation_of<double> cross;
    cross << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
    rows_of<double> slope(9, 3);
    for (int k = 0; k < 3; ++k) {
      double d[3];
      for (int i = 0; i < 3; ++i) d[i] = ((i == k) - w[i] * w[k]) / t;
      rotation_of<double> dcross;
      dcross << 0, -d[2], d[1], d[2], 0, -d[0], -d[1], d[0], 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          slope(3 * k + i, j) = w[k] * (-s * (i == j) + c * cross(i, j) + s * w[i] * w[j]) + s * dcross(i, j) +
                                (1 - c) * (d[i] * w[j] + w[i] * d[j]);
    }
    of_rotation.noalias() = slope * local;
    for (int k = 0; k < 9; ++k) gather(of_rotation.row(k).data(), jacobian[k / 3][k % 3], nullptr, 0);
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j) std::fill_n(jacobian[3 + k][j], points, j == k ? -1. : 0.);
    if constexpr (Triangles)
      for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 3; ++j)
          for (int i = 0; i < points; ++i) by_place[k][j][i] = placed(j, corner[2][i]) - placed(j, corner[k][i]);
  }
  // by Eigen's AutoDiff, as many directions at once as there are parameters
  void jacobian_of_eigen() {
    constexpr int n = parameters + (Triangles ? 2 : 0);
    using direction = Eigen::Matrix<double, n, 1>;
    using number = Eigen::AutoDiffScalar<direction>;
    using moved = Eigen::Matrix<number, 3, 4, Eigen::RowMajor>;
    number p[parameters];
    for (int k = 0; k < parameters; ++k) p[k] = number(pose[k], n, k);
    moved all[bones];
    auto const times = [](moved const& x, auto const& y) {
      moved z;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j)
          z(i, j) = x(i, 0) * y(0, j) + x(i, 1) * y(1, j) + x(i, 2) * y(2, j) + x(i, 3) * y(3, j);
      return z;
    };
    all[0] = base[0].topRows<3>().cast<number>();
    for (int b = 1; b < bones; ++b) {
      int const k = (b - 2) % phalanges;
      number const* const a = p + 6 + 4 * ((b - 2) / phalanges);
      all[b] = times(all[b < 2 ? 0 : k == 0 ? 1 : b - 1], base[b]);
      if (b >= 2 && k == 0) all[b] = times(all[b], turn<number>(number(cos(a[1])), number(sin(a[1])), 0, 1));
      if (b >= 2 && k < 3) {
        number const& angle = a[k == 0 ? 0 : k + 1];
        all[b] = times(all[b], turn<number>(number(cos(angle)), number(sin(angle)), 1, 2));
      }
    }
    auto const r = rotation(p);
    static number at[3][vertices];
    for (int v = 0; v < vertices; ++v) {
      number sum[3] = {number(0.), number(0.), number(0.)};
      for (int b = 0; b < bones; ++b)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 4; ++j) {
            double const s = skin(4 * b + j, v);
            sum[i].value() += s * all[b](i, j).value();
            if (all[b](i, j).derivatives().size()) sum[i].derivatives() += s * all[b](i, j).derivatives();
          }
      for (int i = 0; i < 3; ++i) at[i][v] = r(i, 0) * sum[0] + r(i, 1) * sum[1] + r(i, 2) * sum[2] + p[3 + i];
    }
    for (int i = 0; i < points; ++i)
      for (int j = 0; j < 3; ++j) {
        number e;
        if constexpr (Triangles) {
          number const to[2] = {number(u[0][i], n, parameters), number(u[1][i], n, parameters + 1)};
          e = seen[j][i] -
              (to[0] * at[j][corner[0][i]] + to[1] * at[j][corner[1][i]] + (1. - to[0] - to[1]) * at[j][corner[2][i]]);
        } else {
          e = seen[j][i] - at[j][corner[0][i]];
        }
        error[j][i] = e.value();
        for (int k = 0; k < parameters; ++k) jacobian[k][j][i] = e.derivatives()(k);
        if constexpr (Triangles)
          for (int k = 0; k < 2; ++k) by_place[k][j][i] = e.derivatives()(parameters + k);
      }
  }
};

template <bool Triangles>
void track(char const* name) {
  numbers draw;
  model const m(draw);
  std::tuple pose(draw.fill(rc::tensor<double, 3>{}), draw.fill(rc::tensor<double, 3>{}),
                  std::array<rc::tensor<double, 4>, fingers>{});
  for (auto& a : std::get<2>(pose)) a = draw.fill(rc::tensor<double, 4>{});
  rc::tensor<double, 4 * bones, vertices> const skin = rc::fn(skin_of)(m.inverse, m.vertex, m.weight);
  auto const seen = draw.fill(rc::tensor<double, 3, points>{});
  rc::tensor<double, 2, points> u;
  using which = std::conditional_t<Triangles, rc::tensor<int, 3, points>, rc::tensor<int, points>>;
  which corner;
  for (int i = 0; i < points; ++i) {
    u(0, i) = .25 + .2 * draw(), u(1, i) = .25 + .2 * draw();
    if constexpr (Triangles)
      for (int k = 0; k < 3; ++k) corner(k, i) = m.triangle(k, i * 37 % triangles);
    else
      corner(i) = i * 37 % vertices;
  }
  auto const hand = std::make_unique<by_hand<Triangles>>(), other = std::make_unique<by_hand<Triangles>>();
  for (auto* h : {hand.get(), other.get()}) {
    std::copy_n(std::get<0>(pose).data(), 3, h->pose), std::copy_n(std::get<1>(pose).data(), 3, h->pose + 3);
    for (int f = 0; f < fingers; ++f) std::copy_n(std::get<2>(pose)[std::size_t(f)].data(), 4, h->pose + 6 + 4 * f);
    for (int b = 0; b < bones; ++b) h->base[b] = Eigen::Map<square const>(m.base.data() + 16 * b);
    h->skin = Eigen::Map<rows_of<double> const>(skin.data(), 4 * bones, vertices);
    std::copy_n(u.data(), 2 * points, h->u[0]), std::copy_n(seen.data(), 3 * points, h->seen[0]);
    std::copy_n(corner.data(), corner.size(), h->corner[0]);
  }
  auto const run = [&](auto step, auto const&... x) {
    auto prepared = rc::prepared(step);
    auto result = prepared(x...);
    auto const t = race([&] { hand->objective(), touch(hand.get()); },
                        [&] {
                          std::apply([&](auto&... part) { prepared.into(part...)(x...); }, result);
                          touch(&result), touch(&pose);
                        },
                        [&] { hand->jacobian_of_it(), touch(hand.get()); },
                        [&] { other->jacobian_of_eigen(), touch(other.get()); });
    return std::pair(result, t);
  };
  auto const [j, t] = [&] {
    if constexpr (Triangles)
      return run(rc::fn(jacobian_by_triangles), pose, u, m.base, skin, corner, seen);
    else
      return run(rc::fn(jacobian_of_tracked), pose, m.base, skin, corner, seen);
  }();
  constexpr long all = long(parameters) * 3 * points;
  double error = difference(std::get<0>(j).data(), hand->error[0], 3L * points) +
                 difference(std::get<1>(j).data(), hand->jacobian[0][0], all),
         of_peer = difference(other->jacobian[0][0], hand->jacobian[0][0], all);
  if constexpr (Triangles) {
    error += difference(std::get<2>(j).data(), hand->by_place[0][0], 6L * points);
    of_peer += difference(other->by_place[0][0], hand->by_place[0][0], 6L * points);
  }
  gradient({name, t[0], t[1], t[2], 1.2, error, beside::hand, t[3], of_peer});
}
#endif

}  // namespace

void hands() {
#if BENCH_EIGEN
  if (wanted("hand tracking")) track<false>("hand tracking, jacobian");
  if (wanted("the same, by triangles")) track<true>("the same, by triangles");
#endif
}

}  // namespace bench
