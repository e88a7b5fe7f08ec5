// Orders, plans, sequences and threads that make values in advance, each beside plain counting.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <ricci/autodiff/functions.hpp>
#include <ricci/data/batches.hpp>
#include <ricci/data/replay.hpp>
#include <ricci/data/stratified.hpp>

#include "raised.hpp"

namespace rc = ricci;
namespace data = ricci::data;

namespace {

struct examples {
  rc::ndarray<float, 2> x;
  rc::ndarray<int, 1> labels;
};
// example k has label k, and k / 2 and -k as its numbers
examples numbered(rc::index_t n) {
  examples all{rc::ndarray<float, 2>(n, 2), rc::arange<int>(n)};
  for (rc::index_t k = 0; k < n; ++k) all.x(k, 0) = float(k) / 2, all.x(k, 1) = -float(k);
  return all;
}
std::vector<int> values_of(auto const& x) {
  std::vector<int> v;
  for (rc::index_t k = 0; k < x.shape(0); ++k) v.push_back(int(x(k)));
  return v;
}
std::vector<int> sizes_of(data::plan const& p) {
  std::vector<int> v;
  for (rc::index_t k = 0; k < p.size(); ++k) v.push_back(int(p[k].shape(0)));
  return v;
}
struct squares {  // a source of its own
  rc::index_t size() const { return 20; }
  rc::ndarray<int, 1> rows(data::order const& o) const { return rc::astype<int>(o * o); }
};

}  // namespace

TEST_CASE("an epoch has every example once, with all that belongs to it, in an order that the key says") {
  rc::random::key const key(5);
  for (int n : {0, 1, 7, 64, 70}) {
    auto const all = numbered(n);
    std::multiset<int> seen;
    for (auto const& [x, labels] : data::batches(all, {.size = 8}, key))
      for (rc::index_t k = 0; k < labels.shape(0); ++k) {
        seen.insert(int(labels(k)));
        CHECK(float(x(k, 0)) == float(labels(k)) / 2);
        CHECK(float(x(k, 1)) == -float(labels(k)));
      }
    CHECK(seen.size() == std::size_t(n));
    CHECK(std::set<int>(seen.begin(), seen.end()).size() == std::size_t(n));
  }
  auto const a = data::shuffled(64, key), b = data::shuffled(64, key), c = data::shuffled(64, key.fold(1));
  CHECK(bool(rc::all(a == b)));
  CHECK(!bool(rc::all(a == c)));
  CHECK(!bool(rc::all(a == data::in_order(64))));
  data::order const by_threads = rc::eval(rc::random::permutation(key, 5000), rc::cpu{.threads = 4});
  CHECK(bool(rc::all(by_threads == data::shuffled(5000, key))));
}

TEST_CASE("what is left at the end is kept, dropped or merged as is said, and never small unless one asks for it") {
  using data::rest;
  auto const sizes = [](int n, int size, rest r) {
    return sizes_of(data::batched(data::in_order(n), {.size = size, .rest = r}));
  };
  using V = std::vector<int>;
  CHECK(sizes(70, 32, rest::keep) == V{32, 32, 6});
  CHECK(sizes(70, 32, rest::drop) == V{32, 32});
  CHECK(sizes(70, 32, rest::merge) == V{32, 38});
  CHECK(sizes(70, 32, rest::fair) == V{32, 38});
  CHECK(sizes(80, 32, rest::fair) == V{32, 32, 16});
  CHECK(sizes(80, 32, rest::merge) == V{32, 48});
  CHECK(sizes(79, 32, rest::fair) == V{32, 47});
  CHECK(sizes(7, 3, rest::fair) == V{3, 4});
  CHECK(sizes(8, 3, rest::fair) == V{3, 3, 2});
  for (rest r : {rest::keep, rest::drop, rest::merge, rest::fair}) {
    CHECK(sizes(64, 32, r) == V{32, 32});
    CHECK(sizes(0, 4, r).empty());
  }
  CHECK(sizes(3, 32, rest::fair) == V{3});
  CHECK(sizes(3, 32, rest::merge) == V{3});
  CHECK(raised([&] { sizes(3, 32, rest::drop); }) ==
        "value_error: data: 3 examples make no batch of 32, and rest::drop leaves none of them");
  CHECK(raised([&] { sizes(3, 0, rest::keep); }) ==
        "value_error: data: batches of 0 examples, where 1 or more was expected");
  CHECK(raised([&] { data::batched(data::in_order(6), {.size = 3})[2]; }) == "index_error: data: batch 2 of 2");
}

TEST_CASE("a split and the folds have every example once; weights draw in proportion") {
  rc::random::key const key(6);
  auto const [training, held_out] = data::split(numbered(640), .25f, key);
  CHECK(training.labels.shape(0) == 480);
  CHECK(held_out.x.shape(0) == 160);
  std::set<int> seen;
  for (int k : values_of(training.labels)) seen.insert(k);
  for (int k : values_of(held_out.labels)) seen.insert(k);
  CHECK(seen.size() == 640);

  auto const all = data::folds(23, 5, key);
  CHECK(all.size() == 5);
  std::multiset<int> held;
  for (auto const& [others, part] : all) {
    CHECK(others.shape(0) + part.shape(0) == 23);
    CHECK((part.shape(0) == 4 || part.shape(0) == 5));
    std::set<int> both;
    for (int k : values_of(others)) both.insert(k);
    for (int k : values_of(part)) both.insert(k), held.insert(k);
    CHECK(both.size() == 23);
  }
  CHECK(held.size() == 23);
  CHECK(std::set<int>(held.begin(), held.end()).size() == 23);
  CHECK(
      raised([&] { data::folds(3, 4, key); }) ==
      "value_error: data::folds: 4 folds of 3 examples, where 2 folds or more, and an example in each, were expected");
  CHECK(raised([&] { data::split(numbered(3), 1.5f, key); }) ==
        "value_error: data::split: a fraction of 150 %, where 0 to 1 was expected");
  CHECK(raised([&] { data::split(numbered(3), std::numeric_limits<float>::quiet_NaN(), key); }) ==
        "value_error: data::split: a fraction of NaN, where 0 to 1 was expected");
  CHECK(raised([&] { data::split(numbered(3), -std::numeric_limits<float>::infinity(), key); }) ==
        "value_error: data::split: a fraction of 1e6 or more in size, where 0 to 1 was expected");

  rc::ndarray<float, 1> const w{1.f, 0.f, 3.f, 4.f};
  std::vector<int> counts(4);
  for (int k : values_of(data::sampled(w, 8000, key))) ++counts[std::size_t(k)];
  CHECK(counts[1] == 0);
  for (int k : {0, 2, 3})
    CHECK(std::abs(double(counts[std::size_t(k)]) - 1000. * double(w(k))) < 200.);  // 5 deviations and more
  CHECK(raised([&] {
          data::sampled(rc::ndarray<float, 1>{1.f, -1.f}, 3, key);
        }) == "value_error: data::sampled: the weight of example 1 is negative or not finite");
  CHECK(raised([&] { data::sampled(rc::zeros<float>(rc::shape(2)), 3, key); }) ==
        "value_error: data::sampled: none of 2 weights is above zero");
  CHECK(raised([&] {
          data::sampled(rc::ndarray<double, 1>{1.7e308, 1.7e308}, 3, key);
        }) == "value_error: data::sampled: the sum of 2 weights is not finite");
  auto const even = data::balancing_weights(rc::ndarray<int, 1>{0, 0, 2, 0});
  CHECK(bool(rc::all(even == rc::tensor<double, 4>{1. / 3, 1. / 3, 1., 1. / 3})));
}

TEST_CASE("stratified parts have every class as often as the others") {
  rc::random::key const key(8);
  rc::ndarray<int, 1> labels(40);  // 5 of the first class, 12 of the second, 23 of the third
  for (int k = 0; k < 40; ++k) labels(k) = k * 7 % 40 < 5 ? 3 : k * 7 % 40 < 17 ? 0 : 8;
  auto const counts = [&](data::order const& part) {
    std::map<int, int> n;
    for (int k : values_of(part)) ++n[labels(k)];
    return n;
  };
  std::multiset<int> held;
  for (auto const& [others, part] : data::stratified_folds(labels, 4, key)) {
    CHECK(others.shape(0) == 30);
    auto n = counts(part);
    CHECK((n[3] == 1 || n[3] == 2));
    CHECK(n[0] == 3);
    CHECK((n[8] == 5 || n[8] == 6));
    std::set<int> both;
    for (int k : values_of(others)) both.insert(k);
    for (int k : values_of(part)) both.insert(k), held.insert(k);
    CHECK(both.size() == 40);
    auto const in_order = values_of(others);
    CHECK(!std::is_sorted(in_order.begin(), in_order.end(), [&](int a, int b) { return labels(a) < labels(b); }));
  }
  CHECK(held.size() == 40);
  CHECK(std::set<int>(held.begin(), held.end()).size() == 40);
  auto const all = numbered(40);
  auto const [training, held_out] = data::stratified_split(all, labels, .2f, key);
  CHECK(training.labels.shape(0) == 32);
  auto n = counts(rc::astype<std::int64_t>(held_out.labels));
  CHECK(n[3] == 1);
  CHECK((n[0] == 2 || n[0] == 3));
  CHECK((n[8] == 4 || n[8] == 5));
  CHECK(raised([&] { data::stratified_split(numbered(3), labels, .5f, key); }) ==
        "shape_error: data::stratified_split: 40 labels of 3 examples");
  CHECK(raised([&] { data::stratified_folds(labels, 41, key); }) ==
        "value_error: data::stratified_folds: 41 folds of 40 examples, where 2 folds or more, and an example in each, "
        "were expected");
}

TEST_CASE("a memory keeps what came last") {
  data::replay<examples> memory(6);
  CHECK(raised([&] { (void)memory.drawn(2, rc::random::key(1)); }) ==
        "value_error: data::replay: nothing was pushed, and nothing is drawn");
  auto const labels = [&] { return values_of(memory.rows(data::in_order(memory.size())).labels); };
  auto const all = numbered(20);
  auto const push = [&](rc::index_t from, rc::index_t to) {
    memory.push(data::rows_of(all, rc::eval(data::in_order(to - from) + from)));
  };
  push(0, 4);
  CHECK(labels() == std::vector<int>{0, 1, 2, 3});
  push(4, 9);
  CHECK(labels() == std::vector<int>{3, 4, 5, 6, 7, 8});
  push(9, 9);
  push(2, 13);  // more than there is room for
  CHECK(labels() == std::vector<int>{7, 8, 9, 10, 11, 12});
  auto const drawn = memory.drawn(2000, rc::random::key(2));
  std::map<int, int> n;
  for (int k : values_of(drawn.labels)) ++n[k];
  CHECK(n.size() == 6);
  for (auto const& [k, count] : n) CHECK((k >= 7 && k < 13 && count > 250 && count < 420));
  for (rc::index_t k = 0; k < 2000; ++k)
    CHECK(bool(rc::all(drawn.x(k) == all.x(drawn.labels(k)))));  // what belongs together
  auto const batches = data::batches(memory, {.size = 4, .rest = data::rest::keep}, rc::random::key(3));
  CHECK(batches.size() == 2);
  CHECK(raised([&] { (void)memory.rows(data::order{6}); }) == "index_error: data: example 6 of a source of 6");
  CHECK(raised([&] {
          memory.push({rc::zeros<float>(rc::shape(1, 7)), rc::zeros<int>(rc::shape(1))});
        }) == "shape_error: data::replay: examples of another shape than before");
  CHECK(raised([] { data::replay<rc::ndarray<float, 1>>(0); }) ==
        "value_error: data::replay: a capacity of 0 examples, where 1 or more was expected");
}

TEST_CASE("data sets: static first extents, subsets, sources of one's own, vectors of examples") {
  struct fixed {
    rc::tensor<float, 6, 2> x;
    rc::tensor<int, 6> labels;
  };
  fixed f{{}, {3, 4, 5, 6, 7, 8}};
  f.x = rc::reshape(rc::arange<float>(12), rc::shape(6, 2));
  auto const [x, labels] = data::rows_of(f, data::order{5, 1});  // a tuple: the aggregate has room for 6 alone
  static_assert(decltype(x)::extents::value.extent[1] == 2);
  CHECK(bool(rc::all(x == rc::tensor<float, 2, 2>{{10, 11}, {2, 3}})));
  CHECK(values_of(labels) == std::vector{8, 4});

  auto const all = numbered(10);
  auto const some = data::subset_of(all, data::order{7, 2, 9});
  CHECK(data::count_of(some) == 3);
  CHECK(values_of(data::rows_of(some, data::order{2, 0}).labels) == std::vector{9, 7});
  CHECK(values_of(data::batches(squares{}, data::batched(data::order{3, 19, 4}, {.size = 3}))[0]) ==
        std::vector{9, 361, 16});

  std::vector<std::pair<rc::ndarray<float, 1>, int>> items;
  for (int k = 0; k < 4; ++k) items.emplace_back(rc::full<float>(rc::shape(3), float(k)), 10 * k);
  auto const [inputs, targets] = data::rows_of(items, data::order{3, 1});
  CHECK(bool(rc::all(inputs == rc::tensor<float, 2, 3>{{3, 3, 3}, {1, 1, 1}})));
  CHECK(values_of(targets) == std::vector{30, 10});
  CHECK(raised([&] { data::rows_of(items, data::order{4}); }) == "index_error: data: example 4 of a source of 4");
  items[1].first = rc::zeros<float>(rc::shape(2));
  CHECK(raised([&] {
          data::rows_of(items, data::order{3, 1});
        }) == "shape_error: data: examples of shapes (3,) and (2,) are no batch; data::ragged pads sequences");
  struct uneven {
    rc::ndarray<float, 1> x, y;
  };
  CHECK(raised([] {
          data::count_of(uneven{rc::zeros<float>(rc::shape(2)), rc::zeros<float>(rc::shape(3))});
        }) == "shape_error: data: a data set has members of 2 and of 3 examples, and they need as many");
}

TEST_CASE("stages are one type, go on from any place, and a map has a key for every place") {
  rc::random::key const key(7);
  auto const all = numbered(40);
  auto const epoch = data::batches(all, {.size = 8}, key);
  auto const with_noise = [](examples b, rc::random::key const& k) {
    b.x += rc::random::uniform<float>(k, rc::shape_of(b.x));
    return b;
  };
  auto const same = [](examples c) { return c; };
  auto const noisy = epoch.map(with_noise, key.fold(1));
  static_assert(std::is_same_v<decltype(noisy), decltype(epoch)>);
  auto const sums = noisy.map([](examples const& b) { return rc::sum(b.x, rc::axis<1>); });  // lazy: a tensor is kept
  static_assert(std::is_same_v<decltype(sums)::value_type, rc::ndarray<float, 1>>);
  CHECK(sums.size() == 5);
  for (rc::index_t k = 0; k < 5; ++k) {
    auto const b = epoch[k];
    rc::ndarray<float, 2> const noise = rc::random::uniform<float>(key.fold(1).fold(k), rc::shape(8, 2));
    CHECK(bool(rc::all(noisy[k].x == b.x + noise)));
    CHECK(bool(rc::all(sums.from(k)[0] == rc::sum(b.x + noise, rc::axis<1>))));
    CHECK(bool(rc::all(noisy.from(2)[k % 3].x == noisy[2 + k % 3].x)));
    CHECK(bool(rc::all(epoch.from(1).map(same).from(1)[k % 3].x == epoch[2 + k % 3].x)));
    // the number in the whole sequence, however many stages stand between
    CHECK(bool(rc::all(epoch.from(2).map(same).map(with_noise, key.fold(1))[k % 3].x == noisy[2 + k % 3].x)));
  }
  auto const traced = epoch.map([](examples b) {
    b.x = rc::fn([](auto x) { return rc::tanh(x) * 2.f; })(b.x);
    return b;
  });
  CHECK(bool(rc::all(rc::abs(traced[3].x - 2.f * rc::tanh(epoch[3].x)) < 1e-6f)));
  // a traced function itself, of the batch as a record and of a key
  auto const whole = epoch.map(rc::fn([](auto const& b, auto const& k) {
                                 auto const& [x, labels] = b;
                                 return std::tuple(x + rc::random::uniform<float>(k, rc::shape_of(x)), labels * 2);
                               }),
                               key.fold(1));
  static_assert(std::is_same_v<decltype(whole)::value_type, std::tuple<rc::ndarray<float, 2>, rc::ndarray<int, 1>>>);
  for (rc::index_t k = 0; k < 5; ++k) {
    auto const [x, labels] = whole[k];
    CHECK(bool(rc::all(x == noisy[k].x)));
    CHECK(bool(rc::all(labels == 2 * epoch[k].labels)));
  }
  CHECK(raised([&] { epoch[5]; }) == "index_error: data: number 5 of 5");
  CHECK(raised([&] { epoch.from(6); }) == "index_error: data: from number 6 of 5");
  CHECK(epoch.from(5).size() == 0);
  data::order last(1);
  last(0) = -1;
  CHECK(raised([&] { data::rows_of(all, last); }) == "index_error: data: example -1 of 40");
}

TEST_CASE(
    "a thread makes values in advance: the same ones in order, so many at most; what it throws comes out; it stops") {
  rc::random::key const key(8);
  auto const all = numbered(100);
  auto const epoch = data::batches(all, {.size = 8}, key);
  for (rc::index_t most : {1, 3, 50}) {
    rc::index_t k = 4;
    for (auto const& b : epoch.from(4).prefetch(most)) CHECK(bool(rc::all(b.x == epoch[k++].x)));
    CHECK(k == epoch.size());
  }
  int made = 0, taken = 0, most_ahead = 0;
  data::sequence<int> const counted(30, [&](rc::index_t k) {
    __atomic_fetch_add(&made, 1, __ATOMIC_SEQ_CST);
    int const in_advance = __atomic_load_n(&made, __ATOMIC_SEQ_CST) - __atomic_load_n(&taken, __ATOMIC_SEQ_CST);
    if (in_advance > most_ahead) most_ahead = in_advance;  // of the thread alone until it is joined
    return int(k);
  });
  {
    data::ahead<int> ahead = counted.prefetch(2);
    for (int k = 0; k < 30; ++k) {
      CHECK(ahead.next() == k);
      __atomic_fetch_add(&taken, 1, __ATOMIC_SEQ_CST);
    }
    CHECK(!ahead.next().has_value());
  }
  CHECK(made == 30);
  CHECK(most_ahead <= 4);  // two wait, one is being made, one was handed out and is not yet counted
  made = 0;
  { CHECK(counted.prefetch(3).next() == 0); }  // stops with 29 to go
  CHECK(made <= 5);

  data::sequence<int> const failing(5, [](rc::index_t k) {
    if (k == 3) throw std::runtime_error("the fourth");
    return int(k);
  });
  std::vector<int> seen;
  std::string said;
  try {
    for (int k : failing.prefetch(8)) seen.push_back(k);
  } catch (std::runtime_error const& e) {
    said = e.what();
  }
  CHECK(seen == std::vector{0, 1, 2});
  CHECK(said == "the fourth");
  CHECK(raised([&] { counted.prefetch(0); }) ==
        "value_error: data: prefetch of 0 values, where 1 or more was expected");
}
