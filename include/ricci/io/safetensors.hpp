// safetensors, the format of Hugging Face: eight bytes with the length of a header, which is JSON, and elements. The
// checks are those of the official reader: names are different, and arrays fill what stands behind the header without
// gap or overlap. As written here, elements are aligned where the file is mapped.
#pragma once

#include <algorithm>

#include <ricci/core/where_used.hpp>
#include <ricci/io/archive.hpp>
#include <ricci/io/json.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

// the official reader's limit
inline constexpr index_t longest_safetensors_header = 100000000;
// Of every element type the name, nullptr where there is none.
inline char const* name_in_safetensors(dtype t) {
  constexpr char const* names[] = {nullptr, "BOOL", "I8",  "U8",   "I16", "U16", "I32", "U32",
                                   "I64",   "U64",  "F16", "BF16", "F32", "F64", "C64", nullptr};
  static_assert(sizeof names / sizeof names[0] == element_types::size + 1);
  return names[int(t)];
}

// A template, as what reads and writes its directory is compiled where it is used.
template <class Use = void>
class safetensors_archive final : public archive {
 public:
  RICCI_COLD explicit safetensors_archive(source& s) : archive(s) {
    unsigned char length[8];
    s.read(length, 8, "the length of the header");
    std::uint64_t n = 0;
    for (int k = 7; k >= 0; --k) n = n << 8 | length[k];
    if (n > std::uint64_t(longest_safetensors_header))
      (message(s.name(), 0) << "a header of " << n << " bytes; at most " << longest_safetensors_header
                            << " were expected")
          .raise();
    s.expect(index_t(n), "the header");
    std::string header;
    if (s.size() == source::unknown)
      (message(s.name()) << "safetensors are read from a file or bytes, not a stream").raise();
    header.resize(std::size_t(n));
    s.read(header.data(), index_t(n), "the header");
    begin_ = s.position();
    if (!header.starts_with('{')) (message(s.name(), 8) << "the header does not begin with '{'").raise();
    json_reader r(header, s.name(), 8);
    r.object([&](std::string const& name) { name == "__metadata__" ? read_metadata(r) : read_entry(r, name); });
    if (!r.at_end()) r.fail("something behind it");
    check_order();
  }
  // Goes to the elements of an array, which is the one that is asked for.
  RICCI_COLD void enter(std::size_t k, expectation const& e) {
    entry const& x = entries_[k];
    if (x.type == dtype::none)
      (message(source_.name()) << names()[k] << ": elements of type " << x.type_name
                               << ", which is none of the library's")
          .raise();
    e.check(source_.name(), names()[k], x.type, x.shape);
    source_.seek(begin_ + x.begin);
  }
  dtype type(std::size_t k) const { return entries_[k].type; }
  shape_t const& shape(std::size_t k) const { return entries_[k].shape; }
  RICCI_COLD any_tensor read(std::size_t k, expectation const& e) override {
    enter(k, e);
    entry const& x = entries_[k];
    core::shared_buffer memory = source_.read_new(x.end - x.begin, "the elements");
    if (std::endian::native == std::endian::big) reverse_bytes(memory.data(), size_of(x.shape), x.type);
    if (x.type == dtype::boolean) normalise_bools(memory.data(), x.end - x.begin);
    source_.seek(source_.size());
    return array_of(static_cast<core::shared_buffer&&>(memory), x.type, x.shape);
  }

 private:
  struct entry {
    dtype type = dtype::none;
    std::string type_name;
    shape_t shape{};
    index_t begin = 0, end = 0;
  };
  RICCI_COLD static void read_metadata(json_reader& r) {
    r.object([&](std::string const&) { (void)r.string(); });
  }
  RICCI_COLD void read_entry(json_reader& r, std::string const& name) {
    entry e;
    int seen = 0;
    r.object([&](std::string const& key) {
      int const bit = key == "dtype" ? 1 : key == "shape" ? 2 : key == "data_offsets" ? 4 : 0;
      if (bit == 0 || (seen & bit)) r.fail("a key that is none of dtype, shape, data_offsets, or twice one");
      seen |= bit;
      if (bit == 1) {
        e.type_name = r.string();
        for (int k = 1; k <= element_types::size; ++k)
          if (char const* const n = name_in_safetensors(static_cast<dtype>(k)); n && e.type_name == n)
            e.type = static_cast<dtype>(k);
      } else if (bit == 2) {
        r.array([&] {
          if (e.shape.rank == max_rank) r.fail("an array of more than 12 axes");
          e.shape.push(r.integer());
        });
      } else {
        int n = 0;
        r.array([&] {
          index_t const x = r.integer();
          if (n < 2) (n == 0 ? e.begin : e.end) = x;
          ++n;
        });
        if (n != 2) r.fail("data_offsets that are not two");
      }
    });
    if (seen != 7) r.fail("an array without dtype, shape or data_offsets");
    if (e.begin > e.end || e.end > source_.size() - begin_)
      (message(source_.name(), begin_) << name << ": elements from " << e.begin << " to " << e.end
                                       << ", where there are " << source_.size() - begin_ << " bytes")
          .raise();
    if (e.type != dtype::none && checked_bytes(source_.name(), 8, e.type, e.shape) != e.end - e.begin)
      (message(source_.name(), begin_ + e.begin)
       << name << ": " << e.end - e.begin << " bytes for " << e.type << " elements of shape " << e.shape)
          .raise();
    if (!add_name(name)) r.fail("two arrays of one name");
    entries_.push_back(static_cast<entry&&>(e));
  }
  RICCI_COLD void check_order() const {
    std::vector<std::pair<index_t, core::where_used<index_t, Use>>> parts;
    for (entry const& e : entries_) parts.push_back({e.begin, e.end});
    std::make_heap(parts.begin(), parts.end());  // (std::sort is three times the code)
    std::sort_heap(parts.begin(), parts.end());
    index_t at = 0;
    for (auto const& [begin, end] : parts) {
      if (begin != at)
        (message(source_.name(), begin_ + at)
         << "elements of an array were expected, and begin at byte " << begin_ + begin)
            .raise();
      at = end;
    }
    if (at != source_.size() - begin_)
      (message(source_.name(), begin_ + at) << source_.size() - begin_ - at << " bytes behind the arrays").raise();
  }

  index_t begin_ = 0;
  std::vector<entry> entries_;
};

template <class Use = void>
RICCI_COLD void write_safetensors(sink& s, std::vector<named_array> const& all) {
  std::vector<core::where_used<named_array, Use> const*> in_order;  // larger elements first, so that all are aligned
  for (int size = largest_element; size > 0; size /= 2)
    for (named_array const& a : all)
      if (size_of(component_type(a.array.type)) == size) in_order.push_back(&a);
  std::string header = "{";
  index_t at = 0;
  for (auto const* a : in_order) {
    if (a->name == "__metadata__")
      (message(s.name()) << "no array of safetensors is called '__metadata__', under which they keep what is none")
          .raise();
    char const* const type = name_in_safetensors(a->array.type);
    if (!type || (std::endian::native == std::endian::big && size_of(a->array.type) > 1))
      (message(s.name()) << a->name << ": safetensors cannot be written with elements of " << a->array.type << " here")
          .raise();
    if (at > 0 || header.size() > 1) header += ',';
    append_json(header, a->name);
    header += ":{\"dtype\":\"";
    header += type;
    header += "\",\"shape\":[";
    for (int k = 0; k < a->array.shape.rank; ++k) {
      if (k > 0) header += ',';
      append_json(header, a->array.shape[k]);
    }
    header += "],\"data_offsets\":[";
    append_json(header, at);
    header += ',';
    at += a->array.bytes();
    append_json(header, at);
    header += "]}";
  }
  header += '}';
  while ((8 + header.size()) % 64 != 0) header += ' ';
  s.write_number(header.size(), 8);
  s.write(header);
  for (auto const* a : in_order) s.write(a->array.data, a->array.bytes());
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
