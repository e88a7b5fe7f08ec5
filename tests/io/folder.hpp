// A folder for the files of a test, which goes with it; and where the samples lie.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

struct folder {
  std::filesystem::path path;

  folder() {
    static std::atomic<int> count{0};
#if __has_include(<unistd.h>)
    int const process = int(getpid());
#else
    int const process = 0;
#endif
    path = std::filesystem::temp_directory_path() /
           ("ricci_io_" + std::to_string(process) + "_" + std::to_string(count++));
    std::filesystem::create_directories(path);
  }
  folder(folder const&) = delete;
  folder& operator=(folder const&) = delete;
  ~folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string operator/(char const* name) const { return (path / name).string(); }
};

inline std::string sample(char const* name) {
  return (std::filesystem::path(__FILE__).parent_path() / "samples" / name).string();
}
