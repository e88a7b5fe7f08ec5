// Files of several arrays with names: what npz and safetensors have in common. What goes through standard containers
// here, and in the formats' headers, is a template, so that it is compiled where it is used.
#pragma once

#include <vector>

#include <ricci/io/array.hpp>
#include <ricci/io/places.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

class archive {
 public:
  archive(archive const&) = delete;
  archive& operator=(archive const&) = delete;
  virtual ~archive() = default;

  std::vector<std::string> const& names() const { return names_; }
  virtual any_tensor read(std::size_t k, expectation const& e) = 0;

  template <class = void>
  any_tensor read_named(std::string_view name, expectation const& e) {
    return read(number_of(name), e);
  }
  // The number of the array of that name; an error that says which there are where it is not one of them.
  template <class = void>
  RICCI_COLD std::size_t number_of(std::string_view name) const {
    auto const found = places_.find(name);
    if (found == places_.end()) {
      message m(source_.name());
      m << "no " << called_ << " is called '" << name << "'; there " << (names_.size() == 1 ? "is" : "are");
      if (names_.empty()) m << " none";
      for (std::size_t k = 0; k < names_.size() && k < 8; ++k) m << (k > 0 ? ", '" : " '") << names_[k] << '\'';
      if (names_.size() > 8) m << " and " << index_t(names_.size()) - 8 << " more";
      m.raise();
    }
    return found->second;
  }
  // an error where one of the arrays is not known
  template <class = void>
  RICCI_COLD void expect_no_more(std::vector<char> const& known, std::string const& file) const {
    for (std::size_t k = 0; k < names_.size(); ++k)
      if (!known[k])
        (message(file) << called_ << " '" << names_[k]
                       << "' is no member of the record; the option allow_more passes over it")
            .raise();
  }

 protected:
  // `called`: what errors call one of its arrays
  explicit archive(source& s, char const* called = "array") : source_(s), called_(called) {}
  // whether it is another name than those before
  template <class = void>
  RICCI_COLD bool add_name(std::string name) {
    bool const is_new = places_.emplace(name, names_.size()).second;
    if (is_new) names_.push_back(static_cast<std::string&&>(name));
    return is_new;
  }

  source& source_;
  char const* called_;
  std::vector<std::string> names_;

 private:
  places_by_name places_;
};

}  // namespace RICCI_ABI
}  // namespace ricci::files
