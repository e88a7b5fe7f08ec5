// an_operation_has_more_than_24_attributes
// stops a constant evaluation
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef FIXED
constexpr int n = 24;
#else
constexpr int n = 25;
#endif
constexpr bool recorded() {
  rc::ir::graph g{};
  rc::index_t const attributes[n]{};
  auto const x = rc::ir::argument<rc::ir::statement>(g, rc::dtype::float32, {1, {2}}, 0);
  auto const y = rc::ir::record<rc::slice_t, rc::ir::statement>(g, x.type(), x.shape_id(), {&x.id, 1}, {attributes, n});
  return y.ins().attrs == n;
}
int main() { static_assert(recorded()); }
