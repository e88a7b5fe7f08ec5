// Runs a command and prints the user milliseconds and the peak memory (MB) of it and of what it started: `measure g++
// -c x.cpp`. As a compiler's launcher, `measure --into FOLDER g++ -c x.cpp` writes them to FOLDER/x.cpp.cost.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstring>
#include <string>

int main(int argc, char** argv) {
  char const* folder = nullptr;
  if (argc > 2 && std::strcmp(argv[1], "--into") == 0) folder = argv[2], argc -= 2, argv += 2;
  if (argc < 2) return 2;
  pid_t const child = fork();
  if (child == 0) {
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  int status = 0;
  rusage use{};
  if (child < 0 || wait4(child, &status, 0, &use) < 0) return 2;
  std::FILE* to = stdout;
  if (folder) {
    std::string source;
    for (int k = 1; k < argc; ++k)
      if (std::string const word = argv[k]; word.size() > 4 && word.compare(word.size() - 4, 4, ".cpp") == 0)
        source = word;
    source = source.substr(source.find_last_of('/') + 1);
    to = source.empty() ? nullptr : std::fopen((std::string(folder) + "/" + source + ".cost").c_str(), "w");
  }
  if (to)
    std::fprintf(to, "%ld;%ld", long(use.ru_utime.tv_sec) * 1000 + long(use.ru_utime.tv_usec) / 1000,
                 use.ru_maxrss / 1024);
  if (folder && to) std::fclose(to);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
