// Every allocation of the whole program fails once, for a few digits and one epoch, and nothing leaks, nor do files
// stay open. (tests/found/failing_examples.cpp does this with the other examples.)
#include "../../../tests/failing_program.hpp"

#include <filesystem>

#define main run
#include "../main.cpp"
#undef main

TEST_CASE("digits, with an allocation that fails") {
  namespace fs = std::filesystem;
  fs::path const folder = fs::temp_directory_path() / ("ricci_digits_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::string const table = folder / "digits.csv";
  std::FILE* const file = std::fopen(table.c_str(), "w");
  REQUIRE(file);
  for (int digit = 0; digit < 12; ++digit)
    for (int k = 0; k <= pixels; ++k)
      std::fprintf(file, k < pixels ? "%d," : "%d\n", k < pixels ? (digit * k) % 17 : digit % 10);
  std::fclose(file);
  int const next_file = dup(0);
  close(next_file);
  CHECK(fails_cleanly_when_run(&run, {"--data", table, "--epochs", "1", "--out", folder}) >= 100);
  int const still_next = dup(0);
  CHECK(still_next == next_file);
  close(still_next);
  fs::remove_all(folder);
}
