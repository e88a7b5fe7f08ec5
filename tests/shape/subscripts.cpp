// Subscripts of einsum as data, and the order in which many operands are multiplied.
#include <doctest/doctest.h>

#include <ricci/shape/contraction_order.hpp>

namespace rc = ricci;
using namespace rc::shapes;

namespace {

constexpr bool reads(letters const& l, char const* text) {
  for (int k = 0; k < l.count; ++k)
    if (text[k] != character_of(l[k])) return false;
  return text[l.count] == '\0';
}
constexpr auto product = subscripts_in<2>("ij, jk -> ik");
static_assert(product.problem.fault == subscript_fault::none && operands_in("ij, jk -> ik") == 2);
static_assert(reads(product.operand[0].named, "ij") && reads(product.operand[1].named, "jk"));
static_assert(reads(product.result.named, "ik") && product.result.ellipsis < 0);

// without an arrow: what stands once, capitals first
static_assert(reads(subscripts_in<2>("ba,aC").result.named, "Cb") && reads(subscripts_in<1>("ii").result.named, ""));
static_assert(reads(subscripts_in<1>("").operand[0].named, "") && subscripts_in<2>("...i,i").result.ellipsis == 0);

constexpr auto fault_of(char const* text) { return subscripts_in<4>(text).problem; }
static_assert(fault_of("ij;jk").fault == subscript_fault::character && fault_of("ij;jk").place == 2);
static_assert(fault_of("ij-k").place == 2 && fault_of("i..j").place == 1 &&
              fault_of("i->j->k").letter == letter_of('j'));
static_assert(fault_of("......").fault == subscript_fault::character && fault_of("i->i,").place == 4);
static_assert(fault_of("ij->iz").fault == subscript_fault::letter_unknown &&
              fault_of("ij->iz").letter == letter_of('z'));
static_assert(fault_of("ij->ii").fault == subscript_fault::letter_repeated);
static_assert(fault_of("abcdefghijklm").fault == subscript_fault::axes);
static_assert(fault_of("abcdefg,hijklmn").fault == subscript_fault::axes);

// beside orders
constexpr auto of_orders(int a, int b, subscript_problem& p) {
  int const ranks[] = {a, b};
  return subscripts_in<2>("i...j,...jk->...ik").of(ranks, p);
}
constexpr subscript_fault fault_of_orders(int a, int b) {
  subscript_problem p;
  of_orders(a, b, p);
  return p.fault;
}
constexpr bool ellipsis_is_aligned_at_the_end() {
  subscript_problem p;
  auto const c = of_orders(4, 3, p);
  return c.operand[0].count == 4 && c.operand[0][1] == axes_of_ellipsis + 1 && c.operand[1][0] == axes_of_ellipsis &&
         c.result.count == 4 && c.result[0] == axes_of_ellipsis + 1 && c.result[3] == letter_of('k');
}
static_assert(ellipsis_is_aligned_at_the_end());
static_assert(fault_of_orders(2, 2) == subscript_fault::none && fault_of_orders(1, 2) == subscript_fault::order);
static_assert(fault_of_orders(12, 2) == subscript_fault::none && fault_of_orders(2, 12) == subscript_fault::none);

// ---- the order of products ----

// each letter of `text` has the extent that stands behind it in `extents`; what all steps cost
template <int N>
constexpr double cost_of(char const* text, rc::index_t const (&extents)[axes_of_ellipsis]) {
  auto const s = subscripts_in<N>(text);
  letter_set set[N]{}, result = s.result.named.set();
  for (int k = 0; k < N; ++k) set[k] = s.operand[k].named.set();
  auto const order = order_of<N>(set, result, extents);
  if (order.count != N - 1) return -1;
  double cost = 0;
  for (int k = 0; k < order.count; ++k) {
    auto const [l, r] = order.step[k];
    letter_set others = result;
    for (int j = 0; j < N; ++j)
      if (j != l && j != r) others |= set[j];
    cost += elements_of(set[l] | set[r], extents);
    set[l] = (set[l] | set[r]) & others, set[r] = 0;
  }
  return set[0] == result ? cost : -1;
}
template <int N>
constexpr double cost_of(char const* text, rc::index_t all, char letter = 'a', rc::index_t its = 0) {
  rc::index_t extents[axes_of_ellipsis]{};
  for (auto& e : extents) e = all;
  if (its != 0) extents[letter_of(letter)] = its;
  return cost_of<N>(text, extents);
}
// a chain of matrices onto a vector goes from the vector on
static_assert(cost_of<5>("ij,jk,kl,lm,m->i", 64) == 4 * 64 * 64);
static_assert(cost_of<5>("ij,jk,kl,lm,m->i", rc::dyn) == 4 * typical_extent * typical_extent);
// the narrow place of a chain comes first
static_assert(cost_of<3>("ij,jk,kl->il", 10, 'k', 1) == 100 + 100 && cost_of<3>("ij,jk,kl->il", 10, 'j', 1) == 200);
// no outer product before it has to be
static_assert(cost_of<3>("i,j,ij->", 8) == 64 + 8);
static_assert(cost_of<4>("ab,cd,bc,de->ae", 5) == 3 * 125);
// beyond six operands, greedily
static_assert(cost_of<8>("ab,bc,cd,de,ef,fg,gh,h->a", 4) == 7 * 16);
static_assert(cost_of<1>("ij->ji", 4) == 0);

TEST_CASE("subscripts and the order of products") {  // the same where nothing is constant
  CHECK(cost_of<5>("ij,jk,kl,lm,m->i", 64) == 4 * 64 * 64);
  CHECK(cost_of<8>("ab,bc,cd,de,ef,fg,gh,h->a", 4) == 7 * 16);
  CHECK(fault_of("ij;jk").place == 2);
}

}  // namespace
