// io::save takes the path or a stream, then what is written
// and nothing else
#include <ricci/io.hpp>
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5);
#ifdef FIXED
  rc::io::save("x.npy", x);
#else
  rc::io::save(x, "x.npy");
#endif
}
