// an_operation_is_derived_that_has_no_jvp_or_vjp
// stops a constant evaluation
// A view of a program's own without the rule of reverse mode: a gradient of zeros would be what nobody asked for.
#include <ricci/ricci.hpp>
namespace rc = ricci;
struct backwards_t : rc::view_without_attributes<backwards_t> {
  static constexpr auto name = "backwards";
  static constexpr bool one_to_one = true;
  template <class Context>
  static constexpr rc::shape_t shape_of(Context&, rc::no_attributes, rc::shape_t const& s) {
    return s;
  }
  template <class Context>
  static constexpr void starts(Context& c, rc::shape_t const& x, rc::shape_t const&, rc::index_t* first) {
    first[x.rank - 1] = c.minus(x.extent[x.rank - 1], 1);
  }
  static constexpr rc::affine_map map(rc::index_t const*, rc::shape_t const& x, rc::shape_t const&) {
    rc::affine_map m = rc::identity_map(x.rank);
    m.terms[x.rank - 1].step = -1;
    return m;
  }
  template <class V>
  static constexpr V batched(rc::ir::application<V> const&, V x) {
    return record(rc::no_attributes{}, x);
  }
#ifdef FIXED
  template <class V>
  static constexpr void vjp(rc::ir::application<V> const&, V ct, V* out) {
    out[0] = record(rc::no_attributes{}, ct);
  }
#endif
};
int main() {
  rc::tensor<double, 3> x{1, 2, 3};
  return static_cast<int>(rc::grad([](auto a) { return rc::sum(backwards_t{}(a * a)); })(x)(0));
}
