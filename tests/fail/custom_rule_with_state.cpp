// a derivative rule of its own, its rule or a checkpoint holds a value, which the rule would not see: pass it as an
// argument
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main(int argc, char**) {
  [[maybe_unused]] double const scale = argc;
  auto const value = [](auto x, auto) { return x; };
#ifdef FIXED
  auto f = rc::custom_jvp(value, [](auto x, auto s, auto t, auto) { return std::tuple{x, t * s}; });
#else
  auto f = rc::custom_jvp(value, [=](auto x, auto, auto t, auto) { return std::tuple{x, t * scale}; });
#endif
  rc::grad(f)(2., scale);
}
