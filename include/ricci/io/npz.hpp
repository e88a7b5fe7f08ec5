// NumPy's archives: a zip file of npy files. Other files in it are passed over, as the metadata of safetensors are.
#pragma once

#include <ricci/io/archive.hpp>
#include <ricci/io/npy.hpp>
#include <ricci/io/zip.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

// A template, so that it is compiled where an archive is read.
template <class Use = void>
class npz_archive final : public archive {
 public:
  explicit npz_archive(source& s) : archive(s), zip_(s) {
    for (std::size_t k = 0; k < zip_.entries().size(); ++k) {
      std::string const& name = zip_.entries()[k].name;
      if (name.ends_with(".npy") && add_name(name.substr(0, name.size() - 4))) entries_.push_back(k);
    }
  }
  any_tensor read(std::size_t k, expectation const& e) override {
    zip_entry const& entry = zip_.entries()[entries_[k]];
    if (entry.method != 0) {
      std::string const contents = zip_.inflated(entry);
      memory_source s(bytes_of(contents), source_.name() + ": " + entry.name);
      any_tensor a = read_npy(s, e);
      if (s.left() != 0) zip_.fail(entry, "something follows the array");
      return a;
    }
    zip_.enter(entry);
    stored_source s(source_, index_t(entry.size));
    any_tensor a = read_npy(s, e, names()[k]);
    if (s.left() != 0) zip_.fail(entry, "something follows the array");
    if (is_another_sum(s.crc(), entry.crc)) zip_.fail(entry, "the checksum does not match");
    return a;
  }

 private:
  zip_reader<> zip_;
  std::vector<std::size_t> entries_;  // of each array its number among all entries
};

template <class = void>
void write_npz(sink& s, std::vector<named_array> const& all, bool compress) {
  zip_writer z(s);
  for (named_array const& a : all)
    z.add(a.name + ".npy", npy_start(s.name(), a.array),
          std::string_view(static_cast<char const*>(a.array.data), std::size_t(a.array.bytes())), compress);
  z.finish();
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
