// A step of a training writes its results where they are to lie: parameters and what the optimiser remembers are
// neither made anew nor copied, and a step that fails changes nothing. What a net uses twice is one leaf: one gradient,
// one array in a file.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>

#include <ricci/nn/checkpoint.hpp>
#include <ricci/nn/embedding.hpp>
#include <ricci/nn/init.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/losses.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/start_on_heap.hpp>
#include <ricci/nn/step.hpp>
#include <ricci/ricci.hpp>

#if RICCI_HAS_THREADS
#include <pthread.h>
#endif

#include "counted_memory.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {
long allocations = 0;
bool is_to_fail(std::size_t) { return ++allocations, false; }
}  // namespace

namespace {
template <class Kind = rc::values>
struct net {
  rc::field<Kind, float, rc::dyn, rc::dyn> table, w;
  rc::field<Kind, float, rc::dyn> b;
  constexpr auto operator()(auto const& x) const { return rc::matmul(rc::take(table, x, rc::axis<0>), w) + b; }
};
constexpr auto loss = [](auto const& m, auto state, auto const&, auto const& x, auto const& y) {
  return std::pair(rc::mean(rc::square(m(x) - y)), state);
};
net<> first_net() {
  net<> n;
  n.table = rc::tensor<float, rc::dyn, rc::dyn>{{1, 2}, {3, 4}, {5, 6}};
  n.w = rc::tensor<float, rc::dyn, rc::dyn>{{.5f, -1, 2}, {1, 0, -.5f}};
  n.b = rc::tensor<float, rc::dyn>{0, 1, 2};
  return n;
}
}  // namespace

TEST_CASE("parameters and memory stay where they are") {
  auto const optimiser = nn::adam{} | nn::constant{1e-2f};
  auto run = nn::start(first_net(), std::tuple<>{}, optimiser, nn::key{1});
  auto const step = nn::step_of<loss>(optimiser);
  rc::tensor<int, rc::dyn> const x{2, 0};
  rc::tensor<float, rc::dyn, 3> const y{{1, 2, 3}, {3, 2, 1}};
  step(run, x, y);  // (zeros that two members may share are taken apart)
  auto const places = [&] {
    auto const& memory = std::get<0>(run.optimiser);
    auto const& p = run.params;
    return std::array{p.table.data(),        p.w.data(), p.b.data(), memory.first.w.data(), memory.second.w.data(),
                      memory.second.b.data()};
  };
  auto const copy = run;  // another owner keeps what it has
  auto const w = rc::eval(copy.params.w + 0.f);
  auto const last = step(run, x, y);
  CHECK(rc::all(copy.params.w == w));
  CHECK(!rc::any(run.params.w == w));
  auto const before = places();
  CHECK(step(run, x, y) < last);
  CHECK(places() == before);
  CHECK(run.params.w.data() != copy.params.w.data());
}
TEST_CASE("a step that fails changes nothing") {
  auto const optimiser = nn::adam{} | nn::constant{1e-2f};
  auto run = nn::start(first_net(), std::tuple<>{}, optimiser, nn::key{1});
  auto const step = nn::step_of<loss>(optimiser);
  rc::tensor<float, rc::dyn, 3> const y{{1, 2, 3}, {3, 2, 1}};
  CHECK_THROWS_AS(step(run, rc::tensor<int, rc::dyn>{2, 3}, y), rc::index_error);
  auto const n = first_net();
  CHECK(run.step == 0);
  CHECK(rc::all(run.params.table == n.table));
  CHECK(rc::all(run.params.w == n.w));
  CHECK(rc::all(run.params.b == n.b));
  CHECK(rc::all(std::get<0>(run.optimiser).first.w == 0.f));
}

namespace {
// letters in and out by one table
template <class Kind = rc::values>
struct tied_net {
  nn::layer<nn::embedding<5, 3>, Kind> letters;
  constexpr auto operator()(auto const& x) const { return rc::matmul(letters(x), letters.w.T()); }
};
// the same with a table for each
template <class Kind = rc::values>
struct untied_net {
  rc::field<Kind, float, 5, 3> in, out;
};
constexpr auto squares = [](auto const& scores) { return rc::sum(rc::square(scores - 1.f)); };
}  // namespace

TEST_CASE("a layer that is used twice is one leaf, also in the file of a run") {
  auto const model = nn::init<tied_net<>>(nn::key(3));
  rc::tensor<int, 4> const x{0, 4, 2, 0};
  auto const g = rc::grad([](auto const& m, auto const& i) { return squares(m(i)); })(model, x);
  auto const of_each = rc::grad([](auto const& m, auto const& i) {
    return squares(rc::matmul(rc::take(m.in, i, rc::axis<0>), m.out.T()));
  })(untied_net<>{model.letters.w, model.letters.w}, x);
  CHECK(float(rc::max(rc::abs(g.letters.w - of_each.in - of_each.out))) < 1e-5f);
  CHECK(float(rc::max(rc::abs(of_each.in))) > .1f);

  auto const file = (std::filesystem::temp_directory_path() / "ricci_test_tied.safetensors").string();
  nn::save(file, model);
  CHECK(rc::io::load_all(file).size() == 1);
  auto again = nn::init<tied_net<>>(nn::key(4));
  nn::load(file, again);
  CHECK(bool(rc::all(rc::eval(again(x)) == rc::eval(model(x)))));
  std::filesystem::remove(file);
}

namespace {
template <class Kind = rc::values>
struct small_net {
  std::array<nn::layer<nn::linear<4, 4>, Kind>, 6> layers;
  constexpr auto operator()(auto const& x) const {
    auto h = x;
    for (auto const& l : layers) h = rc::tanh(l(h));
    return h;
  }
};
}  // namespace

TEST_CASE("a step walks through no tree and asks for no memory where all extents are known") {
  auto const optimiser = nn::clip_by_global_norm{1.f} | nn::adam{} | nn::constant{1e-2f};
  auto run = nn::start(nn::init<small_net<>>(nn::key(5)), std::tuple<>{}, optimiser, nn::key(6));
  auto const step = nn::step_of<loss>(optimiser);
  rc::tensor<float, 2, 4> const x{{1, 2, 3, 4}, {4, 3, 2, 1}}, y{{0, 1, 0, 1}, {1, 0, 1, 0}};
  float const first = step(run, x, y);
  allocations = 0, counts = true;
  float last = 0;
  for (int k = 0; k < 20; ++k) last = step(run, x, y);
  void* const p = ::operator new(8);
  counts = false;
  ::operator delete(p);
  CHECK(allocations == 1);  // that one
  CHECK(last < first);
}

#if RICCI_HAS_THREADS
namespace {
// 64 KiB for each of eight matrices in place, and one of 2 MiB, which has memory of its own
template <class Kind = rc::values>
struct large_net {
  std::array<nn::layer<nn::linear<128, 128>, Kind>, 8> layers;
  nn::layer<nn::linear<128, 4096>, Kind> out;
  constexpr auto operator()(auto const& x) const {
    auto h = x;
    for (auto const& l : layers) h = h + rc::tanh(l(h));
    return out(h);
  }
};
struct outcome {
  float first = 0, last = 0;
  std::int64_t steps = 0;
  bool begins_alike = false, goes_alike = false, is_loaded = false, goes_on = false;
};
void* train_large(void* to) {
  auto const optimiser = nn::adam{} | nn::constant{1e-3f};
  auto run = nn::start_on_heap<large_net<>>(nn::key{3}, optimiser, nn::key{1});
  static_assert(sizeof(*run) > 3 * 8 * 65536);
  static auto const other = nn::init<large_net<>>(nn::key{3});  // no place on this stack
  auto const step = nn::step_of<loss>(optimiser);
  rc::ndarray<float, 2> const x = rc::ones<float>(rc::shape(4, 128)), y = rc::ones<float>(rc::shape(4, 4096));
  auto& o = *static_cast<outcome*>(to);
  o.begins_alike = bool(rc::all(other.layers[7].w == run->params.layers[7].w)) && run->key.item() == 1;
  o.first = step(*run, x, y);
  for (int k = 0; k < 5; ++k) o.last = step(*run, x, y);
  o.steps = run->step;
  // the same by `start`, which puts so large a run on the heap
  auto alike = nn::start(other, std::tuple<>{}, optimiser, nn::key{1});
  static_assert(nn::is_held_run<decltype(alike)> && sizeof(alike) < 1000);
  for (int k = 0; k < 3; ++k) step(alike, x, y);
  auto best = alike;
  for (int k = 0; k < 3; ++k) step(alike, x, y);
  auto const same = [](auto const& a, auto const& b) {
    return bool(rc::all(a.params.layers[7].w == b.params.layers[7].w)) &&
           bool(rc::all(std::get<0>(a.optimiser).second.out.b == std::get<0>(b.optimiser).second.out.b));
  };
  o.goes_alike = alike.step == 6 && best.step == 3 && same(alike, *run) && !same(best, *run);
  auto const file = (std::filesystem::temp_directory_path() / "ricci_test_held.safetensors").string();
  nn::save(file, alike);
  nn::load(file, best);
  std::filesystem::remove(file);
  o.is_loaded = best.step == 6 && same(best, *run);
  auto const after = step(*run, x, y);
  o.goes_on = step(best, x, y) == after && alike.step == 6;
  best = alike;
  o.goes_on = o.goes_on && best.step == 6 && same(best, alike) && !same(best, *run) && &best.step != &alike.step;
  return nullptr;
}
}  // namespace

TEST_CASE("a run on the heap needs little stack, however large its parameters are") {
  outcome o;
  pthread_attr_t small{};
  REQUIRE(pthread_attr_init(&small) == 0);
  REQUIRE(pthread_attr_setstacksize(&small, 384 * 1024) == 0);
  pthread_t thread{};
  REQUIRE(pthread_create(&thread, &small, train_large, &o) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&small);
  CHECK(o.begins_alike);
  CHECK(o.goes_alike);
  CHECK(o.is_loaded);
  CHECK(o.goes_on);
  CHECK(o.steps == 6);
  CHECK(o.last < .9f * o.first);
}
#endif
