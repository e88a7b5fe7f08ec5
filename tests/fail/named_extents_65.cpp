// a_function_has_more_than_64_named_extents
// stops a constant evaluation
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef FIXED
constexpr int n = 64;
#else
constexpr int n = 65;
#endif
constexpr rc::label name_of(int k) {
  return {std::uint64_t('a' + k / 10) + (std::uint64_t('0' + k % 10) << 8), 0, 0, 0};
}
template <int... K>
float last(std::integer_sequence<int, K...>) {
  std::tuple<rc::tensor<float, rc::dim<name_of(K)>>...> const vectors{rc::tensor<float, rc::dim<name_of(K)>>(1)...};
  return float(rc::fn([](auto v) { return std::get<n - 1>(v)(0); })(vectors));
}
int main() { return int(last(std::make_integer_sequence<int, n>{})); }
