// How a file is read or written, where its name and its type do not say it all.
#pragma once

#include <vector>

#include <ricci/io/array.hpp>

namespace ricci::io {

// An option of other formats than the file's is an io_error.
struct load_options {
  // "npy", "npz", "safetensors", "gguf", "csv", "idx", "png", "jpeg", "pnm", "wav" or "raw". By default what the name
  // of a file ends with says it; streams and bytes hold npy.
  std::string_view format = {};
  // of several arrays in a file, the one that is wanted; for a record, of which member of what was saved it is: its
  // arrays are those whose names begin so, with a dot behind. Not where all are read
  std::string_view name = {};
  // npz, safetensors, gguf, csv: whether a file may hold arrays that a record has no member for
  bool allow_more = false;
  // npy: whether a tensor that is there and has the shape of the file is read into where it lies, without new memory
  // (but from a pipe). Then a disk that fails in the middle leaves some of it overwritten
  bool in_place = false;
  // csv: what stands between cells, by default a tab in .tsv, spaces in .txt and else a comma; and how many lines stand
  // before the first row
  char delimiter = '\0';
  index_t skip_rows = 0;
  // csv: the names of the columns that are read, in this order; `{.columns = {"x", "y"}}`. Then the first line behind
  // those that are skipped has the names of columns, and columns that are not asked for may hold anything
  std::vector<std::string> columns = {};
  // csv, of floating point types: what stands for missing values, which become NaN: `{.missing = {"", "NA"}}`. By
  // default nothing does, and such a cell is an error
  std::vector<std::string> missing = {};
  // csv, raw: the element type where the wanted type does not say it; raw: the bytes before the first element
  ricci::dtype dtype = ricci::dtype::none;
  index_t offset = 0;
};

// An option of other formats than the file's is an io_error, where it is not what it is by default.
struct save_options {
  std::string_view format = {};
  // csv: what stands between cells, by default as for load, and the names of the columns
  char delimiter = '\0';
  std::vector<std::string> header = {};
  // npz: whether entries are compressed, which needs zlib
  bool compress = false;
  // wav: samples a second
  int rate = 44100;
  // jpeg: from 1, smallest, to 100, nearest to the pixels
  int quality = 90;
};

}  // namespace ricci::io

namespace ricci::files {
inline namespace RICCI_ABI {

enum class format { npy, npz, safetensors, gguf, csv, idx, png, jpeg, pnm, wav, raw };

inline bool ends_with(std::string_view s, std::string_view end) {
  if (s.size() < end.size()) return false;
  s.remove_prefix(s.size() - end.size());
  for (std::size_t k = 0; k < s.size(); ++k)
    if ((s[k] >= 'A' && s[k] <= 'Z' ? char(s[k] - 'A' + 'a') : s[k]) != end[k]) return false;
  return true;
}

// The format that the option names, else the one by which the name ends.
inline format format_of(std::string_view file, std::string_view option, bool by_name) {
  struct row {
    std::string_view text;
    format is;
  };
  constexpr row formats[] = {{"npy", format::npy},   {"npz", format::npz},   {"safetensors", format::safetensors},
                             {"gguf", format::gguf}, {"csv", format::csv},   {"idx", format::idx},
                             {"png", format::png},   {"jpeg", format::jpeg}, {"pnm", format::pnm},
                             {"wav", format::wav},   {"raw", format::raw}};
  constexpr row endings[] = {{".npy", format::npy},   {".npz", format::npz},  {".safetensors", format::safetensors},
                             {".gguf", format::gguf}, {".csv", format::csv},  {".tsv", format::csv},
                             {".txt", format::csv},   {".idx", format::idx},  {"-ubyte", format::idx},
                             {".png", format::png},   {".jpg", format::jpeg}, {".jpeg", format::jpeg},
                             {".ppm", format::pnm},   {".pgm", format::pnm},  {".wav", format::wav},
                             {".raw", format::raw},   {".bin", format::raw}};
  for (row const& r : formats)
    if (r.text == option) return r.is;
  if (!option.empty())
    (message(file) << "format '" << option
                   << "', where one of npy, npz, safetensors, gguf, csv, idx, png, jpeg, pnm, wav and raw "
                   << "was expected")
        .raise();
  if (!by_name) return format::npy;
  std::string_view name = file;
  if (ends_with(name, ".gz")) name.remove_suffix(3);
  for (row const& r : endings)
    if (ends_with(name, r.text) && (name.size() == file.size() || r.is == format::idx || r.is == format::csv))
      return r.is;
  (message(file)
   << "the name does not say what the file is: it ends with none of .npy .npz .safetensors .gguf .csv .tsv "
   << ".txt .idx -ubyte .png .jpg .jpeg .ppm .pgm .wav .raw .bin, and no option says it")
      .raise();
}

// An error where an option is one of other formats: it would be passed over in silence.
RICCI_COLD inline void check_option(std::string_view file, bool is_wrong, char const* option, char const* of) {
  if (is_wrong) (message(file) << "the option " << option << " is one of " << of << "; this is another format").raise();
}
RICCI_COLD inline void check_options(std::string_view file, format f, io::load_options const& o) {
  bool const has_names = f == format::npz || f == format::safetensors || f == format::gguf;
  if (!has_names && !o.name.empty())
    (message(file) << "the option name asks for '" << o.name << "', and this format has no names").raise();
  bool const other = f != format::csv;
  check_option(file, f != format::npy && o.in_place, "in_place", "npy");
  check_option(file, other && !has_names && o.allow_more, "allow_more", "npz, safetensors, gguf and csv");
  check_option(file, other && o.delimiter != '\0', "delimiter", "csv");
  check_option(file, other && o.skip_rows != 0, "skip_rows", "csv");
  check_option(file, other && !o.columns.empty(), "columns", "csv");
  check_option(file, other && !o.missing.empty(), "missing", "csv");
  check_option(file, other && f != format::raw && o.dtype != ricci::dtype::none, "dtype", "csv and raw");
  check_option(file, f != format::raw && o.offset != 0, "offset", "raw");
}
RICCI_COLD inline void check_options(std::string_view file, format f, io::save_options const& o) {
  io::save_options const usual;
  check_option(file, f != format::csv && o.delimiter != '\0', "delimiter", "csv");
  check_option(file, f != format::csv && !o.header.empty(), "header", "csv");
  check_option(file, f != format::npz && o.compress, "compress", "npz");
  check_option(file, f != format::wav && o.rate != usual.rate, "rate", "wav");
  check_option(file, f != format::jpeg && o.quality != usual.quality, "quality", "jpeg");
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
