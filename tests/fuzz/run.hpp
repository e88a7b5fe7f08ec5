// What the programs of the fuzzer share: cases are read from a file, a statement is run on each, and what comes out is
// compared with what should. Compiled once; the statements see only this.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <ricci/ricci.hpp>

namespace fuzz {

// A result without its type.
struct result {
  ricci::dtype type;
  int rank;
  std::int64_t const* extents;
  void const* data;
};
struct expectation {
  std::vector<std::int64_t> extents;
  bool of_integers;
  std::vector<std::int64_t> integers;
  std::vector<double> numbers, tolerances;
};

class cases {
 public:
  // the cases of one statement; false where it is not wanted
  bool begin(int statement);
  bool next();
  void read(void* to, std::size_t bytes);
  std::int64_t number();
  void expect();
  void compare(char const* way, result const* results, int count);
  void failed(char const* way, int error, char const* text, bool unchanged);

  template <class T>
  T operand() {
    std::array<std::int64_t, T::rank> e{};
    for (auto& n : e) n = number();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (T::extents::is_static) {
        T t;
        read(t.data(), std::size_t(t.size()) * sizeof(typename T::value_type));
        return t;
      } else {
        T t(e[I]...);
        read(t.data(), std::size_t(t.size()) * sizeof(typename T::value_type));
        return t;
      }
    }
    (std::make_index_sequence<std::size_t(T::rank)>{});
  }

  template <class F>
  void check(char const* way, F const& f) {
    guarded(
        way, [&] { compare_all(way, f()); }, [] { return true; });
  }
  // f writes into a copy of `from`, which stays as it was where f raises an error
  template <class T, class F>
  void check_writes(char const* way, T const& from, F const& f) {
    T to = from;
    guarded(
        way, [&] { f(to), compare_all(way, to); }, [&] { return same(to, from); });
  }

 private:
  template <class F, class Unchanged>
  void guarded(char const* way, F const& f, Unchanged const& unchanged) {
    try {
      f();
    } catch (ricci::shape_error const& e) {
      failed(way, 1, e.what(), unchanged());
    } catch (ricci::index_error const& e) {
      failed(way, 2, e.what(), unchanged());
    } catch (ricci::value_error const& e) {
      failed(way, 4, e.what(), unchanged());
    } catch (std::exception const& e) {
      failed(way, 8, e.what(), unchanged());
    }
  }
  template <class T>
  static bool same(T const& a, T const& b) {
    if (a.shape() != b.shape()) return false;
    auto const* p = reinterpret_cast<char const*>(a.data());
    auto const* q = reinterpret_cast<char const*>(b.data());
    for (std::size_t n = std::size_t(a.size()) * sizeof(typename T::value_type); n > 0; --n)
      if (*p++ != *q++) return false;
    return true;
  }
  template <class X>
  void compare_all(char const* way, X const& x) {
    std::vector<result> all;
    std::vector<std::vector<std::int64_t>> extents;
    extents.reserve(64);
    append(all, extents, x);
    compare(way, all.data(), int(all.size()));
  }
  // the tensors of a tree of results, in order
  template <class T, ricci::index_t... E>
  static void append(std::vector<result>& to, std::vector<std::vector<std::int64_t>>& extents,
                     ricci::tensor<T, E...> const& x) {
    auto const e = x.shape();
    extents.emplace_back(e.begin(), e.end());
    to.push_back({ricci::dtype_of<T>, int(sizeof...(E)), extents.back().data(), x.data()});
  }
  template <class First, class Second>
  static void append(std::vector<result>& to, std::vector<std::vector<std::int64_t>>& extents,
                     std::pair<First, Second> const& x) {
    append(to, extents, x.first), append(to, extents, x.second);
  }
  template <class... X>
  static void append(std::vector<result>& to, std::vector<std::vector<std::int64_t>>& extents,
                     std::tuple<X...> const& x) {
    std::apply([&](auto const&... each) { (append(to, extents, each), ...); }, x);
  }

  int statement_ = -1;
  std::int64_t case_ = 0, left_ = 0, errors_ = 0;
  std::vector<expectation> expected_;
};

// defined by the generated program
void run(cases& c);

}  // namespace fuzz
