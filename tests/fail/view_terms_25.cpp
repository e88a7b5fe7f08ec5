// a_view_of_views_has_more_than_24_terms
// stops a constant evaluation
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef FIXED
constexpr int n = 24;
#else
constexpr int n = 25;
#endif
constexpr rc::affine_map made() {
  rc::affine_map m{};
  for (int k = 0; k < n; ++k) add_term(m, k / 12, k % 12);
  return m;
}
int main() { static_assert(made().count == n); }
