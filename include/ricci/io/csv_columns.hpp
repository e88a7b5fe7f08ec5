// Tables whose first line has the names of columns as archives: every column is an array of order 1 with its name.
#pragma once

#include <ricci/io/archive.hpp>
#include <ricci/io/csv.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

template <class = void>
class csv_archive final : public archive {
 public:
  csv_archive(source& s, io::load_options const& o)
      : archive(s, "column"),
        options_(o),
        header_(s.name(), csv_text(s, o.skip_rows, memory_, contents_), delimiter_of(s.name(), o.delimiter),
                o.skip_rows + 1) {
    for (std::string const& name : o.columns.empty() ? header_.names : o.columns) {
      header_.number_of(s.name(), name);
      if (!add_name(name)) (message(s.name()) << "the option columns names '" << name << "' twice").raise();
    }
  }
  // Missing values are those of floats: of other types what stands for one is no number.
  any_tensor read(std::size_t k, expectation const& e) override {
    dtype const type = csv_type(options_, e);
    io::load_options o = options_;
    if (kind_of(type) != number_kind::floating) o.missing.clear();
    csv_choice choice;
    choice.add(source_.name(), header_, names()[k]);
    csv_table t = read_rows_as(source_.name(), header_.rest, type, o, choice);
    shape_t const shape{1, {t.rows}};
    e.check(source_.name(), names()[k], type, shape);
    return array_of(static_cast<core::shared_buffer&&>(t.memory), type, shape);
  }

 private:
  io::load_options const options_;
  core::shared_buffer memory_;
  std::string contents_;
  csv_header const header_;
};

}  // namespace RICCI_ABI
}  // namespace ricci::files
