// Tables of numbers as text: rows are lines, cells stand between delimiters, with or without quotes (RFC 4180). Blank
// lines are passed over, as are spaces around cells; what is no number, and no text that the option `missing` lists, is
// an error with its line and column.
#pragma once

#include <limits>

#include <ricci/io/csv_cells.hpp>
#include <ricci/io/gzip.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

// The delimiter that an option asks for, or the name.
inline char delimiter_of(std::string_view file, char option) {
  constexpr std::string_view of_numbers = "0123456789+-.\"\r\n";
  if (of_numbers.find(option) != std::string_view::npos || (option >= 'a' && option <= 'z') ||
      (option >= 'A' && option <= 'Z'))
    (message(file) << "the delimiter '" << option << "' stands in numbers or between lines").raise();
  if (option != '\0') return option;
  file = without_gz(file);
  return ends_with(file, ".tsv") ? '\t' : ends_with(file, ".txt") ? ' ' : ',';
}

// A cell of a line: its text without the spaces and quotes around it, and where it ends, at a delimiter or with the
// line.
struct csv_cell {
  std::string_view text;
  char const* end;
};
inline bool is_space_in(char c, char delimiter) { return c == ' ' || (c == '\t' && delimiter != '\t'); }
// The cell that begins at p. Of what no number has, as quotes in quotes, a cell is left as it stands.
inline csv_cell next_cell(char const* p, char const* stop, char delimiter) {
  auto const is_end = [&](char const* q) { return q == stop || *q == delimiter || (delimiter == ' ' && *q == '\t'); };
  auto const trimmed = [&](char const* first, char const* last) {
    while (first < last && is_space_in(*first, delimiter)) ++first;
    while (last > first && is_space_in(last[-1], delimiter)) --last;
    return std::string_view(first, std::size_t(last - first));
  };
  while (p < stop && is_space_in(*p, delimiter)) ++p;
  if (p < stop && *p == '"')
    if (auto const* quote = static_cast<char const*>(std::memchr(p + 1, '"', std::size_t(stop - p - 1)))) {
      char const* end = quote + 1;
      while (!is_end(end) && is_space_in(*end, delimiter)) ++end;
      if (is_end(end)) return {trimmed(p + 1, quote), end};
    }
  char const* end = p;
  while (!is_end(end)) ++end;
  return {trimmed(p, end), end};
}

inline bool is_among(std::string_view text, std::vector<std::string> const& all) {
  for (std::string const& one : all)
    if (text == one) return true;
  return false;
}

struct csv_table {
  core::shared_buffer memory;
  index_t rows = 0, columns = 0;
};

// Elements of a type, read as P.
template <class P>
csv_table read_rows(std::string_view file, std::string_view text, dtype type, io::load_options const& o) {
  char const delimiter = delimiter_of(file, o.delimiter);
  index_t line = o.skip_rows + 1;
  csv_table t;
  index_t const size = size_of(type);
  // each cell takes a byte and a delimiter or the end of a line
  index_t const most = index_t(text.size() / 2 + 1);
  index_t room = most < 64 ? most : 64, count = 0, first_line = 0;
  t.memory = core::shared_buffer(room * size);
  char* to = t.memory.data();
  auto const make_room = [&](index_t wanted) {
    room = wanted < most ? wanted : most;
    core::shared_buffer larger(room * size);
    __builtin_memcpy(larger.data(), t.memory.data(), std::size_t(count * size));
    t.memory = static_cast<core::shared_buffer&&>(larger);
    to = t.memory.data();
  };
  bool are_short = true;
  bool const any_missing = !o.missing.empty();  // then also a number may stand for one
  char const *p = text.data(), *const end = p + text.size();
  for (; p < end; ++line) {
    auto const* stop = static_cast<char const*>(std::memchr(p, '\n', std::size_t(end - p)));
    char const* const next = stop ? stop + 1 : end;
    if (!stop) stop = end;
    if (stop > p && stop[-1] == '\r') --stop;
    while (p < stop && is_space_in(*p, delimiter)) ++p;
    while (stop > p && is_space_in(stop[-1], delimiter)) --stop;
    if (p == stop) {
      p = next;
      continue;
    }
    index_t column = 0;
    while (true) {
      if (count == room) make_room(2 * room);
      // most cells are numbers as they are written here, one behind the other
      P x{};
      if (char const* const behind = any_missing ? nullptr : read_number(p, stop, x, are_short);
          behind && (behind == stop || *behind == delimiter) && store(x, type, to + count * size)) {
        ++column, ++count;
        if (behind == stop) break;
        p = behind + 1;
        continue;
      }
      auto const [cell, after] = next_cell(p, stop, delimiter);
      ++column;
      char const* const cell_end = cell.data() + cell.size();
      cell_error e = cell_error::none;
      if (any_missing && is_among(cell, o.missing)) {
        if constexpr (std::is_floating_point_v<P>) x = std::numeric_limits<P>::quiet_NaN();
      } else {
        e = read_cell(cell.data(), cell_end, x);
      }
      if (e == cell_error::none && !store(x, type, to + count * size)) e = cell_error::out_of_range;
      if (e != cell_error::none) {
        message m(file);
        m << "line " << line << ", column " << column << ": ";
        if (cell.empty())
          m << "an empty cell, where " << type << " was expected";
        else
          m << '\'' << cell << "' is " << (e == cell_error::out_of_range ? "out of the range of " : "no ") << type;
        m.raise();
      }
      ++count;
      if (after == stop) break;
      p = after + 1;
    }
    if (t.rows == 0) {
      t.columns = column, first_line = line;
      index_t const rows = index_t(text.size()) / (next - text.data()) + 1;  // if they are as long as the first one
      if (next < end) make_room(rows < most / column ? column * (rows + rows / 8 + 1) : most);
    }
    if (column != t.columns)
      (message(file) << "line " << line << ": " << column << " columns, where line " << first_line << " has "
                     << t.columns)
          .raise();
    ++t.rows;
    p = next;
  }
  t.memory.header().bytes = count * size;  // what is behind them belongs to no element
  return t;
}

template <class = void>
any_tensor read_csv(source& s, io::load_options const& o, expectation const& e) {
  dtype const type = e.type != dtype::none ? e.type : o.dtype != dtype::none ? o.dtype : dtype::float64;
  if (is_complex(type)) (message(s.name()) << "csv has no complex numbers: their parts can be two columns").raise();
  if (!o.missing.empty() && kind_of(type) != number_kind::floating)
    (message(s.name()) << "the option missing makes NaN of cells, and " << type << " has none").raise();
  core::shared_buffer memory;
  std::string contents;
  std::string_view rest = expanded(s.name(), s.read_all(memory), contents);
  if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);  // a byte order mark, which spreadsheets write
  for (index_t k = 0; k < o.skip_rows; ++k) {
    auto const end = rest.find('\n');
    if (end == std::string_view::npos && rest.empty())
      (message(s.name()) << "it has " << k << " lines, where " << o.skip_rows << " are to be skipped").raise();
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  csv_table t;
  auto const read_as = [&](auto zero) { t = read_rows<decltype(zero)>(s.name(), rest, type, o); };
  switch (kind_of(type)) {
    case number_kind::boolean:
      read_as(false);
      break;
    case number_kind::signed_integer:
      read_as(std::int64_t());
      break;
    case number_kind::unsigned_integer:
      read_as(std::uint64_t());
      break;
    case number_kind::floating:
      type == dtype::float64 ? read_as(0.) : read_as(0.f);
      break;
    case number_kind::complex:
    case number_kind::none:
      break;
  }
  shape_t shape{2, {t.rows, t.columns}};
  if (!e.any_shape && e.shape.rank == 1 && t.columns <= 1) shape = {1, {t.rows}};
  if (!e.any_shape && e.shape.rank == 0 && t.rows == 1 && t.columns == 1) shape = {};
  e.check(s.name(), {}, type, shape);
  return array_of(static_cast<core::shared_buffer&&>(t.memory), type, shape);
}

template <class = void>
void write_csv(sink& s, array_view const& a, io::save_options const& o) {
  if (a.shape.rank > 2)
    (message(s.name()) << "csv is a table: an array of shape " << a.shape << " has more than 2 axes").raise();
  if (is_complex(a.type)) (message(s.name()) << "csv has no complex numbers: their parts can be two columns").raise();
  char const delimiter = delimiter_of(s.name(), o.delimiter);
  bool const is_packed = ends_with(s.name(), ".gz");
  index_t const columns = a.shape.rank == 2 ? a.shape[1] : 1, rows = a.shape.rank > 0 ? a.shape[0] : 1;
  std::string text;
  if (!o.header.empty()) {
    if (index_t(o.header.size()) != columns)
      (message(s.name()) << "a header of " << index_t(o.header.size()) << " names for " << columns << " columns")
          .raise();
    for (std::string const& name : o.header) {
      if (name.find('\n') != std::string::npos) (message(s.name()) << "a name in the header has several lines").raise();
      bool const quoted = name.find(delimiter) != std::string::npos || name.find('"') != std::string::npos;
      if (&name != &o.header[0]) text += delimiter;
      if (quoted) text += '"';
      for (char const c : name) text.append(c == '"' ? 2 : 1, c);
      if (quoted) text += '"';
    }
    text += '\n';
  }
  with_type(a.type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!is_complex(dtype_of<T>)) {
      auto const* p = static_cast<T const*>(a.data);
      for (index_t i = 0; i < rows; ++i) {
        for (index_t j = 0; j < columns; ++j) {
          if (j > 0) text += delimiter;
          append_cell(text, static_cast<cell_type<T>>(*p++));
        }
        text += '\n';
        if (is_packed || text.size() < 1 << 16) continue;
        s.write(text);
        text.clear();
      }
    }
  });
  is_packed ? write_gzip(s, text) : s.write(text);
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
