// Bundle adjustment, as functions.hpp defines it: errors of 31843 observations by 49 cameras, 7776 points and as many
// weights. Each row of the jacobian has 15 elements or one, so that a colouring takes few derivatives.
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

constexpr int n = 49, m = 7776, p = 31843;

#if BENCH_EIGEN
using lanes = Eigen::Array<double, 8, 1>;
constexpr int width = 8;

// one observation, or several side by side
template <class T, class S>
void errors_of(T const* c, T const* x, T const& w, S const* seen, T* error) {
  using std::cos, std::sin, std::sqrt;
  T const o0 = x[0] - c[3], o1 = x[1] - c[4], o2 = x[2] - c[5];
  T const square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  T const angle = sqrt(square);
  T const cosine = cos(angle), sine = sin(angle), inverse = 1. / angle;
  T const u0 = c[0] * inverse, u1 = c[1] * inverse, u2 = c[2] * inverse;
  T const along = (u0 * o0 + u1 * o1 + u2 * o2) * (1. - cosine);
  T const depth = o2 * cosine + (u0 * o1 - u1 * o0) * sine + u2 * along;
  T const a = (o0 * cosine + (u1 * o2 - u2 * o1) * sine + u0 * along) / depth;
  T const b = (o1 * cosine + (u2 * o0 - u0 * o2) * sine + u1 * along) / depth;
  T const r = a * a + b * b;
  T const by = (1. + c[9] * r + c[10] * r * r) * c[6];
  error[0] = w * (a * by + c[7] - seen[0]);
  error[1] = w * (b * by + c[8] - seen[1]);
}

struct by_hand {
  double camera[n][11], point[m][3], w[p], seen[p][2];
  double error[p][2], of_weight[p];
  double jacobian[p][2][15], by_weight[p];  // a row: camera, point, weight

  struct block {
    lanes c[11], x[3], w, seen[2];
  };
  void gather(block& g, int from) const {
    for (int k = 0; k < width; ++k) {
      int const i = std::min(from + k, p - 1);
      for (int j = 0; j < 11; ++j) g.c[j](k) = camera[i % n][j];
      for (int j = 0; j < 3; ++j) g.x[j](k) = point[i % m][j];
      g.w(k) = w[i];
      for (int j = 0; j < 2; ++j) g.seen[j](k) = seen[i][j];
    }
  }
  void objective() {
    block g;
    lanes e[2];
    for (int from = 0; from < p; from += width) {
      gather(g, from);
      errors_of(g.c, g.x, g.w, g.seen, e);
      for (int k = 0; k < width && from + k < p; ++k) error[from + k][0] = e[0](k), error[from + k][1] = e[1](k);
    }
    for (int i = 0; i < p; ++i) of_weight[i] = 1 - w[i] * w[i];
  }
  static void derive(block const& g, lanes (&j)[2][15], lanes (&e)[2]) {
    lanes const* const c = g.c;
    lanes const o[3] = {g.x[0] - c[3], g.x[1] - c[4], g.x[2] - c[5]};
    lanes const angle = (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]).sqrt();
    lanes const cosine = angle.cos(), sine = angle.sin(), inverse = 1 / angle, rest = 1 - cosine;
    lanes const u[3] = {c[0] * inverse, c[1] * inverse, c[2] * inverse};
    lanes const cross[3] = {u[1] * o[2] - u[2] * o[1], u[2] * o[0] - u[0] * o[2], u[0] * o[1] - u[1] * o[0]};
    lanes const dot = u[0] * o[0] + u[1] * o[1] + u[2] * o[2];
    lanes y[3], by_angle[3];
    for (int k = 0; k < 3; ++k) {
      y[k] = o[k] * cosine + cross[k] * sine + u[k] * dot * rest;
      by_angle[k] = cross[k] * cosine - o[k] * sine + u[k] * dot * sine;
    }
    lanes const depth = 1 / y[2], a = y[0] * depth, b = y[1] * depth, r = a * a + b * b;
    lanes const scale = 1 + c[9] * r + c[10] * r * r, slope = 2 * (c[9] + 2 * c[10] * r), f = c[6];
    lanes const weight = g.w * f * depth;
    lanes const aa = weight * (scale + slope * a * a), ab = weight * slope * a * b,
                bb = weight * (scale + slope * b * b);
    lanes const by_y[2][3] = {{aa, ab, -(aa * a + ab * b)}, {ab, bb, -(ab * a + bb * b)}};
    lanes const along[2] = {a * scale * f + c[7] - g.seen[0], b * scale * f + c[8] - g.seen[1]};
    lanes const place[2] = {a, b};
    for (int i = 0; i < 2; ++i) {
      lanes const* const v = by_y[i];
      // of y by the point: cos I + sin [u] + (1 - cos) u u'
      lanes const vu = (v[0] * u[0] + v[1] * u[1] + v[2] * u[2]) * rest;
      j[i][11] = v[0] * cosine + sine * (v[1] * u[2] - v[2] * u[1]) + vu * u[0];
      j[i][12] = v[1] * cosine + sine * (v[2] * u[0] - v[0] * u[2]) + vu * u[1];
      j[i][13] = v[2] * cosine + sine * (v[0] * u[1] - v[1] * u[0]) + vu * u[2];
      for (int k = 0; k < 3; ++k) j[i][3 + k] = -j[i][11 + k];
      // by the axis u, and of it by the rotation: (I - u u') / angle
      lanes q[3];
      q[0] = sine * (o[1] * v[2] - o[2] * v[1]) + vu * o[0] + rest * dot * v[0];
      q[1] = sine * (o[2] * v[0] - o[0] * v[2]) + vu * o[1] + rest * dot * v[1];
      q[2] = sine * (o[0] * v[1] - o[1] * v[0]) + vu * o[2] + rest * dot * v[2];
      lanes const uq = q[0] * u[0] + q[1] * u[1] + q[2] * u[2];
      lanes const turn = v[0] * by_angle[0] + v[1] * by_angle[1] + v[2] * by_angle[2];
      for (int k = 0; k < 3; ++k) j[i][k] = (q[k] - uq * u[k]) * inverse + turn * u[k];
      j[i][6] = g.w * place[i] * scale;
      j[i][7] = i == 0 ? g.w : lanes::Zero();
      j[i][8] = i == 1 ? g.w : lanes::Zero();
      j[i][9] = g.w * f * place[i] * r;
      j[i][10] = j[i][9] * r;
      j[i][14] = along[i];
      e[i] = g.w * along[i];
    }
  }
  void jacobian_of_it() {
    block g;
    lanes j[2][15], e[2];
    for (int from = 0; from < p; from += width) {
      gather(g, from);
      derive(g, j, e);
      for (int k = 0; k < width && from + k < p; ++k)
        for (int i = 0; i < 2; ++i) {
          error[from + k][i] = e[i](k);
          for (int l = 0; l < 15; ++l) jacobian[from + k][i][l] = j[i][l](k);
        }
    }
    for (int i = 0; i < p; ++i) of_weight[i] = 1 - w[i] * w[i], by_weight[i] = -2 * w[i];
  }
  // by Eigen's AutoDiff, 15 directions at once
  void jacobian_of_eigen() {
    using direction = Eigen::Matrix<double, 15, 1>;
    using number = Eigen::AutoDiffScalar<direction>;
    number c[11], x[3], e[2];
    for (int i = 0; i < p; ++i) {
      for (int k = 0; k < 11; ++k) c[k] = number(camera[i % n][k], 15, k);
      for (int k = 0; k < 3; ++k) x[k] = number(point[i % m][k], 15, 11 + k);
      errors_of(c, x, number(w[i], 15, 14), seen[i], e);
      for (int k = 0; k < 2; ++k) {
        error[i][k] = e[k].value();
        Eigen::Map<direction> to(jacobian[i][k]);
        to = e[k].derivatives();
      }
      of_weight[i] = 1 - w[i] * w[i], by_weight[i] = -2 * w[i];
    }
  }
  // of a jacobian in compressed rows, by the largest element here; of parameters that were gathered there are p cameras
  // and p points, their numbers of one kind side by side
  template <class J>
  double error_of(J const& all, bool gathered = false) const {
    long const cameras = 11 * (gathered ? p : n), points = 3 * (gathered ? p : m);
    double most = 0, largest = 1e-300;
    for (int row = 0; row < 3 * p; ++row) {
      int const i = row < 2 * p ? row / 2 : row - 2 * p;
      long found = 0;
      for (auto k = all.row_starts(row); k < all.row_starts(row + 1); ++k) {
        auto const column = all.columns(k);
        long at = 14;  // which of a row's elements that is
        if (column < cameras)
          at = gathered ? column / p : column - 11 * (i % n);
        else if (column < cameras + points)
          at = 11 + (gathered ? (column - cameras) / p : column - cameras - 3 * (i % m));
        bool const of_it = column >= cameras + points ? column == cameras + points + i
                           : gathered                 ? column % p == i
                           : column < cameras         ? at >= 0 && at < 11
                                                      : at >= 11 && at < 14;
        if (!of_it) return 1;
        double const want = row < 2 * p ? jacobian[i][row % 2][at] : by_weight[i];
        most = std::fmax(most, std::fabs(double(all.values(k)) - want)), largest = std::fmax(largest, std::fabs(want));
        ++found;
      }
      if (found < (row < 2 * p ? 14 : 1)) return 1;
    }
    return most / largest;
  }
};
#endif

}  // namespace

void bundles() {
#if BENCH_EIGEN
  if (!wanted("bundle adjustment")) return;
  numbers draw;
  auto camera = draw.fill(rc::tensor<double, n, 11>{}, .3);
  auto point = draw.fill(rc::tensor<double, m, 3>{});
  auto const w = draw.fill(rc::tensor<double, p>{});
  auto const seen = draw.fill(rc::tensor<double, p, 2>{});
  for (int i = 0; i < n; ++i) camera(i, 0) += .5, camera(i, 6) += 2;
  for (int i = 0; i < m; ++i) point(i, 2) += 5;
  rc::tensor<int, p> camera_of, point_of;
  for (int i = 0; i < p; ++i) camera_of(i) = i % n, point_of(i) = i % m;
  auto const hand = std::make_unique<by_hand>(), other = std::make_unique<by_hand>();
  for (by_hand* h : {hand.get(), other.get()}) {
    std::copy(camera.data(), camera.data() + n * 11, h->camera[0]);
    std::copy(point.data(), point.data() + m * 3, h->point[0]);
    std::copy(w.data(), w.data() + p, h->w);
    std::copy(seen.data(), seen.data() + p * 2, h->seen[0]);
  }
  std::tuple const parameters(camera, point, w);
  auto jacobian = rc::prepared(rc::sparse_jacobian<0, rc::compressed::columns>(reprojection));
  auto j = jacobian(parameters, camera_of, point_of, seen);
  auto const t =
      race([&] { hand->objective(), touch(hand.get()); },
           [&] { jacobian.into(j)(parameters, camera_of, point_of, seen), touch(j.values.data()); },
           [&] { hand->jacobian_of_it(), touch(hand.get()); }, [&] { other->jacobian_of_eigen(), touch(other.get()); });
  gradient({"bundle adjustment, sparse jacobian", t[0], t[1], t[2], 3, hand->error_of(j), beside::objective, t[3],
            difference(other->jacobian[0][0], hand->jacobian[0][0], p * 30L)});
  std::tuple gathered(rc::tensor<double, 11, p>{}, rc::tensor<double, 3, p>{}, w);
  auto blocks = rc::prepared(rc::sparse_jacobian<0, rc::compressed::columns>(gathered_reprojection));
  auto const run = [&] {
    std::get<0>(gathered) = rc::take(camera.T(), camera_of, rc::axis<1>);
    std::get<1>(gathered) = rc::take(point.T(), point_of, rc::axis<1>);
  };
  run();
  auto rows_of_it = blocks(gathered, seen);
  double const of_blocks =
      race([&] { run(), blocks.into(rows_of_it)(gathered, seen), touch(rows_of_it.values.data()); })[0];
  gradient({"the same, parameters gathered", t[0], of_blocks, t[2], 3, hand->error_of(rows_of_it, true)});
  if (only) std::printf("  %ld and %ld derivatives\n", long(j.colors), long(rows_of_it.colors));
#endif
}

}  // namespace bench
