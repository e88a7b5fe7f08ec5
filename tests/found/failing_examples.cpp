// 18 again, for whole programs: each allocation fails once, and nothing leaks. What they print is left out. (Of the
// other examples tests/without_memory.cpp says it; the one with digits does it beside its other tests,
// examples/digits/tests.)
#if defined(__cpp_exceptions) && __has_include(<unistd.h>)
#include "../failing_program.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <random>

#include <ricci/nn/freeze.hpp>

#include "../numbers.hpp"

namespace cortex_m {
#define main read_pictures
#include "../../examples/cortex_m/host.cpp"
#include "../../examples/cortex_m/main.cpp"
#undef main
#define main train_net
#include "../../examples/cortex_m/train.cpp"
#undef main
}  // namespace cortex_m

TEST_CASE("18: a net that is read from constants takes no memory, and what makes them gives it all back") {
  CHECK(fails_cleanly_when_run([](int, char**) { return cortex_m::read_pictures(); }, {}) == 0);
  auto const table = std::filesystem::temp_directory_path() / ("ricci_digits_" + std::to_string(getpid()));
  std::FILE* const file = std::fopen(table.c_str(), "w");
  REQUIRE(file);
  for (int digit = 0; digit < 80; ++digit)
    for (int k = 0; k <= 64; ++k) std::fprintf(file, k < 64 ? "%d," : "%d\n", k < 64 ? (digit * k) % 17 : digit % 10);
  std::fclose(file);
  static std::string const path = table;
  auto const train = [](int argc, char** argv) {
    if (!std::freopen(path.c_str(), "r", stdin)) return 1;
    return cortex_m::train_net(argc, argv);
  };
  CHECK(fails_cleanly_when_run(train, {path + "_learned.hpp", path + "_pictures.hpp"}) >= 10);
  for (char const* const end : {"", "_learned.hpp", "_pictures.hpp"}) std::filesystem::remove(path + end);
}
#endif
