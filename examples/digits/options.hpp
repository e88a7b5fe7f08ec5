// The command line.
#pragma once

#include <cstdint>
#include <string>

struct options {
  std::string data, out = ".", device = "cpu";
  std::uint64_t seed = 0;
  int epochs = 60, threads = 1;
};

// What does not belong there ends the program with status 2; --help with status 0.
options parse_options(int argc, char const* const* argv);
