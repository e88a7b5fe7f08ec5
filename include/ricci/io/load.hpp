// `rc::io::load`: a tensor, or a record of tensors, from a file, a stream or bytes.
#pragma once

#include <ricci/io/npy.hpp>
#include <ricci/io/options.hpp>

namespace ricci {
namespace files {
inline namespace RICCI_ABI {

inline any_tensor read_one(source& s, format f, io::load_options const& o, expectation const& e) {
  (void)o;
  if (f == format::npy) return read_npy(s, e);
  (message(s.name()) << "this format cannot be read").raise();
}

// A whole file or bytes, behind which nothing may stand.
inline any_tensor read_whole(source& s, io::load_options const& o, expectation const& e, bool by_name) {
  any_tensor a = read_one(s, format_of(s.name(), o.format, by_name), o, e);
  if (s.size() != source::unknown && s.left() != 0)
    (message(s.name(), s.position()) << s.left() << " bytes behind the array").raise();
  return a;
}

}  // namespace RICCI_ABI

// a std::istream, or what has its functions
template <class S>
concept Readable = requires(S& s, char* p) {
  s.read(p, 1);
  s.gcount();
};
// what one array is loaded into: a tensor that owns its elements, an any_tensor, a number
template <class T>
concept Loadable = Owned<T> || is_any_tensor<T> || Arithmetic<T>;

}  // namespace files

namespace io {
inline namespace RICCI_ABI {

// The array of a file as a T, a tensor of static, mixed or dynamic extents (`rc::io::load<rc::ndarray<float,
// 2>>(path)`), a number or an any_tensor. The format follows from the name of the file. io_error: the file cannot be
// read, is not what its format asks for, or its element type, order or extents are not those of T; nothing is
// converted.
template <files::Loadable T>
T load(std::string const& path, load_options const& o = {}) {
  files::file_source s(path);
  return files::taken<T>(files::read_whole(s, o, files::expected_of<T>(), true));
}
// from bytes in memory
template <files::Loadable T>
T load(files::byte_span b, load_options const& o = {}) {
  files::memory_source s(b);
  return files::taken<T>(files::read_whole(s, o, files::expected_of<T>(), false));
}
// from a std::istream, which an npy array leaves behind its last element: another one may follow
template <files::Loadable T, files::Readable Stream>
T load(Stream& stream, load_options const& o = {}) {
  files::stream_source<Stream> s(stream);
  return files::taken<T>(files::read_whole(s, o, files::expected_of<T>(), false));
}
// of the type and order that the file says
inline any_tensor load(std::string const& path, load_options const& o = {}) { return load<any_tensor>(path, o); }
inline any_tensor load(files::byte_span b, load_options const& o = {}) { return load<any_tensor>(b, o); }
template <files::Readable Stream>
any_tensor load(Stream& stream, load_options const& o = {}) {
  return load<any_tensor>(stream, o);
}
// into a tensor that is there; where an error is raised it stays as it was
template <files::Loadable T>
void load(std::string const& path, T& target, load_options const& o = {}) {
  target = load<T>(path, o);
}

}  // namespace RICCI_ABI
}  // namespace io
}  // namespace ricci
