// A sparse matrix in compressed rows (CSR): the elements that may differ from zero, row by row, with their columns.
// Sparse jacobians are such (autodiff/sparse.hpp).
//
//   auto j = rc::sparse_jacobian(residuals)(x);   // rows: elements of the result, columns: elements of x
//   auto step = j.rmatvec(j.matvec(v));           // J'J v
#pragma once

#include <ricci/tensor/create.hpp>

namespace ricci {

template <class T>
class sparse_matrix {
 public:
  using value_type = T;
  static constexpr int rank = 2;

  // (of a type that depends on T: where there is no heap, this header is read all the same)
  using positions = ndarray<std::conditional_t<std::is_void_v<T>, void, index_t>, 1>;

  // Row r are the elements number row_starts(r) to before row_starts(r + 1), in ascending order of their columns.
  positions row_starts, columns;
  ndarray<T, 1> values;

  // The three arrays are taken over and not checked.
  sparse_matrix(index_t rows, index_t width, positions starts, positions places, ndarray<T, 1> elements)
      : row_starts(static_cast<positions&&>(starts)),
        columns(static_cast<positions&&>(places)),
        values(static_cast<ndarray<T, 1>&&>(elements)),
        shape_{rows, width} {}

  std::array<index_t, 2> shape() const { return shape_; }
  index_t shape(index_t axis) const { return shape_[std::size_t(axis_named("shape", axis, 2))]; }
  index_t nonzeros() const { return values.size(); }

  // an element, 0 outside of the pattern; index_error outside of the matrix
  T operator()(index_t row, index_t column) const {
    require_index(row, 0), require_index(column, 1);
    index_t low = row_starts.data()[row], high = row_starts.data()[row + 1];
    while (low < high) {
      index_t const middle = low + (high - low) / 2;
      if (columns.data()[middle] < column)
        low = middle + 1;
      else
        high = middle;
    }
    return low < row_starts.data()[row + 1] && columns.data()[low] == column ? values.data()[low] : T(0);
  }
  // the same as a tensor
  ndarray<T, 2> dense() const {
    ndarray<T, 2> whole(shape_[0], shape_[1]);
    for_each([&](index_t row, index_t column, T x) { whole.data()[row * shape_[1] + column] = x; });
    return whole;
  }
  // A x and A' x, for vectors with an element for each column or row: else a shape_error
  template <Tensor X>
  ndarray<T, 1> matvec(X const& x) const {
    return product<1>(x, "matvec");
  }
  template <Tensor X>
  ndarray<T, 1> rmatvec(X const& x) const {
    return product<0>(x, "rmatvec");
  }

 private:
  std::array<index_t, 2> shape_;

  void require_index(index_t k, std::size_t axis) const {
    if (k < 0 || k >= shape_[axis]) core::raise_index("sparse matrix", k, shape_[axis]);
  }
  // with x along one axis
  template <std::size_t Axis, class X>
  ndarray<T, 1> product(X const& x, char const* name) const {
    static_assert(rank_of<X> == 1, "a sparse matrix is multiplied by a vector: ricci::ravel makes one of a tensor");
    ndarray<T, 1> const v = x;
    if (index_t const n = v.shape(0); n != shape_[Axis])
      shapes::raise_misfit(name, shape_t{2, {shape_[0], shape_[1]}}, shape_t{1, {n}});
    ndarray<T, 1> y(shape_[1 - Axis]);
    T* const to = y.data();
    T const* const from = v.data();
    for_each([&](index_t row, index_t column, T a) { to[Axis ? row : column] += a * from[Axis ? column : row]; });
    return y;
  }
  template <class F>
  void for_each(F const& f) const {
    index_t const *const starts = row_starts.data(), *const places = columns.data();
    T const* const elements = values.data();
    for (index_t row = 0; row < shape_[0]; ++row)
      for (index_t k = starts[row]; k < starts[row + 1]; ++k) f(row, places[k], elements[k]);
  }
};

}  // namespace ricci
