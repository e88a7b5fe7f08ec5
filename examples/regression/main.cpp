// Least squares on a table: how employment in the United States went with six other numbers (J. Longley, An appraisal
// of least squares programs, 1967). Its columns are nearly dependent, for which it is a test of programs: NIST
// certifies the coefficients (https://www.itl.nist.gov/div898/strd/lls/data/Longley.shtml). `regression longley.csv`
#include <cmath>
#include <cstdio>

#include <ricci/io.hpp>
#include <ricci/linalg.hpp>

namespace rc = ricci;

int main(int argc, char** argv) {
  auto const table = rc::io::load<rc::ndarray<double, 2>>(argc > 1 ? argv[1] : "longley.csv", {.skip_rows = 1});
  rc::index_t const n = table.shape(0), k = table.shape(1);  // the first column is what is explained
  auto const y = table(rc::all, 0);
  auto const x =
      rc::eval(rc::concat(rc::ones<double>(rc::shape(n, 1)), table(rc::all, rc::range(1, rc::end)), rc::axis<1>));

  // x = q r, so that r b = q^T y; condition numbers are not squared, as they are by x^T x
  auto const [q, r] = rc::linalg::qr(x);
  auto const b = rc::eval(rc::linalg::solve_triangular(r, rc::matmul(q.T(), y), rc::upper));
  auto const residual = rc::eval(y - rc::matmul(x, b));
  double const squares = double(rc::vecdot(residual, residual)), variance = squares / double(n - k);
  auto const inverse = rc::eval(rc::linalg::inv(r));
  auto const errors = rc::eval(rc::sqrt(variance * rc::sum(rc::square(inverse), rc::axis<1>)));

  double const certified[] = {-3482258.63459582, 15.0618722713733,    -0.0358191792925910, -2.02022980381683,
                              -1.03322686717359, -0.0511041056535807, 1829.15146461355};
  char const* const names[] = {"constant", "deflator", "product", "unemployed", "armed forces", "population", "year"};
  double worst = 0;
  for (rc::index_t j = 0; j < k; ++j) {
    std::printf("%-13s %18.8f  +- %14.6f\n", names[j], b(j), errors(j));
    worst = std::fmax(worst, std::fabs(b(j) / certified[j] - 1));
  }
  std::printf("explains %.3f %% of the variance; condition number %.1e\n",
              100 * (1 - squares / double(n) / double(rc::var(y))), double(rc::linalg::cond(x)));
  std::printf("digits that agree with those certified: %.1f\n", -std::log10(worst));
}
