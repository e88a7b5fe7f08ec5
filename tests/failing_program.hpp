// A whole program whose allocations fail, each once. What it prints is left out.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "failing.hpp"

namespace {

class silence {
 public:
  silence() {
    std::fflush(stdout);
    int const nowhere = open("/dev/null", O_WRONLY);
    for (int const stream : {1, 2}) {
      kept_[stream - 1] = dup(stream);
      dup2(nowhere, stream);
    }
    close(nowhere);
  }
  silence(silence const&) = delete;
  ~silence() {
    std::fflush(stdout);
    for (int const stream : {1, 2}) {
      dup2(kept_[stream - 1], stream);
      close(kept_[stream - 1]);
    }
  }

 private:
  int kept_[2];
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
