// Writing the results: all files or none.
#pragma once

#include <string>
#include <vector>

struct output_file {
  std::string name, bytes;
};

// Makes the folder if need be, and ends the program if files cannot be written there: better known before the work than
// after.
void require_writable(std::string const& folder);

void write_files(std::string const& folder, std::vector<output_file> const& files);
