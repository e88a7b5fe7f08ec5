// Tables with names of columns, CSV, as records: every member is the column of its name.
//
//   struct flowers {
//     rc::ndarray<float, 1> petal_length, petal_width;
//     std::vector<std::string> species;
//   };
//   auto const all = data::read_columns<flowers>("iris.csv", {.allow_more = true});
#pragma once

#include <string>
#include <vector>

#include <ricci/core/where_used.hpp>
#include <ricci/data/records.hpp>
#include <ricci/io/csv.hpp>
#include <ricci/io/member_names.hpp>

namespace ricci::data {

// A member of order 2 whose columns have names of their own: `{.groups = {{"x", {"width", "height"}}}}`
struct column_group {
  std::string member;
  std::vector<std::string> columns;
};
struct column_options {
  // whether a file may have columns that are no member; they are passed over
  bool allow_more = false;
  std::vector<column_group> groups = {};
  // what stands between cells, by default a tab in .tsv, spaces in .txt, else a comma
  char delimiter = '\0';
  // what stands for missing values of floating point types, which become NaN; by default such a cell is an error
  std::vector<std::string> missing = {};
};

namespace table {

// A file in memory, its cells by line and column. A template, so that it is compiled where a table is read.
template <class Use = void>
struct cells {
  std::string path;
  core::shared_buffer memory;
  std::string expanded;  // what the file holds, if it is compressed
  std::vector<std::string> names;
  std::vector<core::where_used<files::csv_cell, Use>> all;  // row by row
  std::vector<index_t> lines;                               // of each row
  std::vector<char> is_taken;

  index_t rows() const { return index_t(lines.size()); }
  files::csv_cell const& cell(index_t row, std::size_t column) const {
    return all[std::size_t(row) * names.size() + column];
  }

  cells(std::string const& file, char delimiter_option) : path(file) {
    files::file_source s(file);
    char const delimiter = files::delimiter_of(file, delimiter_option);
    files::csv_header head(file, files::csv_text(s, 0, memory, expanded), delimiter, 1);
    names = static_cast<std::vector<std::string>&&>(head.names);
    std::string_view rest = head.rest;
    for (index_t line = head.line + 1; !rest.empty(); ++line) {
      std::string_view const row = files::next_line(rest, delimiter);
      if (row.empty()) continue;
      std::size_t const before = all.size();
      char const *p = row.data(), *const stop = p + row.size();
      while (true) {
        files::csv_cell const cell = files::next_cell(p, stop, delimiter);
        if (cell.is_open) files::refuse_open(path, line);
        all.push_back(cell);
        if (cell.end == stop) break;
        p = cell.end + 1;
      }
      if (all.size() - before != names.size())
        (files::message(path) << "line " << line << ": " << index_t(all.size() - before) << " columns, and "
                              << index_t(names.size()) << " names in the first line")
            .raise();
      lines.push_back(line);
    }
    for (std::size_t k = 0; k < names.size(); ++k)
      if (place_of(names[k]) != k) (files::message(path) << "two columns have the name '" << names[k] << "'").raise();
    is_taken.resize(names.size());
  }
  // where a name comes first; behind the last where it does not come
  std::size_t place_of(std::string_view name) const {
    std::size_t k = 0;
    while (k < names.size() && names[k] != name) ++k;
    return k;
  }
  std::size_t column_of(std::string_view name) {
    std::size_t const k = place_of(name);
    if (k == names.size()) (files::message(path) << "no column has the name '" << name << "'").raise();
    is_taken[k] = true;
    return k;
  }
  // The number in a cell, as a T.
  template <class T>
  T number(index_t row, std::size_t column, std::vector<std::string> const& missing) const {
    using P =
        std::conditional_t<std::is_same_v<T, bool>, bool,
                           std::conditional_t<is_integer(dtype_of<T>),
                                              std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                                              std::conditional_t<std::is_same_v<T, float>, float, double>>>;
    std::string_view const text = cell(row, column).text;
    P x{};
    T y{};
    if constexpr (std::is_floating_point_v<P>)
      if (files::is_among(text, missing)) return static_cast<T>(std::numeric_limits<P>::quiet_NaN());
    auto e = files::read_cell(text.data(), text.data() + text.size(), x);
    if (e == files::cell_error::none && !files::store(x, dtype_of<T>, reinterpret_cast<char*>(&y)))
      e = files::cell_error::out_of_range;
    if (e != files::cell_error::none)
      (files::message(path) << "line " << lines[std::size_t(row)] << ", column '" << names[column] << "': '" << text
                            << (e == files::cell_error::out_of_range ? "' is out of the range of " : "' is no ")
                            << dtype_of<T>)
          .raise();
    return y;
  }
};

template <class M>
void fill(M& member, std::string_view name, cells<>& t, column_options const& o) {
  column_group const* group = nullptr;
  for (auto const& g : o.groups)
    if (g.member == name) group = &g;
  constexpr bool is_matrix = [] {
    if constexpr (Tensor<M>)
      return rank_of<M> == 2;
    else
      return false;
  }();
  if (group && !is_matrix)
    (files::message(t.path) << "a group says which columns the member '" << name
                            << "' has, which is one column: groups are for members of order 2")
        .raise();
  if constexpr (std::is_same_v<M, std::vector<std::string>>) {
    std::size_t const k = t.column_of(name);
    for (index_t row = 0; row < t.rows(); ++row) member.push_back(files::text_of(t.cell(row, k)));
  } else {
    static_assert(Tensor<M>,
                  "the members of a record that is read from a table are tensors of order 1 or 2 and "
                  "std::vector<std::string>");
    using T = value_type_of<M>;
    static_assert((rank_of<M> == 1 || rank_of<M> == 2) && !is_complex(dtype_of<T>),
                  "a column is a tensor of order 1, a group of columns one of order 2, of real numbers");
    if constexpr (rank_of<M> == 1) {
      std::size_t const k = t.column_of(name);
      ndarray<T, 1> x(t.rows());
      for (index_t row = 0; row < t.rows(); ++row) x(row) = t.number<T>(row, k, o.missing);
      member = x;
    } else {
      if (!group)
        (files::message(t.path) << "the member '" << name << "' has order 2, and no group says which columns it has")
            .raise();
      std::vector<std::size_t> columns;
      for (auto const& c : group->columns) columns.push_back(t.column_of(c));
      ndarray<T, 2> x(t.rows(), index_t(columns.size()));
      for (index_t row = 0; row < t.rows(); ++row)
        for (std::size_t k = 0; k < columns.size(); ++k) x(row, index_t(k)) = t.number<T>(row, columns[k], o.missing);
      member = x;
    }
  }
}

}  // namespace table

// The first line of a file has the names of columns. io_error: a member without a column, a column without a member
// (but with `allow_more`), a cell that is no number of the member's type, with its line and column.
template <class Record>
Record read_columns(std::string const& path, column_options const& o = {}) {
  core::where_used<table::cells<>, Record> t(path, o.delimiter);
  Record all{};
  auto const members = tree::members(all);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    constexpr std::string_view names[] = {files::member_name<Record, I>...};
    for (auto const& g : o.groups) {
      int twice = 0;
      for (auto const& other : o.groups) twice += other.member == g.member;
      if (twice > 1) (files::message(path) << "two groups have the name '" << g.member << "'").raise();
      if (!((names[I] == g.member) || ...))
        (files::message(path) << "a group has the name '" << g.member << "', and no member").raise();
    }
    (table::fill(tree::get<I>(members), names[I], t, o), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<std::remove_cv_t<decltype(members)>>>{});
  for (std::size_t k = 0; k < t.names.size() && !o.allow_more; ++k)
    if (!t.is_taken[k])
      (files::message(path) << "the column '" << t.names[k]
                            << "' is no member of the record; the option allow_more passes over it")
          .raise();
  return all;
}

}  // namespace ricci::data
