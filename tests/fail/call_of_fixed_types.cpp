// one operand or result of a call at least is of type T: see its types<T>
// Such a call could not tell for which element types its loop is to be made.
#include <ricci/ricci.hpp>
namespace rc = ricci;
struct half_t : rc::core_call<half_t> {
  static constexpr auto name = "half";
  static constexpr rc::core_signature core{"(n)->(n)"};
  template <class T>
#ifdef FIXED
  using types = rc::type_list<T, std::int64_t>;
#else
  using types = rc::type_list<std::int64_t, std::int64_t>;
#endif
  RICCI_FN run(auto const& c, auto x, auto y) {
    for (rc::index_t k = 0; k < c.extents[0]; ++k) y(k) = std::int64_t(x(k)) / 2;
  }
};
int main() {
  rc::tensor<std::int64_t, 4> x{1, 2, 3, 4};
  rc::eval(half_t{}(x));
}
