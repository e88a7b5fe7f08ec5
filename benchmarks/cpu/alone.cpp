// The table without Python's libraries; MKL and OpenBLAS where the linker finds them.
#include <cstring>
#include <initializer_list>

extern "C" {
void bench_blas(char const*, char const*);
void bench_cpu(char const*, char const*, void (*)(char const*, void const*, int, int, long const*),
               int (*)(char const*, char const*, char const*), void (*)(int), double const* (*)(int, long*));
}
int main(int argc, char** argv) {
  char const *only = "", *picture = "";
  for (int k = 1; k < argc; ++k)
    if (std::strcmp(argv[k], "--svg") == 0 && k + 1 < argc)
      picture = argv[++k];
    else
      only = argv[k];
  for (char const* path : {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"}) bench_blas("MKL", path);
  bench_blas("OpenBLAS", "libopenblas.so.0");
  bench_cpu(only, picture, nullptr, nullptr, nullptr, nullptr);
}
