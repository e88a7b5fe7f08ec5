// a_map_computes_with_an_extent_that_shows_at_run_time_see_starts.*last_t
// stops a constant evaluation
// A view that starts where an extent says has `starts`: in map, n - 1 is another symbol or none.
#include <ricci/ricci.hpp>
namespace rc = ricci;
struct last_t : rc::view_without_attributes<last_t> {
  static constexpr auto name = "last";
  static constexpr bool one_to_one = true;
  template <class Context>
  static constexpr rc::shape_t shape_of(Context&, rc::no_attributes, rc::shape_t const&) {
    return {1, {1}};
  }
  template <class V>
  static constexpr V batched(rc::ir::application<V> const&, V x) {
    return record(rc::no_attributes{}, x);
  }
#ifdef FIXED
  template <class Context>
  static constexpr void starts(Context& c, rc::shape_t const& x, rc::shape_t const&, rc::index_t* start) {
    start[0] = c.minus(x.extent[0], 1);
  }
  static constexpr rc::affine_map map(rc::index_t const*, rc::shape_t const&, rc::shape_t const&) {
    return rc::identity_map(1);
  }
#else
  static constexpr rc::affine_map map(rc::index_t const*, rc::shape_t const& x, rc::shape_t const&) {
    rc::affine_map m = rc::identity_map(1);
    m.start[0] = x.extent[0] - 1;
    return m;
  }
#endif
};
inline constexpr last_t last{};
int main() {
  rc::ndarray<double, 1> x{1, 2, 3};
  double y = rc::eval(rc::sum(last(x + 1.)))();
}
