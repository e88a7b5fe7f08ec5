#include "output.hpp"

#include <filesystem>
#include <fstream>

#include "fail.hpp"

namespace fs = std::filesystem;

namespace {

// A file under another name until all are complete.
fs::path draft(fs::path const& folder, output_file const& file) { return folder / (file.name + ".part"); }

bool write_draft(fs::path const& folder, output_file const& file) {
  std::ofstream to(draft(folder, file), std::ios::binary);
  to.write(file.bytes.data(), static_cast<std::streamsize>(file.bytes.size()));
  to.close();
  return !to.fail();
}

}  // namespace

void require_writable(std::string const& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(folder + ": " + error.message());
  output_file const probe{"digits", ""};
  bool const written = write_draft(folder, probe);
  fs::remove(draft(folder, probe), error);
  if (!written) fail(folder + ": no file can be written there");
}

void write_files(std::string const& folder, std::vector<output_file> const& files) {
  std::error_code error;
  auto const give_up = [&](output_file const& at) {
    for (auto const& file : files) fs::remove(draft(folder, file), error);
    fail((fs::path(folder) / at.name).string() + ": cannot be written");
  };
  for (auto const& file : files)
    if (!write_draft(folder, file) || fs::is_directory(fs::path(folder) / file.name)) give_up(file);
  for (auto const& file : files) {
    fs::rename(draft(folder, file), fs::path(folder) / file.name, error);
    if (error) give_up(file);
  }
}
