// Threads change nothing: every kind of loop gives the same results bit for bit on 1, 2, 3 and 7 threads (or on as many
// as the environment variable RICCI_TEST_THREADS says); and distinct results may be computed by several threads of a
// program at once.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <ricci/ricci.hpp>

#include "numbers.hpp"
#include "raised.hpp"

namespace rc = ricci;

namespace {

std::vector<int> thread_counts() {
  if (char const* chosen = std::getenv("RICCI_TEST_THREADS")) return {std::atoi(chosen)};
  return {2, 3, 7};
}

using bytes = std::string;
template <class X>
bytes bytes_of(X const& x) {
  using T = typename X::value_type;
  return bytes(reinterpret_cast<char const*>(x.data()), static_cast<std::size_t>(x.size()) * sizeof(T));
}

template <class X>
X filled(X x) {
  for (rc::index_t k = 0; k < x.size(); ++k) {
    double const v = std::sin(0.37 * static_cast<double>(k)) + 0.01 * static_cast<double>(k % 13);
    x.data()[k] = static_cast<typename X::value_type>(v);
  }
  return x;
}

// all results with operands of that many threads
template <class F>
std::vector<bytes> results(F const& f, int threads) {
  std::vector<bytes> r;
  f(rc::cpu{.threads = threads}, [&](auto const& x) {
    auto const y = rc::eval(x);
    r.push_back(bytes_of(y));
  });
  return r;
}
template <class F>
void same_on_all(F const& f) {
  auto const alone = results(f, 1);
  REQUIRE(!alone.empty());
  for (int threads : thread_counts())
    for (int again = 0; again < 3; ++again) {
      CAPTURE(threads);
      auto const together = results(f, threads);
      REQUIRE(together.size() == alone.size());
      for (std::size_t k = 0; k < alone.size(); ++k) {
        CAPTURE(k);
        CHECK((!alone[k].empty() && together[k] == alone[k]));
      }
    }
}

}  // namespace

TEST_CASE("maps: contiguous, broadcast, strided") {
  same_on_all([](rc::cpu const& context, auto const& keep) {
    auto const x = filled(rc::zeros<float>(rc::shape(100003), context));
    keep(rc::eval(rc::exp(-x * x) * rc::tanh(x), context));
    keep(rc::eval(x > 0.5f, context));
    auto const a = filled(rc::zeros<float>(rc::shape(301, 403), context)),
               b = filled(rc::zeros<float>(rc::shape(403, 301), context));
    auto const row = filled(rc::zeros<float>(rc::shape(403), context));
    keep(rc::eval(a * row + rc::matrix_transpose(b), context));
    keep(rc::eval(a(rc::range(0, 301, 2), rc::range(1, 400)) + 1.f, context));
    auto target = rc::zeros<float>(rc::shape(301, 403), context);
    target(rc::all, rc::range(1, 403)) = a(rc::all, rc::range(0, 402)) * 2.f;
    keep(target);
  });
}

TEST_CASE("reductions of every shape") {
  same_on_all([](rc::cpu const& context, auto const& keep) {
    auto const x = filled(rc::zeros<float>(rc::shape(1000003), context));
    keep(rc::eval(rc::sum(x), context));
    keep(rc::eval(rc::sum((x - 0.5f) * x), context));
    keep(rc::eval(rc::max(x), context));
    keep(rc::eval(rc::argmin(x), context));
    keep(rc::eval(rc::logsumexp(x), context));
    for (auto const& [rows, columns] : {std::pair(3, 60007), std::pair(60007, 3), std::pair(700, 301)}) {
      auto const a = filled(rc::zeros<double>(rc::shape(rows, columns), context));
      keep(rc::eval(rc::sum(a, rc::axis<0>), context));
      keep(rc::eval(rc::sum(a, rc::axis<1>), context));
      keep(rc::eval(rc::sum(a), context));
      keep(rc::eval(rc::argmax(a, rc::axis<0>), context));
      keep(rc::eval(rc::softmax(a), context));
    }
    auto const c = filled(rc::zeros<float>(rc::shape(60, 50, 70), context));
    keep(rc::eval(rc::sum(c, rc::axis<1>), context));
    keep(rc::eval(rc::prod(1.f + 0.01f * c, rc::axis<0, 2>), context));
    keep(rc::eval(rc::cumulative_sum(c, rc::axis<0>) + rc::cumulative_sum(c, rc::axis<2>), context));
  });
}

TEST_CASE("products") {
  same_on_all([](rc::cpu const& context, auto const& keep) {
    auto const a = filled(rc::zeros<float>(rc::shape(203, 305), context)),
               b = filled(rc::zeros<float>(rc::shape(305, 171), context));
    keep(rc::eval(rc::matmul(a, b), context));
    keep(rc::eval(rc::tanh(rc::matmul(rc::matrix_transpose(b), rc::matrix_transpose(a)) + 0.5f), context));
    auto const batch = filled(rc::zeros<double>(rc::shape(40, 33, 37), context));
    keep(rc::eval(rc::matmul(batch, rc::matrix_transpose(batch)), context));
    auto const tall = filled(rc::zeros<float>(rc::shape(1203, 309), context));
    auto const x = filled(rc::zeros<float>(rc::shape(309), context));
    keep(rc::eval(rc::matmul(tall, x) - 0.5f, context));
    keep(rc::eval(rc::matmul(x, rc::eval(rc::matrix_transpose(tall))), context));
    // strips and tails of every width
    for (int rows : {257, 258, 1025, 1027}) {
      auto const m = filled(rc::zeros<float>(rc::shape(rows, 1031), context));
      auto const v = filled(rc::zeros<float>(rc::shape(1031), context));
      keep(rc::eval(rc::matmul(m, v), context));
      keep(rc::eval(rc::matmul(v, rc::eval(rc::matrix_transpose(m))), context));
    }
    for (int columns : {2, 3, 5}) {
      auto const few = filled(rc::zeros<float>(rc::shape(309, columns), context));
      keep(rc::eval(rc::matmul(tall, few), context));
      keep(rc::eval(rc::tanh(rc::matmul(few.T(), tall.T())), context));
    }
  });
}

TEST_CASE("who helps treats subnormal numbers as the thread that it helps") {
  auto const zeros = [](int threads) {
    rc::cpu const context{.threads = threads};
    auto const a = rc::full<float>(rc::shape(1 << 20), 1e-20f, context);
    return rc::count_nonzero(rc::eval(a * a, context) == 0.f).item();
  };
  for (int threads : thread_counts()) {
    CHECK(zeros(threads) == 0);
    {
      rc::flush_subnormals const guard;
      CHECK(zeros(threads) == (RICCI_HAS_MXCSR ? 1 << 20 : 0));
    }
    CHECK(zeros(threads) == 0);
  }
}

TEST_CASE("rows taken, and a function with its gradient") {
  same_on_all([](rc::cpu const& context, auto const& keep) {
    auto const w = filled(rc::zeros<float>(rc::shape(120, 80), context)),
               x = filled(rc::zeros<float>(rc::shape(600, 120), context));
    rc::tensor<int, rc::dyn> rows(900);
    for (int k = 0; k < 900; ++k) rows(k) = (k * 37) % 600;
    auto const loss = [](auto p, auto q, auto r) {
      return rc::mean(rc::square(rc::tanh(rc::matmul(rc::take(q, r, rc::axis<0>), p))));
    };
    auto const [value, gradients] = rc::value_and_grad<0, 1>(loss)(w, x, rows);
    keep(value);
    keep(std::get<0>(gradients));
    keep(std::get<1>(gradients));
  });
}

TEST_CASE("an error in a thread comes out where the call was made") {
  for (int threads : thread_counts()) {
    auto const x = filled(rc::zeros<float>(rc::shape(1000, 300), rc::cpu{.threads = threads}));
    rc::tensor<int, rc::dyn> rows(2000);
    rows(1999) = 1000;
    CHECK(raised([&] {
            return rc::eval(rc::take(x, rows, rc::axis<0>) * 2.f, rc::cpu{.threads = threads}).size();
          }).starts_with("index_error"));
    rows(1999) = 999;
    CHECK(rc::eval(rc::take(x, rows, rc::axis<0>) * 2.f, rc::cpu{.threads = threads})(1999, 7) == 2 * x(999, 7));
  }
  CHECK(
      raised([] { return rc::zeros<float>(rc::shape(3), rc::cpu{.threads = 0}).size(); }).starts_with("context_error"));
}

TEST_CASE("several threads of a program compute at once") {
  for (int inner : {1, thread_counts().back()}) {
    auto const shared = filled(rc::zeros<float>(rc::shape(50000), rc::cpu{.threads = inner}));
    float const expected = rc::sum(shared * 2.f).item();
    constexpr int count = 4;
    float found[count] = {};
    std::vector<std::thread> all_threads;
    for (int k = 0; k < count; ++k)
      all_threads.emplace_back([&found, &shared, k] {
        for (int again = 0; again < 20; ++again) {
          auto const mine = shared;  // a deep copy
          auto const view = shared(rc::range(0, 50000));
          auto const lazy = mine + view;  // both co-owned
          found[k] = rc::sum(lazy).item();
        }
      });
    for (auto& t : all_threads) t.join();
    for (float f : found) CHECK(f == expected);
  }
}

#if RICCI_EXCEPTIONS
TEST_CASE("an exception in a chunk comes out where the job was given, and the next job is done") {
  (void)rc::zeros<float>(rc::shape(1), rc::cpu{.threads = 3});
  for (int round = 0; round < 50; ++round) {
    std::string text;
    try {
      rc::exec::parallel_for(3, 40, [&](rc::index_t k) {
        if (k % 7 == round % 7) rc::core::raise<rc::value_error>(rc::core::text() << "chunk");
      });
    } catch (rc::value_error const& e) {
      text = e.what();
    }
    CHECK(text == "chunk");
    rc::index_t done[40]{}, sum = 0;
    rc::exec::parallel_for(3, 40, [&](rc::index_t k) { done[k] = k; });
    for (rc::index_t const k : done) sum += k;
    CHECK(sum == 780);
  }
}
#endif

// Shares of memory that one thread has made are copied and given up by others, in any order.
namespace {

std::atomic<int> made{0}, freed{0};

struct shares {
  using tensor = rc::ndarray<float, 1>;
  using part = decltype(std::declval<tensor&>()(rc::range(1, 3)));
  using expression = decltype(std::declval<tensor&>() + std::declval<tensor&>());
  std::unique_ptr<tensor> x;
  std::unique_ptr<part> v;
  std::unique_ptr<expression> e;

  static shares make(int n) {
    shares s;
    s.x = std::make_unique<tensor>(n);
    s.x->owner().header().release = [](rc::core::block_header&) { ++freed; };
    ++made;
    for (int k = 0; k < n; ++k) (*s.x)(k) = float(k);
    return s;
  }
  void change(unsigned by) {
    if (x && by % 2 == 0) v = std::make_unique<part>((*x)(rc::range(1, 3)));
    if (x && by % 3 == 0) e = std::make_unique<expression>(*x + *x);
    if (x && by % 5 == 0) CHECK(rc::eval(*x + *x)(2) == 4);
    if (e && by % 7 < 3) CHECK(rc::eval(*e)(3) == 6);
    if (v && by % 7 < 3) CHECK((*v)(1) == 2);
    if (by % 11 < 4) x.reset();
    if (by % 13 < 4) v.reset();
    if (by % 17 < 5) e.reset();
  }
};

}  // namespace

TEST_CASE("memory is freed by whichever thread is the last") {
  constexpr int slots = 4, workers = 4, rounds = 3000;
  {
    struct slot_t {
      std::mutex mutex;
      shares content;
    };
    std::vector<slot_t> slot(slots);
    auto const work = [&](unsigned seed) {
      shares own;
      for (int k = 0; k < rounds; ++k) {
        seed = seed * 1664525u + 1013904223u;
        unsigned const random = seed >> 8;
        if (random % 4 == 0) own = shares::make(4 + int(random / 4 % 5));
        own.change(random / 3);
        slot_t& s = slot[random % slots];
        std::lock_guard const lock(s.mutex);
        s.content.change(random / 5);
        switch (random / 7 % 4) {
          case 0:
            std::swap(own.x, s.content.x);
            break;
          case 1:
            own.v.reset();
            if (s.content.v) own.v = std::make_unique<shares::part>(*s.content.v);
            break;
          case 2:
            s.content.e.reset();
            if (own.e) s.content.e = std::make_unique<shares::expression>(*own.e);
            break;
          default:
            std::swap(own, s.content);
        }
      }
    };
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < workers; ++k) threads.emplace_back(work, k + 1);
    for (auto& t : threads) t.join();
  }
  // made by a thread that is gone
  shares last;
  std::thread([&] {
    last = shares::make(4);
    last.change(0);
    last = shares::make(4);
    last.v = std::make_unique<shares::part>((*last.x)(rc::range(1, 3)));
  }).join();
  last.x.reset();
  CHECK(numbers(rc::eval(*last.v * 1.f)) == numbers{1, 2});
  last.v.reset();
  CHECK(made > 1000);
  CHECK(freed == made);
}
