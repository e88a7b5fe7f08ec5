// The one file of a program that has Eigen's decompositions.
#include <ricci/eigen_decompositions.hpp>
