// What the header costs before anything is done with it; with -DPEER, Eigen's.
#ifdef PEER
#include <Eigen/Core>
#else
#include <ricci/ricci.hpp>
#endif

int main() {}
