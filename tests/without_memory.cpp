// What is linked to an example, in front of its main: the example runs once, so that what is made once is there, and
// then again, where each allocation fails. Not in that run itself, but in a copy of the process, which is to end by
// bad_alloc with all memory given back. An example that trains asks for memory a hundred thousand times; allocations
// that have the same callers, up to main, are tried three times.
// Linked with -Wl,--wrap=main,--wrap=unlink.
#include <execinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

#include "counted_memory.hpp"

extern "C" {
int __real_main(int, char**);
int __wrap_main(int, char**);
int __real_unlink(char const*);
int __wrap_unlink(char const*);
}

namespace {

bool fails = false;  // in a copy: one allocation has failed
long tried = 0, wrong = 0;

// whether allocations of these callers have been tried less than three times
bool is_to_be_tried() {
  static unsigned char times[1 << 16];
  void* callers[64];
  int const n = backtrace(callers, 64);
  std::uint64_t h = 14695981039346656037u;
  for (int k = 0; k < n; ++k) h = (h ^ reinterpret_cast<std::uintptr_t>(callers[k])) * 1099511628211u;
  unsigned char& count = times[(h ^ h >> 32) % sizeof times];
  return count < 3 && ++count > 0;
}
// true in the copy where it fails
bool fails_in_a_copy(std::size_t bytes) {
  ++tried;
  std::fflush(nullptr);  // or both would write it
  pid_t const copy = fork();
  if (copy == 0) {
    fails = true;
    alarm(120);
    return true;
  }
  int status = 1;
  if (copy < 0 || waitpid(copy, &status, 0) != copy || status != 0) {
    ++wrong;
    std::fprintf(stderr, "allocation %ld, of %zu bytes: where it fails, the program ends with status %x\n", tried,
                 bytes, unsigned(status));
  }
  return false;
}

bool is_to_fail(std::size_t bytes) { return !fails && is_to_be_tried() && fails_in_a_copy(bytes); }

}  // namespace

// Files that a copy has half written are those of the run that goes on.
int __wrap_unlink(char const* name) { return fails ? 0 : __real_unlink(name); }

int __wrap_main(int argc, char** argv) {
  void* caller[1];
  backtrace(caller, 1);  // which loads what it needs
  if (int const result = __real_main(argc, argv); result != 0) return result;
  counts = true;
  int result = 0;
  bool threw = false;
  try {
    result = __real_main(argc, argv);
  } catch (std::bad_alloc const&) {
    threw = true;
  }
  counts = false;
  if (fails) _exit(live != 0 ? 2 : threw || result == 0 ? 0 : 3);
  std::printf("%ld allocations failed, %ld of them wrongly; %ld blocks are left\n", tried, wrong, live);
  return threw || result != 0 || wrong != 0 || live != 0;
}
