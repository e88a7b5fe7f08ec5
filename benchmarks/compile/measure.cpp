// Runs a command and prints the user milliseconds and the peak memory (MB) of it and of what it started: `measure g++
// -c x.cpp`.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  pid_t const child = fork();
  if (child == 0) {
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  int status = 0;
  rusage use{};
  if (child < 0 || wait4(child, &status, 0, &use) < 0) return 2;
  std::printf("%ld;%ld", long(use.ru_utime.tv_sec) * 1000 + long(use.ru_utime.tv_usec) / 1000, use.ru_maxrss / 1024);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
