// 18 again, for whole programs: each allocation of an example fails once, and nothing leaks. What they print is left
// out.
#if defined(__cpp_exceptions) && __has_include(<unistd.h>)
#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../failing.hpp"
#include "../numbers.hpp"

#define main run
namespace atoms {
#include "../../examples/atoms/main.cpp"
}
namespace fit {
#include "../../examples/fit/main.cpp"
}
namespace heat {
#include "../../examples/heat/main.cpp"
}
#undef main

namespace {

class silence {
 public:
  silence() {
    std::fflush(stdout);
    stdout_ = dup(1);
    int const nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1);
    close(nowhere);
  }
  silence(silence const&) = delete;
  ~silence() {
    std::fflush(stdout);
    dup2(stdout_, 1);
    close(stdout_);
  }

 private:
  int stdout_;
};

// Fails all allocations of `run name arguments...`, one in each call.
int fails_cleanly_when_run(int (*run)(int, char**), std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "example");
  std::vector<char*> argv;
  for (auto& a : arguments) argv.push_back(a.data());
  auto const program = [&] {
    silence const quiet;
    if (run(int(arguments.size()), argv.data()) != 0) std::abort();
  };
  program();  // what is made once stays
  return fails_cleanly(program);
}

}  // namespace

TEST_CASE("18: examples") {
  CHECK(fails_cleanly_when_run(&atoms::run, {"3", "4"}) >= 3);
  CHECK(fails_cleanly_when_run(&fit::run, {}) >= 100);
  CHECK(fails_cleanly_when_run(&heat::run, {"24", "3"}) >= 4);
}
#endif
