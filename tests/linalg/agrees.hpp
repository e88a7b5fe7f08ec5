// Whether derivatives of f are right, in both modes and of order 2.
#pragma once

#include <doctest/doctest.h>

#include <ricci/linalg.hpp>

namespace matrices {

template <class F, class... X>
void agrees(char const* name, F const& f, X const&... x) {
  CAPTURE(name);
  auto const report = ricci::check_grads(f, x..., {.order = 2});
  CHECK_MESSAGE(bool(report), report.text());
}

}  // namespace matrices
