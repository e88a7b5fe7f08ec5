// Functions beside the references that references/make.py computed: check_gradient<0>(f, value, gradient, x...).
#pragma once

#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include <array>
#include <tuple>

#include "../numbers.hpp"
#include "references/benchmark_problems.hpp"

template <ricci::index_t... N>
ricci::tensor<double, N...> tensor_of(double const* from) {
  ricci::tensor<double, N...> x;
  for (ricci::index_t k = 0; k < x.size(); ++k) x.data()[k] = from[k];
  return x;
}
template <std::size_t N>
numbers numbers_of(double const (&x)[N]) {
  numbers all{};
  all.values.assign(x, x + N);
  return all;
}

// f(x...) and its gradient by arguments I, one after another, compiled, and interpreted
template <int... I, class F, std::size_t N, class... X>
void check_gradient(F const& f, double const (&value)[1], double const (&gradient)[N], X const&... x) {
  auto const check = [&](auto const& result) {
    auto const& [v, g] = result;
    numbers all{};
    auto const add = [&](auto const& part) {
      for (double e : numbers(part).values) all.push(e);
    };
    if constexpr (sizeof...(I) == 1)
      add(g);
    else
      std::apply([&](auto const&... part) { (add(part), ...); }, g);
    CHECK(numbers{double(v)}.near(numbers_of(value), 1e-10));
    CHECK(all.near(numbers_of(gradient), 1e-10));
  };
  check(ricci::value_and_grad<I...>(f)(x...));
  check(ricci::interpret(ricci::value_and_grad<I...>(f))(x...));
}
