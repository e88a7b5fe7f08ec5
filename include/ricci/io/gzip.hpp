// Files that are compressed whole by gzip (RFC 1952), which end with .gz: what is in them, and such of text.
#pragma once

#include <ricci/io/deflate.hpp>
#include <ricci/io/inflate.hpp>
#include <ricci/io/options.hpp>
#include <ricci/io/sink.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

// what the name says beside that
inline std::string_view without_gz(std::string_view name) {
  if (ends_with(name, ".gz")) name.remove_suffix(3);
  return name;
}
// All of it, in `store` where it was compressed; at most what deflate can make of so many bytes.
inline std::string_view expanded(std::string_view file, std::string_view all, std::string& store) {
  if (!is_gzip(all)) return all;
  if (char const* const wrong = inflate_gzip(all, store, index_t(all.size()) * 1032 + 1024))
    (message(file) << wrong).raise();
  return store;
}
inline void write_gzip(sink& s, std::string const& all) {
  s.write(std::string_view("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10));
  s.write(deflated(s.name(), all.data(), index_t(all.size())));
  s.write_number(crc32(0, all.data(), index_t(all.size())), 4);
  s.write_number(all.size() & 0xffffffff, 4);
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
