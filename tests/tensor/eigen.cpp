// Eigen's matrices as tensors, and tensors as Eigen's.
#include <doctest/doctest.h>

#if __has_include(<Eigen/Core>) || __has_include(<eigen3/Eigen/Core>)
#include <ricci/eigen.hpp>

namespace rc = ricci;

TEST_CASE("from Eigen: any order of memory, blocks and maps, what the type knows") {
  Eigen::MatrixXd m(2, 3);
  m << 1, 2, 3, 4, 5, 6;
  auto v = rc::from_eigen(m);
  static_assert(std::is_same_v<decltype(v)::extents, rc::extents<rc::dyn, rc::dyn>>);
  CHECK((v.shape(0) == 2 && v.shape(1) == 3 && v(0, 2) == 3 && v(1, 0) == 4));
  v(rc::all, 1) += 10.;
  CHECK((m(0, 1) == 12 && m(1, 1) == 15));
  rc::tensor<double, 2> sums = rc::sum(v, rc::axis<1>);
  CHECK((sums(0) == 16 && sums(1) == 25));

  Eigen::Matrix<float, 3, 2, Eigen::RowMajor> const r{{1, 2}, {3, 4}, {5, 6}};
  auto w = rc::from_eigen(r);
  static_assert(std::is_same_v<decltype(w)::extents, rc::extents<3, 2>>);
  static_assert(std::is_same_v<decltype(w(0, 0)), float const&>);
  CHECK(rc::eval(rc::matmul(w, rc::tensor<float, 2>{1, 1}))(2) == 11);

  auto part = rc::from_eigen(m.block(0, 1, 2, 2));
  CHECK((part.shape(1) == 2 && part(1, 1) == 6));
  part = 0.;
  CHECK((m(0, 0) == 1 && m(1, 2) == 0));

  Eigen::Vector3d const c(1, 2, 3);
  static_assert(std::is_same_v<decltype(rc::from_eigen(c))::extents, rc::extents<3>>);
  auto row = rc::from_eigen(m.row(0));
  static_assert(decltype(row)::rank == 1);
  CHECK((rc::from_eigen(c)(2) == 3 && row.shape(0) == 3 && row(0) == 1));
}

TEST_CASE("to Eigen: plain maps of tensors, strided ones of views") {
  rc::ndarray<double, 2> x{{1, 2, 3}, {4, 5, 6}};
  auto m = rc::to_eigen(x);
  static_assert(decltype(m)::IsRowMajor && decltype(m)::InnerStrideAtCompileTime == 1);
  CHECK((m.rows() == 2 && m.cols() == 3 && m(1, 0) == 4));
  m *= 2;
  CHECK(x(1, 2) == 12);
  auto back = rc::to_eigen(x(rc::all, rc::range(2, -4, -2)));
  CHECK((back.cols() == 2 && back(0, 0) == 6 && back(1, 1) == 8));
  CHECK(rc::to_eigen(x.T()).isApprox(m.transpose()));
  CHECK(rc::to_eigen(rc::flip(x(rc::all, 0))).data() == &x(1, 0));

  rc::tensor<float, 3> const y{1, 2, 3};
  auto column = rc::to_eigen(y);
  static_assert(decltype(column)::SizeAtCompileTime == 3);
  CHECK(column.sum() == 6);
  CHECK(rc::to_eigen(x(rc::all, 1)).sum() == 14);
  rc::tensor<double, rc::dyn, 1> thin{{1}, {2}};
  rc::to_eigen(thin) += Eigen::Vector2d(1, 1);
  CHECK(thin(1, 0) == 3);
}
#endif
