// Tables of numbers as text: rows are lines, cells stand between delimiters, with or without quotes (RFC 4180). Blank
// lines are passed over, as are spaces around cells; what is no number, and no text that the option `missing` lists, is
// an error with its line and column.
#pragma once

#include <limits>
#include <optional>

#include <ricci/io/csv_cells.hpp>
#include <ricci/io/csv_lines.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

inline bool is_among(std::string_view text, std::vector<std::string> const& all) {
  for (std::string const& one : all)
    if (text == one) return true;
  return false;
}

struct csv_table {
  core::shared_buffer memory;
  index_t rows = 0, columns = 0;
};

// Elements of a type, read as P, of the columns that are chosen; what stands in others is passed over.
template <class P>
csv_table read_rows(std::string_view file, std::string_view text, dtype type, io::load_options const& o,
                    csv_choice const& choice) {
  char const delimiter = delimiter_of(file, o.delimiter);
  bool const all = choice.count == 0;
  index_t line = (all ? o.skip_rows : choice.header->line) + 1;
  csv_table t;
  t.columns = index_t(choice.places.size());
  index_t const size = size_of(type);
  // each cell takes a delimiter or the end of a line, and a byte unless an empty one is a missing value; the last row
  // may lack some
  bool const any_missing = !o.missing.empty();  // then also a number may stand for one
  bool const any_empty = is_among("", o.missing);
  index_t const most = index_t(any_empty ? text.size() + 1 : text.size() / 2 + 1) + choice.count;
  index_t room = most < 64 ? most : 64, count = 0, first_line = all ? 0 : choice.header->line;
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
      if (all ? count == room : column == 0 && count + choice.count > room) make_room(2 * room + choice.count);
      if (!all && (column >= t.columns || choice.places[std::size_t(column)] < 0)) {
        csv_cell const passed = next_cell(p, stop, delimiter);
        char const* const after = passed.end;
        if (passed.is_open) refuse_open(file, line);
        ++column;
        if (after == stop) break;
        p = after + 1;
        continue;
      }
      char* const at = to + size * (all ? count : t.rows * choice.count + choice.places[std::size_t(column)]);
      // most cells are numbers as they are written here, one behind the other
      P x{};
      if (char const* const behind = any_missing ? nullptr : read_number(p, stop, x, are_short);
          behind && (behind == stop || *behind == delimiter) && store(x, type, at)) {
        ++column, ++count;
        if (behind == stop) break;
        p = behind + 1;
        continue;
      }
      csv_cell const c = next_cell(p, stop, delimiter);
      std::string_view const cell = c.text;
      char const* const after = c.end;
      ++column;
      char const* const cell_end = cell.data() + cell.size();
      cell_error e = cell_error::none;
      if (any_missing && is_among(cell, o.missing)) {
        if constexpr (std::is_floating_point_v<P>) x = std::numeric_limits<P>::quiet_NaN();
      } else {
        e = read_cell(cell.data(), cell_end, x);
      }
      if (e == cell_error::none && !store(x, type, at)) e = cell_error::out_of_range;
      if (e != cell_error::none) {
        message m(file);
        m << "line " << line << ", column ";
        all ? m << column << ": " : m << '\'' << choice.header->names[std::size_t(column - 1)] << "': ";
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
      if (all) t.columns = column, first_line = line;
      index_t const rows = index_t(text.size()) / (next - text.data()) + 1;  // if they are as long as the first one
      index_t const wanted = all ? column : choice.count;
      if (next < end) make_room(rows < most / wanted ? wanted * (rows + rows / 8 + 1) : most);
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

// The columns of a text that are chosen, or all, as elements of a type.
template <class = void>
csv_table read_rows_as(std::string_view file, std::string_view text, dtype type, io::load_options const& o,
                       csv_choice const& choice) {
  if (is_complex(type)) (message(file) << "csv has no complex numbers: their parts can be two columns").raise();
  csv_table t;
  auto const read_as = [&](auto zero) { t = read_rows<decltype(zero)>(file, text, type, o, choice); };
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
      type == dtype::float32 ? read_as(0.f) : read_as(0.);
      break;
    case number_kind::complex:
    case number_kind::none:
      break;
  }
  if (choice.count > 0) t.columns = choice.count;
  return t;
}
inline dtype csv_type(io::load_options const& o, expectation const& e) {
  return e.type != dtype::none ? e.type : o.dtype != dtype::none ? o.dtype : dtype::float64;
}

template <class Use = void>
any_tensor read_csv(source& s, io::load_options const& o, expectation const& e) {
  dtype const type = csv_type(o, e);
  if (!o.missing.empty() && !is_complex(type) && kind_of(type) != number_kind::floating)
    (message(s.name()) << "the option missing makes NaN of cells, and " << type << " has none").raise();
  core::shared_buffer memory;
  std::string contents;
  std::string_view text = csv_text(s, o.skip_rows, memory, contents);
  std::optional<csv_header> header;
  csv_choice choice;
  if (!o.columns.empty()) {
    header.emplace(s.name(), text, delimiter_of(s.name(), o.delimiter), o.skip_rows + 1);
    text = header->rest;
    for (std::string const& name : o.columns) choice.add(s.name(), *header, name);
  }
  csv_table t = read_rows_as<Use>(s.name(), text, type, o, choice);
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
  if (a.shape.rank == 2 && a.shape[1] == 0 && a.shape[0] > 0)
    (message(s.name()) << "csv has no rows without cells, as an array of shape " << a.shape << " has").raise();
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
      // what would not be read as it is without quotes
      bool const quoted = name.empty() || name.find(delimiter) != std::string::npos ||
                          name.find_first_of("\"\r\t") != std::string::npos || name.front() == ' ' ||
                          name.back() == ' ';
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
