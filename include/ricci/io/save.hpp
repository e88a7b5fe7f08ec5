// `rc::io::save`: a tensor, or a record of tensors, to a file, a stream or bytes.
#pragma once

#include <ricci/io/npy.hpp>
#include <ricci/io/options.hpp>

namespace ricci {
namespace files {
inline namespace RICCI_ABI {

inline void write_one(sink& s, format f, io::save_options const& o, array_view const& a) {
  (void)o;
  if (f != format::npy) (message(s.name()) << "this format cannot be written").raise();
  write_npy(s, a);
  s.commit();
}

}  // namespace RICCI_ABI

// a std::ostream, or what has its functions
template <class S>
concept Writable = requires(S& s, char const* p) {
  s.write(p, 1);
  s.flush();
};
template <class X>
concept OneArray = Tensor<X> || is_any_tensor<X> || Arithmetic<X>;

}  // namespace files

namespace io {
inline namespace RICCI_ABI {

// A tensor, the value of an expression, an any_tensor or a number to a file, whose name says the format. The file is
// replaced when all of it lies on the disk; where an io_error is raised, or the program ends before, the old one stays.
template <files::OneArray X>
void save(std::string const& path, X const& x, save_options const& o = {}) {
  files::format const f = files::format_of(path, o.format, true);
  files::with_rows(x, [&](files::array_view const& a) {
    files::file_sink s(path);
    files::write_one(s, f, o, a);
  });
}
// to a std::ostream: npy, or what the option says
template <files::Writable Stream, files::OneArray X>
void save(Stream& stream, X const& x, save_options const& o = {}) {
  files::stream_sink<Stream> s(stream);
  files::with_rows(
      x, [&](files::array_view const& a) { files::write_one(s, files::format_of(s.name(), o.format, false), o, a); });
}
// as bytes
template <files::OneArray X>
std::string to_bytes(X const& x, save_options const& o = {}) {
  std::string all;
  files::string_sink s(all);
  files::with_rows(
      x, [&](files::array_view const& a) { files::write_one(s, files::format_of(s.name(), o.format, false), o, a); });
  return all;
}

}  // namespace RICCI_ABI
}  // namespace io
}  // namespace ricci
