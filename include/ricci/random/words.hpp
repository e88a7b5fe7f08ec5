// Words of 32 or 64 random bits as operations: a call that makes rows of them, element i of row k from i and key k
// alone. So they are the same for every number of threads and width of registers, compiled or interpreted, and a batch
// of keys has a row for each. A block has four words, so that a kernel of elements would compute each four times; a row
// shares them, and is made piece by piece where it is read (exec/cpu/made_rows.hpp).
#pragma once

#include <ricci/exec/cpu/call.hpp>
#include <ricci/ops/core_call.hpp>
#include <ricci/random/philox.hpp>
#include <ricci/random/philox_rows.hpp>
#include <ricci/random/threefry.hpp>

RICCI_OPTIMIZED
namespace ricci::random {

// The words under a key of Philox, which is a number of 64 bits.
template <class W>
struct philox_words_t : core_call<philox_words_t<W>> {
  static constexpr auto name = "philox";
  static constexpr core_signature core{"()->(n)"};
  template <class T>
  using types = type_list<T, W>;
  static constexpr dtype operand_type(dtype) { return dtype::uint64; }
  static constexpr int of_key = 0;  // axes of one key
  RICCI_FN run(auto const& c, auto const& key, auto const& y) {
    for (index_t i = 0; i < c.extents[0]; ++i) y(i) = philox_word<W>(key(), std::uint64_t(i));
  }
};
// The words under a key of Threefry, which is two numbers of 32 bits.
template <class W>
struct threefry_words_t : core_call<threefry_words_t<W>> {
  static constexpr auto name = "threefry";
  static constexpr core_signature core{"(k)->(n)"};
  template <class T>
  using types = type_list<T, W>;
  static constexpr dtype operand_type(dtype) { return dtype::uint32; }
  static constexpr int of_key = 1;
  RICCI_FN run(auto const& c, auto const& key, auto const& y) {
    std::uint32_t const k0 = key(0), k1 = key(1);
    for (index_t i = 0; i < c.extents[1]; ++i) y(i) = threefry_word<W>(k0, k1, std::uint64_t(i));
  }
};

}  // namespace ricci::random

namespace ricci::exec {
inline namespace RICCI_ABI {

// On the host threads share a row in stretches, and those of words side by side are made in registers.
template <class W, class T>
struct host_routine<random::philox_words_t<W>, T> {
  static constexpr index_t stretch = 8192;  // words
  // words are made where they are read (exec/cpu/made_rows.hpp)
  using source = std::uint64_t;
  using element = W;
  static void make_row(source key, W* to, index_t begin, index_t n) { random::philox_row(to, key, begin, n); }
  static void run(geometry const& g) {
    index_t const rows = product_of(g, 0, g.kept), n = g.extent[g.kept], stretches = (n + stretch - 1) / stretch;
    auto const part = [&](index_t from, index_t to) {
      for (; from < to; ++from) {
        odometer at(g);
        at.seek(g, 0, g.kept, from / stretches);
        index_t const begin = from % stretches * stretch, end = begin + stretch < n ? begin + stretch : n;
        std::uint64_t const key = *reinterpret_cast<std::uint64_t const*>(at.p[0]);
        index_t const step = g.stride[g.kept][1];
        char* const to_first = at.p[1] + begin * step;
        if (step == sizeof(W))
          random::philox_row(reinterpret_cast<W*>(to_first), key, begin, end - begin);
        else
          for (index_t i = begin; i < end; ++i)
            *reinterpret_cast<W*>(to_first + (i - begin) * step) = random::philox_word<W>(key, std::uint64_t(i));
      }
    };
    if (rows == 0 || n == 0) return;
    if (is_alone(g.threads, rows * n))
      part(0, rows * stretches);
    else
      parallel_parts(g.threads, rows * stretches, part);
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
