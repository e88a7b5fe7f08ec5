// The table without NumPy.
extern "C" void bench_arrays(char const*, int (*)(char const*), void (*)(int), double const* (*)(int, long*));
int main(int argc, char** argv) { bench_arrays(argc > 1 ? argv[1] : "", nullptr, nullptr, nullptr); }
