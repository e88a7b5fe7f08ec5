// use of deleted function.*windows|call to deleted function 'windows'
// Windows refer to their series, and this one is gone before them.
#include <ricci/data/windows.hpp>
#include <ricci/tensor/create.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::ndarray<int, 1> const series = rc::arange<int>(10);
  auto w = rc::data::windows(series, 4, 1);
#else
  auto w = rc::data::windows(rc::ndarray<int, 1>(10), 4, 1);
#endif
  (void)w;
}
