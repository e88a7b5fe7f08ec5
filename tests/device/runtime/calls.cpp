// What the device context asks of CUDA and cuBLAS, counted by a runtime that stands in for theirs; and that each of
// these calls may fail. In a file that is not compiled for CUDA the device is another one (beside.cpp).
#include <ricci/device.hpp>

#include <doctest/doctest.h>

#include <cmath>

#include "../../numbers.hpp"
#include "../../raised.hpp"
#include "beside.hpp"

namespace rc = ricci;

namespace {

rc::device const there{};
auto& runtime = stand_in::runtime();

template <class X>
numbers elements(X const& x) {
  return numbers(rc::copy(x, rc::cpu{}));
}

// the net, loss and optimiser of examples/digits, smaller
constexpr int pixels = 6, hidden = 5, classes = 3, batch = 4;
template <class Kind = rc::values>
struct params {
  rc::field<Kind, float, pixels, hidden> w1;
  rc::field<Kind, float, hidden> b1;
  rc::field<Kind, float, hidden, classes> w2;
  rc::field<Kind, float, classes> b2;
};
constexpr auto loss = [](auto const& p, auto const& images, auto const& targets) {
  auto h = rc::relu(rc::matmul(images, p.w1) + p.b1);
  auto z = rc::matmul(h, p.w2) + p.b2;
  return rc::mean(rc::logsumexp(z, rc::axis<1>) - rc::sum(z * targets, rc::axis<1>));
};
template <class P>
struct adam {
  P mean, square;
  explicit adam(P const& p) : mean(rc::zeros_like(p)), square(rc::zeros_like(p)) {}
  void step(P& p, P const& gradient) {
    rc::tree_map(
        [](auto& w, auto& m, auto& v, auto const& g) {
          m = 0.9f * m + 0.1f * g;
          v = 0.999f * v + 0.001f * g * g;
          w -= 0.1f * m / (rc::sqrt(v) + 1e-4f);
        },
        p, mean, square, gradient);
  }
};
// the same optimiser as a function, and a step of training as one
constexpr auto adam_step = [](auto p, auto mean, auto square, auto const& gradient) {
  rc::tree_map(
      [](auto& w, auto& m, auto& v, auto const& g) {
        m = 0.9f * m + 0.1f * g;
        v = 0.999f * v + 0.001f * g * g;
        w = w - 0.1f * m / (rc::sqrt(v) + 1e-4f);
      },
      p, mean, square, gradient);
  return std::tuple(p, mean, square);
};
constexpr auto training_step = [](auto p, auto mean, auto square, auto const& images, auto const& targets) {
  auto const [value, gradient] = rc::value_and_grad(loss)(p, images, targets);
  auto const [next, m, v] = adam_step(p, mean, square, gradient);
  return std::tuple(value, next, m, v);
};
using images_t = rc::tensor<float, batch, pixels>;
using targets_t = rc::tensor<float, batch, classes>;

struct training {
  images_t images;
  targets_t targets;
  params<> start;
  training() {
    float x = 0;
    auto const fill = [&](auto& t) {
      for (float& e : t) e = std::sin(++x);
    };
    fill(images), fill(start.w1), fill(start.b1), fill(start.w2), fill(start.b2);
    for (int k = 0; k < batch; ++k) targets(k, k % classes) = 1;
  }
  // the loss after so many steps; `before_last` is called before the last one
  template <class C, class F>
  float run(C context, int steps, F const& before_last) const {
    auto p = rc::copy(start, context);
    adam optimizer(p);
    float value = 0;
    for (int k = 0; k < steps; ++k) {
      if (k + 1 == steps) before_last();
      auto const [v, gradient] = rc::value_and_grad(loss)(p, rc::copy(images, context), rc::copy(targets, context));
      optimizer.step(p, gradient);
      value = v.item();
    }
    return value;
  }
  // the same by one function, `rc::fn(training_step)` or prepared
  template <class C, class Step, class F>
  float run_traced(C context, int steps, Step&& step, F const& before_last) const {
    auto p = rc::copy(start, context);
    auto mean = rc::zeros_like(p), square = rc::zeros_like(p);
    float value = 0;
    for (int k = 0; k < steps; ++k) {
      if (k + 1 == steps) before_last();
      auto [v, next, m, s] = step(p, mean, square, rc::copy(images, context), rc::copy(targets, context));
      p = std::move(next), mean = std::move(m), square = std::move(s);
      value = v.item();
    }
    return value;
  }
};

}  // namespace

TEST_CASE("a step of training: launches, products, copies, memory") {
  training const t;
  float const expected = t.run(rc::cpu{}, 4, [] {});
  float const got = t.run(there, 4, [] { runtime.forget_counts(); });
  CHECK(got == doctest::Approx(expected).epsilon(1e-4));
  CHECK(runtime.count("cublasSgemmStridedBatched") == 5);
  CHECK(runtime.count("cudaMalloc") == 0);
  CHECK(runtime.count("cudaMemcpyAsync to the device") == 2);  // the batch
  CHECK(runtime.count("cudaMemcpyAsync to the host") == 1);    // the loss
  CHECK(runtime.count("cudaStreamSynchronize") == 1);          // for that
  CHECK(runtime.count("cudaEventSynchronize") == 0);
  CHECK(runtime.count("cudaHostAlloc") == 0);
  CHECK(runtime.count("cudaMemsetAsync") == 0);
  CHECK(runtime.count("cudaLaunchKernel") == 19);  // 7 of them for the gradient, 12 for three statements per tensor
}

TEST_CASE("a step of training that is one function: all tensors are updated in one launch") {
  training const t;
  float const expected = t.run(rc::cpu{}, 4, [] {});
  CHECK(t.run_traced(there, 4, rc::fn(training_step), [] { runtime.forget_counts(); }) ==
        doctest::Approx(expected).epsilon(1e-4));
  CHECK(runtime.count("cudaLaunchKernel") == 8);
  CHECK(runtime.count("cublasSgemmStridedBatched") == 5);
  CHECK(runtime.count("cudaMalloc") == 0);
  auto const p = rc::copy(t.start, there);
  runtime.forget_counts();
  (void)rc::fn(adam_step)(p, p, p, p);
  CHECK(runtime.count("cudaLaunchKernel") == 1);
}

TEST_CASE("a step of training that is prepared is the launch of a graph") {
  training const t;
  auto step = rc::prepared(training_step);
  // results lie where they lay two steps before: the first two are executed, the next two recorded
  float const expected = t.run_traced(there, 9, rc::fn(training_step), [] {});
  CHECK(t.run_traced(there, 9, step, [] { runtime.forget_counts(); }) == expected);
  CHECK(runtime.count("cudaGraphLaunch") == 1);
  CHECK(runtime.count("cudaStreamBeginCapture") == 0);
  CHECK(runtime.count("cudaLaunchKernel") == 0);
  CHECK(runtime.count("cublasSgemmStridedBatched") == 0);
  CHECK(runtime.count("cudaMemcpyAsync to the device") == 2);
  CHECK(runtime.count("cudaMemcpyAsync to the host") == 1);
  CHECK(runtime.count("cudaStreamSynchronize") == 1);
  CHECK(runtime.count("cudaStreamWaitEvent") == 0);
  CHECK(runtime.count("cudaEventRecord") == 3);  // of two copies, and where memory is given back
  CHECK(runtime.graphs() == 2);
}

TEST_CASE("a prepared function: other elements, addresses, extents and numbers; one graph for operands that stay") {
  auto step = rc::prepared([](auto const& x, auto const& a, auto const& b) { return rc::sum(x * a + b, rc::axis<1>); });
  auto const of = [](auto const& x, auto const& a, float b) {
    return elements(rc::eval(rc::sum(x * a + b, rc::axis<1>)));
  };
  auto x = rc::eval(rc::ones<float>(rc::shape(3, 40), there) * 2.f), a = rc::eval(rc::ones_like(x) * 3.f);
  auto y = rc::zeros<float>(rc::shape(3), there);
  for (int k = 0; k < 5; ++k) {
    x += 1.f;
    runtime.forget_counts();
    step.into(y)(x, a, 4.f);
    CHECK(runtime.count("cudaStreamBeginCapture") == (k == 1));
    CHECK(runtime.count("cudaGraphLaunch") == (k > 0));
    CHECK(runtime.count("cudaLaunchKernel") == (k == 0 ? 1 : k == 1 ? 2 : 0));  // the second brings the number
    CHECK(elements(y) == of(x, a, 4.f));
  }
  for (float b : {5.f, 5.f, 6.f}) {
    runtime.forget_counts();
    step.into(y)(x, a, b);
    CHECK(runtime.count("cudaGraphLaunch") == 1);
    CHECK(elements(y) == of(x, a, b));
  }
  CHECK(runtime.graphs() == 1);
  auto const before = x;
  for (int n = 1; n < 40; ++n) {
    auto const part = rc::eval(x(rc::all, rc::range(0, n)));
    for (int k = 0; k < 3; ++k) {
      step.into(y)(part, rc::ones_like(part), 4.f);
      CHECK(elements(y) == of(part, rc::ones_like(part), 4.f));
      step.into(y)(x(rc::all, rc::range(0, n)), a(rc::all, rc::range(40 - n, 40)), 4.f);
      CHECK(elements(y) == of(x(rc::all, rc::range(0, n)), a(rc::all, rc::range(40 - n, 40)), 4.f));
    }
    CHECK(runtime.graphs() <= 16);
  }
  auto other = step;  // a copy has none of it
  other.into(y)(before, a, 7.f);
  CHECK(elements(y) == of(x, a, 7.f));
}

TEST_CASE("prepared functions that ask the host run as others do, on the device and on the host by turns") {
  auto rows = rc::prepared([](auto const& x, auto const& at) { return rc::put_rows<0>(rc::sort(x), at, at); });
  auto halves = rc::prepared([](auto const& x) {
    return rc::while_loop([](auto const& v) { return rc::sum(v) > 1.; }, [](auto const& v) { return v / 2.; }, x);
  });
  auto scaled = rc::prepared([](auto const& x) { return rc::exp(x) * rc::sum(x); });
  rc::tensor<double, 4> const here{4, 2, 1, 3};
  auto const x = rc::copy(here, there);
  auto const at = rc::copy(rc::tensor<int, 2>{0, 3}, there);
  std::size_t const graphs = runtime.graphs();
  for (int k = 0; k < 3; ++k) {
    CHECK(elements(rows(x, at)) == numbers{0, 2, 3, 3});
    CHECK(elements(halves(x)) == numbers{0.25, 0.125, 0.0625, 0.1875});
    CHECK(elements(scaled(x)) == elements(rc::eval(rc::exp(x) * rc::sum(x))));
    CHECK(numbers(scaled(here)) == numbers(rc::eval(rc::exp(here) * rc::sum(here))));
  }
  CHECK(runtime.graphs() == graphs);
#if RICCI_EXCEPTIONS
  CHECK(raised([&] { (void)rows(x, rc::copy(rc::tensor<int, 2>{0, 4}, there)); }).starts_with("index_error"));
#endif
}

TEST_CASE("rows are read by index without a wait; who waits next is told of an index outside") {
  rc::tensor<double, 4, 2> const here{{4, 5}, {2, 3}, {1, 6}, {3, 7}};
  auto const x = rc::copy(here, there);
  auto const at = rc::copy(rc::tensor<int, 3>{0, -1, 2}, there);
  auto const take = [](auto const& t, auto const& k) { return rc::eval(rc::take(t, k, rc::axis<0>)); };
  (void)take(x, at);
  runtime.forget_counts();
  auto const rows = take(x, at);
  CHECK(runtime.count("cudaLaunchKernel") == 2);  // indices become int64
  CHECK(runtime.count("cudaStreamSynchronize") == 0);
  CHECK(runtime.count("cudaMemsetAsync") == 0);
  CHECK(elements(rows) == numbers{4, 5, 3, 7, 1, 6});
  // recorded, too
  std::size_t const graphs = runtime.graphs();
  auto prepared = rc::prepared([](auto const& t, auto const& k) { return rc::take(t, k, rc::axis<0>) * 2.; });
  rc::device_tensor<double, 3, 2> y;
  for (int k = 0; k < 3; ++k) {
    prepared.into(y)(x, at);
    CHECK(elements(y) == numbers{8, 10, 6, 14, 2, 12});
  }
  CHECK(runtime.graphs() == graphs + 1);
#if RICCI_EXCEPTIONS
  // the first one of the first step that has one, once, to who waits; what is right is written all the same
  auto const none = rc::copy(rc::tensor<int, 3>{1, 4, -5}, there);
  auto const others = rc::copy(rc::tensor<int, 3>{7, 7, 7}, there);
  runtime.forget_counts();
  auto const wrong = take(x, none);
  (void)take(x, others);
  auto const sum = rc::eval(rc::sum(x));
  CHECK(runtime.count("cudaStreamSynchronize") == 0);
  CHECK(raised([&] { (void)sum.item(); }) == "index_error: take: index 4 is out of range for an axis of 4");
  CHECK(sum.item() == 31);
  CHECK(elements(wrong(0)) == numbers{2, 3});
  CHECK(elements(take(x, at)) == elements(rows));
  // of each outer row its own; from a graph; where there is nothing to read
  auto const own = rc::copy(rc::tensor<int, 4, 2>{{0, 1}, {1, 0}, {1, -3}, {2, 0}}, there);
  CHECK(raised([&] { (void)elements(rc::take_along_axis(x, own, rc::axis<1>)); }) ==
        "index_error: take_along_axis: index -3 is out of range for an axis of 2");
  auto changing = rc::copy(rc::tensor<int, 3>{0, -1, 2}, there);
  for (int k = 0; k < 3; ++k) prepared.into(y)(x, changing);
  CHECK(elements(y) == numbers{8, 10, 6, 14, 2, 12});
  changing(0) = 4;
  prepared.into(y)(x, changing);
  CHECK(raised([&] { (void)elements(y); }) == "index_error: take: index 4 is out of range for an axis of 4");
  changing(0) = 3;
  prepared.into(y)(x, changing);
  CHECK(elements(y) == numbers{6, 14, 6, 14, 2, 12});
  CHECK(raised([&] { (void)take(rc::zeros<double>(rc::shape(2, 0), there), at); }) ==
        "index_error: take: index 2 is out of range for an axis of 2");
#endif
}

TEST_CASE("a kernel reads what was copied before, and a copy what was computed before") {
  auto x = rc::copy(rc::tensor<float, 3>{1, 2, 3}, there);
  for (int k = 0; k < 3; ++k) x += 1.f;  // queued
  rc::tensor<float, 3> source{7, 8, 9};
  auto y = rc::copy(source, there);
  source = 0.f;  // the copy has gone
  CHECK(elements(x) == numbers{4, 5, 6});
  CHECK(elements(rc::eval(x + y)) == numbers{11, 13, 15});
}

TEST_CASE("nobody waits for a copy to the device, but where many are on their way") {
  runtime.forget_counts();
  rc::tensor<float, 3> source{1, 2, 3};
  auto const x = rc::copy(source, there);
  source = 0.f;
  auto const y = rc::eval(x + 1.f);  // behind the copy
  CHECK(runtime.count("cudaStreamSynchronize") == 0);
  CHECK(elements(y) == numbers{2, 3, 4});
  runtime.forget_counts();
  for (int k = 0; k < 1000; ++k) (void)rc::copy(source, there);  // small ones share memory on their way
  CHECK(runtime.count("cudaEventQuery") == 0);
  CHECK(runtime.count("cudaStreamWaitEvent") == 0);
  CHECK(runtime.count("cudaMemcpyAsync to the device") == 1000);
  (void)elements(y);
  constexpr rc::index_t n = 11 * (rc::index_t(1) << 17) + 5;  // 12 MiB by way of 8
  auto numbers_of_host = rc::eval(rc::arange<double>(n));
  auto const before = rc::eval(numbers_of_host + 0.);
  runtime.forget_counts();
  auto const many = rc::copy(numbers_of_host, there);
  numbers_of_host = 0.;
  CHECK(runtime.count("cudaMemcpyAsync to the device") == 12);
  CHECK(runtime.count("cudaEventSynchronize") == 4);
  CHECK(runtime.count("cudaStreamSynchronize") == 0);
  CHECK(double(rc::max(rc::abs(rc::copy(many, rc::cpu{}) - before))) == 0);
}

TEST_CASE("what is made of numbers is made there") {
  runtime.forget_counts();
  CHECK(elements(rc::zeros<float>(rc::shape(2, 2), there)) == numbers{0, 0, 0, 0});
  auto const x = rc::full<double>(rc::extents<3>{}, 2, there);
  CHECK(elements(rc::ones_like(x)) == numbers{1, 1, 1});
  CHECK(elements(rc::arange<int>(3, 9, 2, there)) == numbers{3, 5, 7});
  CHECK(elements(rc::arange<float>(0.f, 1.f, 0.25f, there)) == numbers{0, 0.25, 0.5, 0.75});
  CHECK(elements(rc::eye<float>(2, 3, there)) == numbers{1, 0, 0, 0, 1, 0});
  CHECK(elements(rc::eye<float>(3, 2, there)) == numbers{1, 0, 0, 1, 0, 0});
  CHECK(elements(rc::zeros<float>(rc::shape(0, 2), there)) == numbers{});
  CHECK(rc::device_tensor<double>(3.5).item() == 3.5);
  CHECK(elements(rc::linspace<float>(1.f, 2.f, 5, there)) == numbers{1, 1.25, 1.5, 1.75, 2});
  CHECK(elements(rc::linspace<double>(0., 1., 4, rc::endpoint{false}, there)) == numbers{0, 0.25, 0.5, 0.75});
  CHECK(elements(rc::linspace<double>(3., 1., 1, there)) == numbers{3});
  CHECK(elements(rc::logspace<double>(0., 2., 3, 10., {}, there)) == numbers{1, 10, 100});
  CHECK(elements(rc::tri<float>(rc::shape(2, 3), 1, there)) == numbers{1, 1, 0, 1, 1, 1});
  CHECK(runtime.count("cudaLaunchKernel") == 13);
  CHECK(runtime.count("cudaMemcpyAsync to the device") == 0);
}

#if RICCI_EXCEPTIONS
TEST_CASE("whatever call fails, the error names it and its place, and nothing leaks") {
  training const t;
  rc::index_t const before = rc::device_memory().in_use();
  auto const program = [&] {
    (void)t.run(there, 1, [] {});
    (void)t.run_traced(there, 1, rc::fn(training_step), [] {});
    auto scores = rc::prepared([](auto const& x, auto const& w, auto const& by) {
      return rc::sum(rc::relu(rc::matmul(x, w)) * by, rc::axis<1>);
    });
    auto const images = rc::copy(t.images, there);
    auto const w = rc::copy(t.start.w1, there);
    rc::device_tensor<float, batch> result;
    for (int k = 0; k < 3; ++k) scores.into(result)(images, w, 2.f);  // executed, recorded, launched
    auto x = rc::copy(rc::tensor<double, 4>{4, 2, 1, 3}, there);
    x += rc::sum(x);
    (void)elements(rc::eval(rc::take(rc::sort(x), rc::copy(rc::tensor<int, 2>{0, 3}, there))));
    (void)elements(rc::eval(rc::sum(rc::ones<float>(rc::shape(2, 70000), there), rc::axis<1>)));
    x = rc::copy(rc::tensor<double, 4>{}, there);
  };
  int failures = 0;
  for (long n = 1;; ++n) {
    rc::device_memory().trim();
    CHECK(runtime.allocated() <= 1);  // what kernels report in
    runtime.fail_at(n, cudaErrorIllegalAddress);
    std::string text = raised(program);
    std::string const failed = runtime.failed();
    runtime.fail_no_more();
    if (failed.empty()) break;
    if (text.empty()) text = raised(program);  // what fails where memory is given back is raised by the next call
    ++failures;
    INFO("call ", n, ": ", failed, ": ", text);
    CHECK(runtime.graphs() == 0);
    CHECK(rc::device_memory().in_use() == before);
    CHECK(text.starts_with("device_error: "));
    CHECK(text.find(failed.substr(0, failed.find(' '))) != std::string::npos);
  }
  CHECK(failures > 100);
  CHECK(raised(program) == "");
}
#endif

TEST_CASE("a file that is compiled for CUDA, and one that is not, keep their own device") {
  runtime.forget_counts();
  CHECK(sum_beside() == 6);
  CHECK(runtime.counts().empty());
  CHECK(float(rc::sum(rc::eval(rc::copy(rc::tensor<float, 3>{1, 2, 3}, there) * 2.f))) == 12);
  CHECK(runtime.count("cudaLaunchKernel") == 2);
}

TEST_CASE("numbers of a call name rows, and say how often a loop runs") {
  auto const x = rc::copy(rc::tensor<double, 3, 2>{{1, 2}, {3, 4}, {5, 6}}, there);
  auto const row = [](auto const& t, auto i) { return t(i) * 2.; };
  auto const written = [](auto t, auto i, auto v) {
    t(i) = v;
    t(i).add(v);
    return t;
  };
  auto const steps = [](auto n, auto const& t) {
    return rc::fori_loop(
        0, n, [](auto, auto s) { return s + 1.; }, t);
  };
  CHECK(elements(rc::fn(row)(x, std::int64_t(1))) == numbers{6, 8});
  CHECK(elements(rc::fn(written)(x, std::int64_t(2), 7.)) == numbers{1, 2, 3, 4, 14, 14});
  auto rows = rc::prepared(row);
  auto writes = rc::prepared(written);
  auto loops = rc::prepared(steps);
  for (int const i : {0, 1, 2, 1, 1}) {
    CHECK(elements(rows(x, std::int64_t(i))) == numbers{4. * i + 2, 4. * i + 4});
    auto const w = elements(writes(x, std::int64_t(i), 9.));
    CHECK(w.values[std::size_t(2 * i)] == 18);
    CHECK(w.values[std::size_t((2 * i + 2) % 6)] == (2 * i + 2) % 6 + 1);
    CHECK(elements(loops(std::int64_t(i + 2), x)).values[0] == i + 3);
  }
}

#if RICCI_EXCEPTIONS
TEST_CASE("a target on another device is refused, as operands there are") {
  rc::tensor<float, 3> const host{1, 2, 3};
  auto const x = rc::copy(host, rc::device{0});
  auto target = rc::copy(host, rc::device{1});
  auto const twice = [](auto a) { return a * 2.f; };
  std::string const refused =
      "context_error: operands lie on device:0 and on another one: rc::copy brings them together";
  CHECK(raised([&] { rc::fn(twice).into(target)(x); }) == refused);
  auto prepared = rc::prepared(twice);
  CHECK(raised([&] { prepared.into(target)(x); }) == refused);
  CHECK(elements(target) == numbers{1, 2, 3});
  auto same = rc::copy(host, rc::device{1});
  rc::fn(twice).into(same)(target);
  CHECK(elements(same) == numbers{2, 4, 6});
}
#endif
