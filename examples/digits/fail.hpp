// The one way in which this program gives up: a line on stderr, exit status 1 (2 where the command line is at fault).
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

[[noreturn]] inline void fail(std::string const& reason, int status = 1) {
  std::fflush(stdout);
  std::fprintf(stderr, "digits: %s\n", reason.c_str());
  std::exit(status);
}
