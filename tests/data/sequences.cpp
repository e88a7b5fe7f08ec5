// Sequences of different lengths, padded and in buckets, and windows of long ones, beside loops.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include <ricci/autodiff/functions.hpp>
#include <ricci/data/batches.hpp>
#include <ricci/data/buckets.hpp>
#include <ricci/data/ragged.hpp>
#include <ricci/data/windows.hpp>
#include <ricci/io/load.hpp>
#include <ricci/io/save.hpp>

#include "raised.hpp"

namespace rc = ricci;
namespace data = ricci::data;

namespace {

// sequence i has i * 7 % 5 + 1 places (none for i = 3), which are 100 i + place
std::vector<std::vector<int>> some_sequences(int n) {
  std::vector<std::vector<int>> all;
  for (int i = 0; i < n; ++i) {
    all.emplace_back();
    for (int p = 0; p < (i == 3 ? 0 : i * 7 % 5 + 1); ++p) all.back().push_back(100 * i + p);
  }
  return all;
}
struct sentences {
  data::ragged<int> words;
  rc::ndarray<int, 1> labels;
};

}  // namespace

TEST_CASE("a batch of sequences is padded to its longest, or to a length that is said") {
  auto const plain = some_sequences(12);
  auto all = data::ragged_of(plain);
  CHECK(data::count_of(all) == 12);
  all.padding = -1;
  auto const check = [&](data::order const& which, rc::index_t longest) {
    auto const [values, lengths, mask] = data::rows_of(all, which);
    CHECK(values.shape(0) == which.shape(0));
    CHECK(values.shape(1) == longest);
    CHECK(mask.shape(1) == longest);
    for (rc::index_t k = 0; k < which.shape(0); ++k) {
      auto const& one = plain[std::size_t(which(k))];
      CHECK(lengths(k) == std::int64_t(one.size()));
      for (rc::index_t p = 0; p < longest; ++p) {
        bool const there = p < rc::index_t(one.size());
        CHECK(bool(mask(k, p)) == there);
        CHECK(int(values(k, p)) == (there ? one[std::size_t(p)] : -1));
      }
    }
  };
  check({0, 5}, 1);
  check({2, 3, 0}, 5);
  check({3}, 0);
  check(data::order(0), 0);
  all.length = 8;
  check({2, 3, 0}, 8);
  CHECK(bool(rc::all(all.lengths() == rc::tensor<int, 12>{1, 3, 5, 0, 4, 1, 3, 5, 2, 4, 1, 3})));
  CHECK(bool(rc::all(all[4] == rc::tensor<int, 4>{400, 401, 402, 403})));
  all.length = 4;
  CHECK(raised([&] {
          data::rows_of(all, {0, 7});
        }) == "value_error: data::ragged: sequence 7 has 5 places, and 4 is the most");
  CHECK(raised([&] { data::rows_of(all, {12}); }) == "index_error: data::ragged: sequence 12 of 12");

  // a traced function takes the batch as a record
  all.length = 0;
  auto const total = rc::fn([](auto const& b) { return rc::sum(rc::where(b.mask, b.values, 0), rc::axis<1>); });
  CHECK(bool(rc::all(total(data::rows_of(all, {1, 3, 2})) == rc::tensor<int, 3>{303, 0, 1010})));
}

TEST_CASE("sequences of vectors, records with sequences in them, files") {
  std::vector<rc::ndarray<float, 2>> sounds{rc::ones<float>(rc::shape(3, 2)), 2.f * rc::ones<float>(rc::shape(1, 2))};
  auto const batch = data::rows_of(data::ragged_of(sounds), {1, 0, 1});
  CHECK(batch.values.shape(2) == 2);
  CHECK(float(rc::sum(batch.values)) == 3 * 2 + 2 * 4);
  CHECK(float(rc::sum(batch.values(1))) == 6);
  sounds.push_back(rc::zeros<float>(rc::shape(3, 4)));
  CHECK(raised([&] { data::ragged_of(sounds); }) ==
        "shape_error: data::ragged: extents 2 and 4 along axis 1 of sequences 0 and 2");

  auto const plain = some_sequences(20);
  sentences const all{data::ragged_of(plain), rc::arange<int>(20)};
  auto const [training, held_out] = data::split(all, .25f, rc::random::key(4));
  static_assert(std::is_same_v<decltype(held_out), sentences const>);  // sequences as they were, not padded
  CHECK(data::count_of(training) == 15);
  int seen = 0;
  for (auto const& [words, labels] : data::batches(held_out, {.size = 2}, rc::random::key(5)))
    for (rc::index_t k = 0; k < labels.shape(0); ++k, ++seen) {
      auto const& one = plain[std::size_t(int(labels(k)))];
      CHECK(words.lengths(k) == std::int64_t(one.size()));
      for (std::size_t p = 0; p < one.size(); ++p) CHECK(int(words.values(k, rc::index_t(p))) == one[p]);
    }
  CHECK(seen == 5);

  auto const path = (std::filesystem::temp_directory_path() / "ricci_data_ragged.npz").string();
  rc::io::save(path, all);
  auto const again = rc::io::load<sentences>(path);
  CHECK(bool(rc::all(again.words.values == all.words.values)));
  CHECK(bool(rc::all(again.words.starts == all.words.starts)));
  std::filesystem::remove(path);
}

TEST_CASE("buckets: every example once, lengths of a batch in one bucket, in another order for another key") {
  using data::rest;
  rc::random::key const key(9);
  rc::ndarray<int, 1> const lengths = rc::random::randint<int>(key, rc::shape(500), 1, 60);
  auto const bucket = [](int n) { return n <= 10 ? 0 : n <= 25 ? 1 : 2; };
  for (rest r : {rest::fair, rest::keep, rest::merge, rest::drop}) {
    data::bucket_options const o{.ends = {10, 25}, .size = 16, .rest = r};
    auto const p = data::bucketed(lengths, o, key);
    std::multiset<int> seen;
    std::vector<int> kinds;
    for (rc::index_t k = 0; k < p.size(); ++k) {
      auto const rows = p[k];
      kinds.push_back(bucket(int(lengths(rows(0)))));
      for (rc::index_t i = 0; i < rows.shape(0); ++i) {
        seen.insert(int(rows(i)));
        CHECK(bucket(int(lengths(rows(i)))) == kinds.back());
      }
      if (r == rest::drop) CHECK(rows.shape(0) == 16);
      if (r == rest::fair) CHECK((rows.shape(0) >= 8 && rows.shape(0) < 24));
      if (r == rest::merge) CHECK((rows.shape(0) >= 16 && rows.shape(0) < 32));
    }
    CHECK(std::set<int>(seen.begin(), seen.end()).size() == seen.size());
    if (r == rest::drop)
      CHECK(seen.size() > 500 - 3 * 16);
    else
      CHECK(seen.size() == 500);
    CHECK(!std::is_sorted(kinds.begin(), kinds.end()));  // batches are mixed
    CHECK(bool(rc::all(p[1] == data::bucketed(lengths, o, key)[1])));
  }
  CHECK(raised([&] {
          data::bucketed(rc::tensor<int, 3>{1, 2, 3}, {.ends = {2}, .size = 4, .rest = rest::drop}, key);
        }) ==
        "value_error: data::bucketed: of 3 examples no bucket has a batch of 4, and rest::drop leaves none of them");
  CHECK(data::bucketed(rc::ndarray<int, 1>(0), {.ends = {2}, .size = 4, .rest = rest::drop}, key).size() == 0);
  CHECK(raised([&] {
          data::bucketed(lengths, {.ends = {5, 5}, .size = 4}, key);
        }) == "value_error: data::bucketed: the ends of buckets rise, and 5 comes before 5");
}

TEST_CASE("windows of a series, and what comes next in them") {
  rc::ndarray<int, 1> const text = rc::arange<int>(23) * 3;
  auto const all = data::windows(text, 5, 4);
  CHECK(data::count_of(all) == 5);  // from 0, 4, 8, 12, 16; 21 and 22 are in none
  auto const batch = data::rows_of(all, {4, 1});
  for (int p = 0; p < 5; ++p) {
    CHECK(int(batch(0, p)) == 3 * (16 + p));
    CHECK(int(batch(1, p)) == 3 * (4 + p));
  }
  auto const next = data::next_windows(text, 5, 1);
  CHECK(data::count_of(next) == 18);
  std::set<int> starts;
  for (auto const& [inputs, targets] : data::batches(next, {.size = 4}, rc::random::key(3)))
    for (rc::index_t k = 0; k < inputs.shape(0); ++k) {
      starts.insert(int(inputs(k, 0)) / 3);
      for (int p = 0; p < 5; ++p) {
        CHECK(int(inputs(k, p)) == int(inputs(k, 0)) + 3 * p);
        CHECK(int(targets(k, p)) == int(inputs(k, p)) + 3);
      }
    }
  CHECK(starts.size() == 18);
  rc::ndarray<float, 2> const sound = rc::reshape(rc::arange<float>(20), rc::shape(10, 2));
  auto const pieces = data::rows_of(data::windows(sound, 4, 3), {2});
  CHECK(bool(rc::all(pieces(0) == sound(rc::range(6, 10)))));
  CHECK(raised([&] { data::windows(text, 24, 1); }) ==
        "value_error: data::windows: a series of 23 places has no window of 24");
  CHECK(raised([&] { data::next_windows(text, 23, 1); }) ==
        "value_error: data::next_windows: a series of 23 places has no window of 23 with a place behind it");
  CHECK(raised([&] { data::windows(text, 4, 0); }) ==
        "value_error: data::windows: windows of 4 places every 0, where 1 or more was expected of both");
  CHECK(raised([&] { data::rows_of(all, {5}); }) == "index_error: data: window 5 of 5");
}
