// a_tangent_or_cotangent_is_used_that_is_absent_which_if_tells
// stops a constant evaluation
// A call of two operands is derived by one of them: the other has no tangent.
#include <ricci/ricci.hpp>
namespace rc = ricci;
struct scaled_t : rc::core_call<scaled_t> {
  static constexpr auto name = "scaled";
  static constexpr rc::core_signature core{"(n),(n)->(n)"};
  RICCI_FN run(auto const& c, auto a, auto x, auto y) {
    for (rc::index_t k = 0; k < c.extents[0]; ++k) y(k) = a(k) * x(k);
  }
  template <class V>
  static constexpr V jvp(rc::ir::application<V> const& at, V const* t) {
#ifdef FIXED
    return rc::ir::sum_of(t[0] ? V(t[0] * at.operand(1)) : V{}, t[1] ? V(at.operand(0) * t[1]) : V{});
#else
    return t[0] * at.operand(1) + at.operand(0) * t[1];
#endif
  }
};
int main() {
  rc::tensor<double, 2> a{1, 2}, x{3, 4};
  rc::jvp([](auto t) { return scaled_t{}(rc::tensor<double, 2>{1, 2}, t); })(x)(a);
}
