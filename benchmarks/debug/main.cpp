// What statements cost where nothing is optimised: this file is compiled with -O0, and with it everything that it
// instantiates. Each row sets a statement or gradient against the loop that somebody would write by hand, which is
// compiled the same way.
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include <ricci/ricci.hpp>

#include "../core/timing.hpp"

namespace rc = ricci;

namespace {

constexpr double most = 1.5;  // times the loop's

template <class Ricci, class Loop>
void compare(std::string const& name, Ricci const& ricci, Loop const& loop) {
  if (!bench::wanted(name)) return;
  auto const t = bench::race(ricci, loop);
  bool const ok = t[0] <= most * t[1];
  std::printf("%-52s %11s %11s %8.2f  %s\n", name.c_str(), bench::time_text(t[0]).c_str(),
              bench::time_text(t[1]).c_str(), t[0] / t[1], ok ? "ok" : "short");
  std::fflush(stdout);
  ++bench::rows;
  bench::short_of_goal += !ok;
}

template <class Array>
void fill(Array& a, int seed) {
  for (long k = 0; k < a.size(); ++k)
    a.data()[k] = static_cast<typename Array::value_type>(double((k * 7 + seed) % 23) / 23 - 0.5);
}

// Chains of one row; x, y and z have equal extents.
template <class Array>
void chains(std::string const& size, Array& x, Array& y, Array& z) {
  using T = typename Array::value_type;
  fill(x, 1), fill(z, 5);
  long const n = x.size();
  compare(
      "2x + z*x - z/3" + size, [&] { y = T(2) * x + z * x - z / T(3), bench::touch(y.data()); },
      [&] {
        T const *a = x.data(), *b = z.data();
        T* to = y.data();
        for (long k = 0; k < n; ++k) to[k] = T(2) * a[k] + b[k] * a[k] - b[k] / T(3);
        bench::touch(to);
      });
  compare(
      "exp(-x*x) * tanh(z)" + size, [&] { y = rc::exp(-x * x) * rc::tanh(z), bench::touch(y.data()); },
      [&] {
        T const *a = x.data(), *b = z.data();
        T* to = y.data();
        for (long k = 0; k < n; ++k) to[k] = std::exp(-a[k] * a[k]) * std::tanh(b[k]);
        bench::touch(to);
      });
  compare(
      "log1p(exp(x))" + size, [&] { y = rc::log1p(rc::exp(x)), bench::touch(y.data()); },
      [&] {
        T const* a = x.data();
        T* to = y.data();
        for (long k = 0; k < n; ++k) to[k] = std::log1p(std::exp(a[k]));
        bench::touch(to);
      });
  compare(
      "where(x > z, x, 0) + maximum(x, z)" + size,
      [&] { y = rc::where(x > z, x, T(0)) + rc::maximum(x, z), bench::touch(y.data()); },
      [&] {
        T const *a = x.data(), *b = z.data();
        T* to = y.data();
        for (long k = 0; k < n; ++k) to[k] = (a[k] > b[k] ? a[k] : T(0)) + (a[k] > b[k] ? a[k] : b[k]);
        bench::touch(to);
      });
  rc::tensor<T> s;
  compare(
      "sum((x - z)^2)" + size, [&] { s = rc::sum(rc::square(x - z)), bench::touch(s.data()); },
      [&] {
        T const *a = x.data(), *b = z.data();
        T sum = 0;
        for (long k = 0; k < n; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
        *s.data() = sum;
        bench::touch(s.data());
      });
  constexpr auto f = [](auto u, auto v) { return rc::sum(rc::exp(-u * u) * rc::tanh(v)); };
  compare(
      "d/dx sum(exp(-x*x) * tanh(z))" + size, [&] { y = rc::grad(f)(x, z), bench::touch(y.data()); },
      [&] {
        T const *a = x.data(), *b = z.data();
        T* to = y.data();
        for (long k = 0; k < n; ++k) to[k] = T(-2) * a[k] * std::exp(-a[k] * a[k]) * std::tanh(b[k]);
        bench::touch(to);
      });
}

// Statements over matrices: a, c and t are square, row and column as long.
template <class Matrix, class Row, class Column>
void matrices(std::string const& size, Matrix& a, Matrix& b, Matrix& c, Row& row, Column& column) {
  using T = typename Matrix::value_type;
  fill(a, 1), fill(b, 5), fill(row, 2), fill(column, 3);
  long const n = a.shape(0);
  compare(
      "A*row + column" + size, [&] { c = a * row + column, bench::touch(c.data()); },
      [&] {
        T const *from = a.data(), *r = row.data(), *col = column.data();
        T* to = c.data();
        for (long i = 0; i < n; ++i)
          for (long j = 0; j < n; ++j) to[i * n + j] = from[i * n + j] * r[j] + col[i];
        bench::touch(to);
      });
  compare(
      "A + B.T()" + size, [&] { c = a + b.T(), bench::touch(c.data()); },
      [&] {
        T const *from = a.data(), *other = b.data();
        T* to = c.data();
        for (long i = 0; i < n; ++i)
          for (long j = 0; j < n; ++j) to[i * n + j] = from[i * n + j] + other[j * n + i];
        bench::touch(to);
      });
  compare(
      "sum(A, axis<0>)" + size, [&] { row = rc::sum(a, rc::axis<0>), bench::touch(row.data()); },
      [&] {
        T const* from = a.data();
        T* to = row.data();
        for (long j = 0; j < n; ++j) to[j] = 0;
        for (long i = 0; i < n; ++i)
          for (long j = 0; j < n; ++j) to[j] += from[i * n + j];
        bench::touch(to);
      });
  compare(
      "matmul(A, B)" + size, [&] { c = rc::matmul(a, b), bench::touch(c.data()); },
      [&] {
        T const *left = a.data(), *right = b.data();
        T* to = c.data();
        for (long i = 0; i < n; ++i)
          for (long j = 0; j < n; ++j) {
            T sum = 0;
            for (long k = 0; k < n; ++k) sum += left[i * n + k] * right[k * n + j];
            to[i * n + j] = sum;
          }
        bench::touch(to);
      });
}

template <class T>
void all_sizes(std::string const& type) {
  using array = rc::ndarray<T, 1>;
  using matrix = rc::ndarray<T, 2>;
  {
    rc::tensor<T, 16> x{}, y{}, z{};
    chains(", " + type + ", static 16", x, y, z);
    rc::tensor<T, 4000> u{}, v{}, w{};
    chains(", " + type + ", static 4e3", u, v, w);
    rc::tensor<T, 8, 8> a{}, b{}, c{};
    rc::tensor<T, 8> row{};
    rc::tensor<T, 8, 1> column{};
    matrices(", " + type + ", static 8x8", a, b, c, row, column);
  }
  for (long n : {16L, 4000L, 100000L}) {
    array x(n), y(n), z(n);
    char text[32];
    std::snprintf(text, sizeof text, ", %.3g", double(n));
    chains(", " + type + text, x, y, z);
  }
  for (long n : {64L, 300L}) {
    matrix a(n, n), b(n, n), c(n, n), column(n, 1);
    array row(n);
    matrices(", " + type + ", " + std::to_string(n) + "^2", a, b, c, row, column);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) bench::only = argv[1];
  bench::budget = 0.02;
  if (char const* s = std::getenv("BENCH_SECONDS")) bench::budget = std::atof(s);
  std::printf("%-52s %11s %11s %8s\n", "-O0", "ricci", "loop", "ratio");
  all_sizes<float>("float");
  all_sizes<double>("double");
  std::printf("\n%d of %d rows take more than %.1f times the loop's time\n", bench::short_of_goal, bench::rows, most);
}
