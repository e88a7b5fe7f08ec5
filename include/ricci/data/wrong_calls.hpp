// Sets of examples with arguments in another order or of another kind: compile errors that say what is taken.
#pragma once

#include <ricci/core/wrong_argument.hpp>
#include <ricci/data/batches.hpp>
#include <ricci/data/buckets.hpp>
#include <ricci/data/columns.hpp>
#include <ricci/data/images.hpp>
#include <ricci/data/windows.hpp>

namespace ricci::data {

RICCI_WRONG_CALL(batches,
                 "data::batches is called as data::batches(examples, {.size = 32}, key), where the examples are one "
                 "record or tuple and the key is an rc::random::key, or with a plan, data::batches(examples, plan)")
template <class D>
constexpr wrong::result batches(D&&, batch_options const&) {
  static_assert(always_false<D>,
                "data::batches takes a key, by which it shuffles: data::batches(examples, {.size = 32}, "
                "rc::random::key(seed))");
  return {};
}
template <class Given = void>
constexpr std::pair<wrong::result, wrong::result> split(wrong::argument = {}, wrong::argument = {},
                                                        wrong::argument = {}, wrong::argument = {},
                                                        wrong::argument = {}) {
  static_assert(always_false<Given>,
                "data::split is called as data::split(examples, .2f, key), where the examples are one record or tuple, "
                "the number is the fraction that is held out, and the key is an rc::random::key");
  return {};
}
// A number where the key is to be: a tensor of order 0 would be made of it.
template <class D, std::integral Seed>
std::array<batch_t<std::remove_cvref_t<D>>, 0> batches(D&&, batch_options const&, Seed) {
  static_assert(always_false<D>,
                "data::batches shuffles by a key, which is named: data::batches(examples, {.size = 32}, "
                "rc::random::key(7)); of every epoch another one, key.fold(epoch)");
  return {};
}
template <class D, std::integral Seed>
parts<std::remove_cvref_t<D>> split(D const& d, float, Seed) {
  static_assert(always_false<D>,
                "data::split goes by a key, which is named: data::split(examples, .2f, rc::random::key(7))");
  return {d, d};
}
template <std::integral Seed>
order shuffled(index_t, Seed) {
  static_assert(always_false<Seed>, "data::shuffled goes by a key, which is named: rc::random::key(7)");
  return {};
}
template <class W, std::integral Seed>
order sampled(W const&, index_t, Seed) {
  static_assert(always_false<Seed>, "data::sampled goes by a key, which is named: rc::random::key(7)");
  return {};
}
template <std::integral Seed>
std::vector<parts<order>> folds(index_t, index_t, Seed) {
  static_assert(always_false<Seed>, "data::folds goes by a key, which is named: rc::random::key(7)");
  return {};
}
template <class L, std::integral Seed>
plan bucketed(L const&, bucket_options const&, Seed) {
  static_assert(always_false<L>, "data::bucketed goes by a key, which is named: rc::random::key(7)");
  return {};
}
RICCI_WRONG_CALL(windows, "data::windows is called as data::windows(series, size, stride)")
RICCI_WRONG_CALL(next_windows, "data::next_windows is called as data::next_windows(series, size, stride)")
template <class Given = void>
requires std::is_void_v<Given>
constexpr wrong::result read_columns(std::string const&, column_options const& = {}) {
  static_assert(always_false<Given>,
                "data::read_columns names the record that is read, whose members are the columns: "
                "data::read_columns<flowers>(path); a tensor is read by rc::io::load");
  return {};
}
template <int Rank = 2>
constexpr wrong::result read_idx(std::string const&) {
  static_assert(always_false<std::integral_constant<int, Rank>>,
                "data::read_idx takes the file of images and that of labels; one file is read by rc::io::load");
  return {};
}

}  // namespace ricci::data
