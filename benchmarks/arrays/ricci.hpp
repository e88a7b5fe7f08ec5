// ricci's side of a contest, and its operands.
#pragma once

#include <cmath>
#include <ricci/ricci.hpp>

#include "contest.hpp"

namespace bench {

namespace rc = ricci;
template <class T>
using vector = rc::ndarray<T, 1>;
template <class T>
using matrix = rc::ndarray<T, 2>;

// the operands
struct arrays {
  vector<float> a, b, p, u;
  vector<double> d, e;
  vector<std::int32_t> i, j, s;
  vector<std::int64_t> at;
  vector<bool> c, k;
  vector<float> grid;
  matrix<float> aa, bb, pp;  // a, b, p and c with 1000 rows, copies
  matrix<bool> cc;
};
arrays& x();

// f() is an expression or a result; each call assigns it to the same tensor
template <class F>
contestant ricci(F f) {
  auto const y = [&] {
    if constexpr (requires { rc::eval(f()); })
      return std::make_shared<std::remove_cvref_t<decltype(rc::eval(f()))>>(rc::eval(f()));
    else
      return std::make_shared<std::remove_cvref_t<decltype(f())>>(f());
  }();
  return contestant_of("ricci", [f, y] {
    *y = f();
    return y.get();
  });
}

// a loop over n elements that writes f(k) to element k
template <class T, class F>
contestant loop_of(F f, long n = size) {
  auto const y = std::make_shared<std::vector<T>>(std::size_t(n));
  return loop([f, y, n] {
    T* const to = y->data();
    for (long k = 0; k < n; ++k) to[k] = static_cast<T>(f(k));
    return y.get();
  });
}

}  // namespace bench
