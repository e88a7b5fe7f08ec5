// doctest's main for the tests of the device by nvcc. Where there is no GPU to run them it says so and ends with 77.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

int main(int argc, char** argv) {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0) return doctest::Context(argc, argv).run();
  std::printf("no GPU: the tests were compiled only\n");
  return 77;
}
