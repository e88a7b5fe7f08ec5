// Rows that lie in one another, as the parts of a stack along its last axis do: elements of each in turn, written in
// one pass instead of one for each row.
#pragma once

#include <cstdint>

#include <ricci/exec/cpu/kernel_info.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr int most_interleaved = 4;

// Which of `count` written operands stands at each place, where all have the same strides and are the elements of one
// dense row in turn, of 4 or 8 bytes each; else -1 first. p: where they begin.
struct interleaved_rows {
  int at[most_interleaved];
};
inline interleaved_rows interleaved(strided_info const* const* written, int count, char* const* p, index_t const* inner,
                                    index_t const* outer) {
  interleaved_rows found{{-1, -1, -1, -1}};
  if (count < 2 || count > most_interleaved || (written[0]->size != 4 && written[0]->size != 8)) return found;
  int const size = written[0]->size, one = written[0]->slot;
  char* lowest = p[one];
  for (int k = 0; k < count; ++k) {
    int const slot = written[k]->slot;
    if (written[k]->size != size || inner[slot] != count * size || outer[slot] != outer[one]) return found;
    if (p[slot] < lowest) lowest = p[slot];
  }
  for (int k = 0; k < count; ++k)
    for (int place = 0; place < count; ++place)
      if (p[written[k]->slot] == lowest + place * size) found.at[place] = k;
  for (int place = 0; place < count; ++place)
    if (found.at[place] < 0) found.at[0] = -1;
  return found;
}

template <class T>
RICCI_VECTORISED void interleave(T* __restrict to, T const* a, T const* b, index_t n) {
  for (index_t i = 0; i < n; ++i) to[2 * i] = a[i], to[2 * i + 1] = b[i];
}
template <class T>
RICCI_VECTORISED void interleave(T* __restrict to, T const* a, T const* b, T const* c, index_t n) {
  for (index_t i = 0; i < n; ++i) to[3 * i] = a[i], to[3 * i + 1] = b[i], to[3 * i + 2] = c[i];
}
template <class T>
RICCI_VECTORISED void interleave(T* __restrict to, T const* a, T const* b, T const* c, T const* d, index_t n) {
  for (index_t i = 0; i < n; ++i) to[4 * i] = a[i], to[4 * i + 1] = b[i], to[4 * i + 2] = c[i], to[4 * i + 3] = d[i];
}
template <class T>
RICCI_INLINE void interleave(char* to, char const* const* rows, int count, index_t n) {
  T const* row[most_interleaved];
  for (int k = 0; k < count; ++k) row[k] = reinterpret_cast<T const*>(rows[k]);
  T* const all = reinterpret_cast<T*>(to);
  if (count == 2)
    interleave(all, row[0], row[1], n);
  else if (count == 3)
    interleave(all, row[0], row[1], row[2], n);
  else
    interleave(all, row[0], row[1], row[2], row[3], n);
}
// Elements of 4 or 8 bytes.
inline void interleave(char* to, char const* const* rows, int count, int size, index_t n) {
  if (size == 4)
    interleave<std::uint32_t>(to, rows, count, n);
  else
    interleave<std::uint64_t>(to, rows, count, n);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
