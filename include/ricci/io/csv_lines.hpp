// Lines of a table as text: what stands between cells, their quotes, and the line with the names of columns.
#pragma once

#include <vector>

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
  std::string_view quoted = {};  // what stands between the quotes, spaces as well; no data where there are none
  bool is_open = false;          // it begins with a quote that the line does not close
};
RICCI_COLD [[noreturn]] inline void refuse_open(std::string_view file, index_t line) {
  (message(file) << "line " << line << ": a quote that is not closed in its line; a cell of several lines is not read")
      .raise();
}
inline bool is_space_in(char c, char delimiter) { return c == ' ' || (c == '\t' && delimiter != '\t'); }
// The closing quote of a cell whose first one stands at p; nullptr where there is none. Two quotes stand for one.
inline char const* closing_quote(char const* p, char const* stop) {
  while ((p = static_cast<char const*>(std::memchr(p + 1, '"', std::size_t(stop - p - 1)))) && p + 1 < stop &&
         p[1] == '"')
    ++p;
  return p;
}
// The cell that begins at p. Two quotes in a quoted one are left as they stand.
inline csv_cell next_cell(char const* p, char const* stop, char delimiter) {
  auto const is_end = [&](char const* q) { return q == stop || *q == delimiter || (delimiter == ' ' && *q == '\t'); };
  auto const trimmed = [&](char const* first, char const* last) {
    while (first < last && is_space_in(*first, delimiter)) ++first;
    while (last > first && is_space_in(last[-1], delimiter)) --last;
    return std::string_view(first, std::size_t(last - first));
  };
  while (p < stop && is_space_in(*p, delimiter)) ++p;
  bool is_open = false;
  if (p < stop && *p == '"') {
    char const* const quote = closing_quote(p, stop);
    is_open = !quote;
    if (quote) {
      char const* end = quote + 1;
      while (!is_end(end) && is_space_in(*end, delimiter)) ++end;
      if (is_end(end)) return {trimmed(p + 1, quote), end, std::string_view(p + 1, std::size_t(quote - p - 1))};
    }
  }
  char const* end = p;
  while (!is_end(end)) ++end;
  return {trimmed(p, end), end, {}, is_open};
}

// A cell as text: of one in quotes all that stands between them, spaces as well, and of two quotes one.
RICCI_COLD inline std::string text_of(csv_cell const& cell) {
  if (!cell.quoted.data()) return std::string(cell.text);
  std::string all(cell.quoted);
  for (std::size_t k = 0; (k = all.find("\"\"", k)) != std::string::npos; ++k) all.erase(k, 1);
  return all;
}

// All text of a file behind its byte order mark, if it has one, and the lines that are skipped.
template <class = void>
std::string_view csv_text(source& s, index_t skip_rows, core::shared_buffer& memory, std::string& contents) {
  if (skip_rows < 0) (message(s.name()) << "the option skip_rows is " << skip_rows).raise();
  std::string_view rest = expanded(s.name(), s.read_all(memory), contents);
  if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);  // which spreadsheets write
  for (index_t k = 0; k < skip_rows; ++k) {
    auto const end = rest.find('\n');
    if (end == std::string_view::npos && rest.empty())
      (message(s.name()) << "it has " << k << " lines, where " << skip_rows << " are to be skipped").raise();
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return rest;
}

// The next line of a text, without its end and the spaces around it; the text is what follows.
inline std::string_view next_line(std::string_view& text, char delimiter) {
  auto const newline = text.find('\n');
  std::string_view line = text.substr(0, newline);
  text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (!line.empty() && is_space_in(line.front(), delimiter)) line.remove_prefix(1);
  while (!line.empty() && is_space_in(line.back(), delimiter)) line.remove_suffix(1);
  return line;
}

// The names of columns: the first line of a text that is not blank. `first` is the number of its first line.
struct csv_header {
  std::vector<std::string> names;
  std::string_view rest;  // behind that line
  index_t line;           // its number

  template <class = void>
  RICCI_COLD csv_header(std::string_view file, std::string_view text, char delimiter, index_t first)
      : rest(text), line(first) {
    for (; !rest.empty() && names.empty(); ++line) {
      std::string_view const row = next_line(rest, delimiter);
      char const *p = row.data(), *const stop = p + row.size();
      while (!row.empty()) {
        csv_cell const cell = next_cell(p, stop, delimiter);
        if (cell.is_open) refuse_open(file, line);
        names.push_back(text_of(cell));
        if (cell.end == stop) break;
        p = cell.end + 1;
      }
    }
    if (names.empty()) (message(file) << "no line with the names of columns").raise();
    --line;
  }
  // The number of the column of that name. io_error: there is none, or there are two.
  template <class = void>
  RICCI_COLD std::size_t number_of(std::string_view file, std::string_view name) const {
    std::size_t k = 0, n = names.size();
    while (k < n && names[k] != name) ++k;
    if (k == n) {
      message m(file);
      m << "no column has the name '" << name << "'; there " << (n == 1 ? "is" : "are");
      for (k = 0; k < n && k < 8; ++k) m << (k > 0 ? ", '" : " '") << names[k] << '\'';
      if (n > 8) m << " and " << index_t(n) - 8 << " more";
      m.raise();
    }
    for (std::size_t other = k + 1; other < n; ++other)
      if (names[other] == name) (message(file) << "two columns have the name '" << name << "'").raise();
    return k;
  }
};

// The columns that are read: of each of the file its place in a row of the result, or -1; none where all are read.
struct csv_choice {
  std::vector<index_t> places;
  index_t count = 0;
  csv_header const* header = nullptr;

  template <class = void>
  RICCI_COLD void add(std::string_view file, csv_header const& of, std::string_view name) {
    header = &of;
    places.resize(of.names.size(), -1);
    index_t& place = places[of.number_of(file, name)];
    if (place >= 0) (message(file) << "the option columns names '" << name << "' twice").raise();
    place = count++;
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::files
