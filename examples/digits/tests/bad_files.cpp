// Writes tables of digits that are wrong in one way each, for the tests of what the program says of them:
//   bad_files good.csv.gz folder
#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace {

void write_gzipped(std::string const& path, std::string const& text) {
  gzFile to = gzopen(path.c_str(), "wb");
  gzwrite(to, text.data(), static_cast<unsigned>(text.size()));
  gzclose(to);
}
void write_bytes(std::string const& path, std::string const& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int main(int, char** argv) {
  std::ifstream good(argv[1], std::ios::binary);
  std::string const packed{std::istreambuf_iterator<char>(good), {}};
  std::string const folder = std::string(argv[2]) + "/";
  std::string row;
  for (int k = 0; k < 64; ++k) row += std::to_string(k % 17) + ",";
  std::string const three = row + "1\n" + row + "2\n" + row + "3\n";

  write_bytes(folder + "truncated.csv.gz", packed.substr(0, packed.size() / 2));
  write_bytes(folder + "no_end.csv.gz", packed.substr(0, packed.size() - 4));
  std::string changed = packed;
  changed[packed.size() - 8] = static_cast<char>(changed[packed.size() - 8] ^ 1);  // of the checksum
  write_bytes(folder + "corrupt.csv.gz", changed);
  write_gzipped(folder + "column_missing.csv.gz", three + row.substr(2) + "4\n" + row + "5\n");
  write_gzipped(folder + "column_too_many.csv.gz", three + "0," + row + "4\n");
  std::string const short_row = row.substr(2) + "1\n";
  write_gzipped(folder + "columns.csv.gz", short_row + short_row + short_row + short_row);
  write_gzipped(folder + "word.csv.gz", three + "x" + row.substr(1) + "4\n");
  write_gzipped(folder + "fraction.csv.gz", three + "0.5" + row.substr(1) + "4\n");
  write_gzipped(folder + "empty_cell.csv.gz", three + row.substr(1) + "4\n");
  write_gzipped(folder + "label.csv.gz", three + row + "10\n");
  write_gzipped(folder + "pixel.csv.gz", three + "17" + row.substr(1) + "4\n");
  write_gzipped(folder + "negative.csv.gz", three + row + "-1\n");
  write_gzipped(folder + "huge.csv.gz", three + row + "99999999999999999999\n");
  write_gzipped(folder + "three_rows.csv.gz", three);
  write_gzipped(folder + "nothing.csv.gz", "");
  // what is right, though it is not gzipped and its lines end as on other systems
  write_bytes(folder + "plain.csv", row + "1\r\n" + row + "2\r\n" + row + "3\r\n" + row + "4");
  return 0;
}
