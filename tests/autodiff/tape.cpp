// The tape: what is recorded and what is not, changes of variables and the errors that name them, lifetimes, threads,
// what a failing statement or allocation leaves behind, and what many statements cost.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

#if RICCI_EXCEPTIONS
// every allocation of this program is counted, and may be told to fail
namespace {
long alive = 0, allowed = -1;
bool runs_out() { return allowed >= 0 && allowed-- == 0; }
}  // namespace
void* operator new(std::size_t n) {
  if (runs_out()) throw std::bad_alloc();
  void* const p = std::malloc(n > 0 ? n : 1);
  if (!p) throw std::bad_alloc();
  __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED);
  return p;
}
void operator delete(void* p) noexcept {
  if (p) __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED);
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }
#endif

namespace {

bool says(std::string const& text, char const* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("what is read and changed") {
  rc::tape tape;
  auto w = tape.variable(rc::tensor<double, 3>{1, 2, 3}, {.name = "weights"});
  rc::variable u = rc::exp(w);
  rc::variable v = rc::sum(u * w);
  w.value()(0) += 1;
  auto const text = raised([&] { v.backward(); });
  CHECK(text ==
        "tape_error: backward: statement 2, sum of (3,) (3,) that gives () reads the variable weights, of shape (3,), "
        "which "
        "has been written to 1 time(s) since");
  CHECK(tape.size() == 2);
  CHECK(numbers(w.grad()) == numbers{0, 0, 0});

  // exp is derived by its result alone, and a sum by nothing
  tape.clear();
  rc::variable x = rc::exp(w);
  rc::variable y = rc::sum(x);
  w.value() = 0.;
  y.backward();
  CHECK(w.grad()(2) == std::exp(3.));
  w.zero_grad();
  rc::variable x2 = rc::exp(w);
  rc::variable y2 = rc::sum(x2);
  x2.value()(rc::range(0, 2)) -= 1.;
  CHECK(says(raised([&] { y2.backward(); }), "reads the result of statement 5"));

  // every way to write counts, and no way to read
  tape.clear();
  auto const is_found = [&](auto const& change) {
    rc::variable s = rc::sum(w * w);
    change(w);
    return raised([&] { s.backward(); }) != "";
  };
  CHECK(is_found([](auto& a) { a.value() = rc::tensor<double, 3>{1, 2, 3}; }));
  CHECK(is_found([](auto& a) { a.value() *= 2.; }));
  CHECK(is_found([](auto& a) { a.value().at(-1) = 4; }));
  CHECK(is_found([](auto& a) { a.value()(rc::range(1, 3))(0) = 4; }));
  CHECK(is_found([](auto& a) { a.detach().value() = 4.; }));
  CHECK(!is_found([](auto& a) { CHECK(double(rc::sum(a.value() * a.value())) == 48); }));
  CHECK(!is_found([](auto& a) { CHECK(a.value()(1) == 4); }));
  CHECK(!is_found([](auto& a) { rc::tensor<double, 2> t = a.value()(rc::range(1, 3)) + a.value()(0) * 1.; }));
  CHECK(!is_found([](auto& a) { CHECK(rc::eval(a.value())(0) == 4); }));
  CHECK(!is_found([](auto const& a) { CHECK(a.value()(0) == 4); }));
  CHECK(!is_found([](auto& a) { a.grad() *= 2.; }));
}

TEST_CASE("what requires no gradient") {
  rc::tape tape;
  auto w = tape.variable(rc::tensor<double, 2>{1, 2});
  auto x = tape.variable(rc::tensor<double, 2>{3, 4}, {.requires_grad = false});
  rc::variable y = x * x + 1.;
  CHECK(tape.size() == 0);
  CHECK(!y.requires_grad());
  CHECK(says(raised([&] { y.backward(rc::tensor<double, 2>{1, 1}); }), "requires a gradient"));
  rc::variable z = rc::sum(w * y);
  CHECK(tape.size() == 1);
  z.backward();
  CHECK(numbers(w.grad()) == numbers{10, 17});
  CHECK(numbers(x.grad()) == numbers{0, 0});
  {
    rc::no_grad const off(tape);
    rc::variable h = w * 2.;
    CHECK(!h.requires_grad());
    CHECK(tape.size() == 0);
    CHECK(numbers(h.value()) == numbers{2, 4});
  }
  w.zero_grad();
  rc::variable d = rc::sum(w * (w * 2.)), k = rc::sum(w * w.detach());
  k.backward();
  CHECK(numbers(w.grad()) == numbers{1, 2});
  w.value()(0) = 5;
  CHECK(w.detach().value()(0) == 5);
}

TEST_CASE("copies are the same variable, assignments another one") {
  rc::tape tape;
  auto w = tape.variable(2.);
  auto same = w;
  rc::variable h = same * w;
  rc::variable<double> old = h;
  h = h * h;
  h += 1.;
  CHECK(double(old) == 4);
  CHECK(double(h) == 17);
  h.backward();
  CHECK(double(same.grad()) == 32);
  rc::variable<double, rc::dyn> any = tape.variable(rc::tensor<double, 3>{1, 2, 3});
  any = any(rc::range(0, 2)) * 2.;
  CHECK(numbers(any.value()) == numbers{2, 4});
  rc::variable<double, 2> two = any;
  CHECK(says(raised([&] { rc::variable<double, 3> three = any; }), "shape_error"));
  CHECK(says(raised([&] { rc::variable<double, 3> three = any * 2.; }), "shape_error"));
  CHECK(tape.size() == 1);
  // views of a gradient see what is summed up, and that it is cleared
  w.zero_grad();
  auto const g = w.grad();
  for (int k = 0; k < 2; ++k) {
    rc::variable s = w * 3.;
    s.backward();
  }
  CHECK(double(g) == 6);
  w.zero_grad();
  CHECK(double(g) == 0);
}

TEST_CASE("tapes and what outlives them") {
  auto one = std::make_unique<rc::tape>();
  rc::tape other;
  auto a = one->variable(2.);
  auto b = other.variable(3.);
  CHECK(says(raised([&] { rc::variable c = a * b; }), "two tapes"));
  CHECK(other.size() + one->size() == 0);
  rc::variable c = a * a;
  c.backward();
  rc::variable d = a * a;
  rc::tape moved = std::move(*one);
  CHECK(one->size() == 0);
  one->clear();
  CHECK(says(raised([&] { auto more = one->variable(1.); }), "this tape was moved from"));
  CHECK(says(raised([&] { rc::no_grad const off(*one); }), "this tape was moved from"));
  one.reset();
  d.backward();
  CHECK(double(a.grad()) == 8);
  rc::variable e = a * a;
  moved = rc::tape();
  CHECK(double(e) == 4);
  CHECK(says(raised([&] { e.backward(); }), "no longer on the tape"));
  CHECK(says(raised([&] { rc::variable f = a * a; }), "the tape of its variables is gone"));
  CHECK(double(a.grad()) == 8);
}

TEST_CASE("a statement that raises an error leaves the tape as it was") {
  rc::tape tape;
  auto a = tape.variable(rc::ndarray<double, 1>{1, 2, 3});
  auto b = tape.variable(rc::ndarray<double, 1>{1, 2});
  rc::variable s = rc::sum(a * a);
  CHECK(says(raised([&] { rc::variable c = a + b; }), "shape_error"));
  rc::variable h = a * 2.;
  CHECK(says(raised([&] { h = h * b; }), "shape_error"));
  CHECK(tape.size() == 2);
  CHECK(numbers(h.value()) == numbers{2, 4, 6});
  s.backward();
  CHECK(numbers(a.grad()) == numbers{2, 4, 6});
}

#if RICCI_EXCEPTIONS
TEST_CASE("an allocation that fails leaks nothing") {
  long const before = alive;
  long failures = 0;
  for (long n = 0; n < 200; ++n) {
    bool failed = false;
    {
      rc::tape tape;
      auto w = tape.variable(rc::ndarray<double, 1>{1, 2, 3});
      allowed = n;
      try {
        rc::variable h = rc::exp(w) * rc::sum(w);
        rc::variable s = rc::sum(h * h * w(rc::range(0, 3)));
        s.backward();
      } catch (std::bad_alloc const&) {
        failed = true;
      }
      allowed = -1;
      if (failed) {  // and everything goes on
        tape.clear();
        w.zero_grad();
        rc::variable again = rc::sum(w * w);
        again.backward();
        CHECK(numbers(w.grad()) == numbers{2, 4, 6});
      }
    }
    failures += failed;
    REQUIRE(alive == before);
    if (!failed) break;
  }
  CHECK(failures > 10);
}

#endif
TEST_CASE("threads have tapes of their own") {
  std::vector<std::thread> threads;
  std::vector<double> results(2);
  for (int id = 0; id < 2; ++id)
    threads.emplace_back([id, &results] {
      rc::tape tape;
      auto w = tape.variable(rc::ndarray<double, 1>{1, 2, 3});
      for (int k = 0; k < 500; ++k) {
        rc::variable s = rc::sum(w * w) * double(id + 1);
        s.backward();
      }
      results[std::size_t(id)] = w.grad()(2);
    });
  for (auto& t : threads) t.join();
  CHECK(results[0] == 6 * 500);
  CHECK(results[1] == 12 * 500);
}

TEST_CASE("many statements cost as much each as few") {
  auto const seconds = [](int n) {
    double best = 1e9;
    for (int round = 0; round < 3; ++round) {
      auto const start = std::chrono::steady_clock::now();
      rc::tape tape;
      auto w = tape.variable(rc::tensor<double, 4>{1, 1, 1, 1});
      rc::variable h = w * 1.;
      for (int k = 1; k < n; ++k) h = h * .5 + w;
      h.backward(rc::tensor<double, 4>{1, 1, 1, 1});
      CHECK(w.grad()(0) == doctest::Approx(n == 1 ? 1. : 2.));
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
  };
  double const few = seconds(4000), many = seconds(40000);
  MESSAGE("nanoseconds a statement, there and back: " << many / 40000 * 1e9);
  CHECK(many < 40 * few);
}
