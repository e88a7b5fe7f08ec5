// a_statement_has_more_than_64_labels
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
template <int First, int Count>
constexpr auto sum(auto const& x) {
  if constexpr (Count == 1)
    return rc::wrt<name_of(First)>(x);
  else
    return sum<First, Count / 2>(x) + sum<First + Count / 2, Count - Count / 2>(x);
}
int main() {
  rc::tensor<float, 3> const x{1, 2, 3};
  rc::tensor<float, 3> y;
  y = sum<0, n>(x);
}
