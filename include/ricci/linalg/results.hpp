// Several results as one record whose members have the names of the array API standard, so that they are taken apart by
// structured bindings or by name: `auto [w, v] = rc::linalg::eigh(a)`, `rc::linalg::slogdet(a).logabsdet`.
#pragma once

#include <tuple>

#include <ricci/autodiff/functions.hpp>

namespace ricci::linalg {

template <class Sign, class Log>
struct slogdet_result {
  Sign sign;
  Log logabsdet;
};
template <class Permutation, class Lower, class Upper>
struct lu_result {
  Permutation P;
  Lower L;
  Upper U;
};
template <class Orthogonal, class Upper>
struct qr_result {
  Orthogonal Q;
  Upper R;
};
template <class Values, class Vectors>
struct eigh_result {
  Values eigenvalues;
  Vectors eigenvectors;
};
template <class Values, class Vectors>
struct eig_result {
  Values eigenvalues;
  Vectors eigenvectors;
};
template <class Triangular, class Orthogonal>
struct schur_result {
  Triangular T;
  Orthogonal Z;
};
template <class Orthogonal, class Positive>
struct polar_result {
  Orthogonal U;
  Positive P;
};
template <class Solution, class Residuals, class Rank, class Values>
struct lstsq_result {
  Solution x;
  Residuals residuals;
  Rank rank;
  Values singular_values;
};
template <class Left, class Values, class Right>
struct svd_result {
  Left U;
  Values S;
  Right Vh;
};

// The members of a tuple as such a record.
template <template <class...> class Record, class Tuple>
constexpr auto named(Tuple&& t) {
  return std::apply([](auto&&... x) { return Record<std::remove_cvref_t<decltype(x)>...>{std::move(x)...}; },
                    static_cast<Tuple&&>(t));
}

}  // namespace ricci::linalg
