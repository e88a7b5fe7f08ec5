// Eigen's side of rows, by their names.
#include "contest.hpp"
#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#endif

namespace bench {

void add_eigen() {
#if __has_include(<Eigen/Core>)
  using array = Eigen::Array<float, Eigen::Dynamic, 1>;
  using square = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using product = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  auto const& o = data();
  static auto const map = [](auto const& v) { return Eigen::Map<array const>(v.data(), size); };
  static auto const a = map(o.a), b = map(o.b), p = map(o.p);
  static auto const aa = Eigen::Map<square const>(o.a.data(), side, side),
                    bb = Eigen::Map<square const>(o.b.data(), side, side);
  static auto const ma = Eigen::Map<product const>(o.a.data(), side, side),
                    mb = Eigen::Map<product const>(o.b.data(), side, side);
  static Eigen::VectorXf const v = ma.row(0);
  static std::vector<float> y(static_cast<std::size_t>(size));
  auto const into = [](auto name, auto f) {
    add_peer(name, contestant_of("Eigen", [f] {
               Eigen::Map<array>(y.data(), size) = f();
               return &y;
             }));
  };
  into("add", [] { return a + b; });
  into("2 * a + b", [] { return 2 * a + b; });
  into("multiply", [] { return a * b; });
  into("divide", [] { return a / p; });
  into("sqrt", [] { return p.sqrt(); });
  into("maximum", [] { return a.max(b); });
  into("exp", [] { return a.exp(); });
  into("log", [] { return p.log(); });
  into("sin", [] { return a.sin(); });
  into("cos", [] { return a.cos(); });
  into("tanh", [] { return a.tanh(); });
  into("sigmoid", [] { return a.logistic(); });
  into("floor", [] { return a.floor(); });
  into("flip", [] { return a.reverse(); });
  auto const matrix = [](auto name, auto f) {
    add_peer(name, contestant_of("Eigen", [f] {
               Eigen::Map<square>(y.data(), side, side) = f();
               return &y;
             }));
  };
  matrix("matrix_transpose", [] { return aa.transpose(); });
  matrix("aa + bb.T()", [] { return aa + bb.transpose(); });
  auto const number = [](auto name, auto f) {
    add_peer(name, contestant_of("Eigen", [f] {
               static float r;
               r = float(f());
               return &r;
             }));
  };
  number("sum", [] { return p.sum(); });
  number("mean", [] { return p.mean(); });
  number("max", [] { return a.maxCoeff(); });
  number("norm", [] { return a.matrix().norm(); });
  number("vecdot of 1e6", [] { return a.matrix().dot(b.matrix()); });
  number("einsum ij,ij->", [] { return a.matrix().dot(b.matrix()); });
  number("argmax", [] {
    Eigen::Index k;
    a.maxCoeff(&k);
    return k;
  });
  auto const vector = [](auto name, auto f) {
    add_peer(name, contestant_of("Eigen", [f] {
               static array r;
               r = f();
               return &r;
             }));
  };
  vector("sum, axis 0", [] { return aa.colwise().sum().transpose(); });
  vector("sum, axis 1", [] { return aa.rowwise().sum(); });
  vector("max, axis 0", [] { return aa.colwise().maxCoeff().transpose(); });
  vector("matmul, 1000 x 1000 with a vector", [] { return (ma * v).array(); });
  vector("einsum j,ij->i", [] { return (ma * v).array(); });
  vector("matmul, a vector with 1000 x 1000", [] { return (v.transpose() * ma).transpose().array(); });
  add_peer("matmul, 1000 x 1000 x 1000", contestant_of("Eigen", [] {
             Eigen::Map<product>(y.data(), side, side).noalias() = ma * mb;
             return &y;
           }));
#endif
}

}  // namespace bench
