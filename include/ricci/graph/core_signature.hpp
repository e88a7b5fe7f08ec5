// Calls: operations that bring a loop of their own, as sorting and decompositions do. A core signature, as NumPy's
// generalized universal functions have, says over which axes that loop runs; it is run for every combination of the
// axes before these:
//
//   "(n)->(n)"                  cumulative sums
//   "(m,n)->(m,k),(k),(k,n)"    a decomposition with three results
//   "(n),(n),(n),(n)->(n)"      a tridiagonal system: three diagonals and a right-hand side
//   "->(n)"                     numbers made of nothing
#pragma once

#include <ricci/core/limits.hpp>
#include <ricci/core/types.hpp>

namespace ricci {

// operands and results of a call together, axes of a core, different letters
inline constexpr int most_call_arrays = 10, most_core_axes = 4, most_core_letters = 8;

struct core_signature {
  int operands = 0, results = 0, letters = 0;
  int rank[most_call_arrays]{};  // of the cores, those of the operands before those of the results
  std::int8_t letter[most_call_arrays][most_core_axes]{};  // the extent of each of their axes: a letter, by number

  constexpr core_signature(char const* text) {
    char names[most_core_letters]{};
    bool behind_arrow = false, open = false;
    for (; *text; ++text) {
      int const arrays = operands + results;
      if (*text == '(' && !open && arrays < most_call_arrays) {
        open = true;
        ++(behind_arrow ? results : operands);
      } else if (*text == ')' && open) {
        open = false;
      } else if (*text == '-' && text[1] == '>' && !open && !behind_arrow) {
        behind_arrow = true;
        ++text;
      } else if (open && *text >= 'a' && *text <= 'z' && rank[arrays - 1] < most_core_axes) {
        int k = 0;
        while (k < letters && names[k] != *text) ++k;
        if (k == most_core_letters) limits::a_core_signature_reads_like_m_n_arrow_n_each_in_parentheses();
        if (k == letters) names[letters++] = *text;
        letter[arrays - 1][rank[arrays - 1]++] = static_cast<std::int8_t>(k);
      } else if (*text != ',' && *text != ' ') {
        limits::a_core_signature_reads_like_m_n_arrow_n_each_in_parentheses();
      }
    }
    if (open || results == 0) limits::a_core_signature_reads_like_m_n_arrow_n_each_in_parentheses();
  }
  constexpr int arrays() const { return operands + results; }
  // loops of a call behind those of the batch: as many as there are extents, or axes of a core
  constexpr int loops() const {
    int n = letters;
    for (int k = 0; k < arrays(); ++k) n = rank[k] > n ? rank[k] : n;
    return n;
  }
};

// A call that walks along its axis, as a cumulative sum: whether element i of the result is made of the elements before
// i, or of i, too. Attribute 1 says whether it walks backwards.
enum class scan_kind : std::uint8_t { none, before, with };

// What the passes have to know of a call.
struct call_facts {
  core_signature core;
  int of_its_type;  // the first array whose elements are of the type that the call promotes to
  bool along_axis;  // the one letter is an axis anywhere, attribute 0; else the axes of cores are the last ones
  int dense_axes;   // operands are wanted with so many of their last axes in row-major order, the others by any strides
  // Why there is no result for cores with these extents, by letter; null where there is one. Asked before anything is
  // written.
  char const* (*refuses)(index_t const* extents);
  bool may_refuse;  // whether there is one (g++ does not compare it with null in constants under -fsanitize=undefined)
  index_t (*operations)(index_t const* extents);  // of one core; null: one for each element of its operands
  int checked = -1;  // an operand of int64 whose values it may refuse, by `refuses_value` and `say_why`, which may be
                     // told the value; -1: none
  scan_kind scan = scan_kind::none;
  bool refuses_empty_batches = false;  // whether such extents are refused where there is no core, too
  bool takes_rows = false;             // whether it is given rows of cores at once (`run_row`)

  // The loops of a call are `batch` ones before the cores, then one for each axis of a core. That of axis `axis` of
  // array k; `along`: attribute 0.
  constexpr int loop_of(int k, int axis, int batch, index_t along) const {
    if (!along_axis || core.rank[k] == 0 || axis < along) return axis;
    return axis == along ? batch : axis - 1;
  }
  // the letter of such a loop
  constexpr int letter_of(int k, int loop, int batch) const { return core.letter[k][loop - batch]; }
};

}  // namespace ricci
