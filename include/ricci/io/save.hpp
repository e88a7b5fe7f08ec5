// `rc::io::save`: a tensor, or a record of tensors, to a file, a stream or bytes.
#pragma once

#include <ricci/io/load.hpp>

namespace ricci {
namespace files {

template <class X>
inline constexpr bool is_map = false;
template <class T, class... More>
inline constexpr bool is_map<std::map<std::string, T, More...>> = true;
// what is several arrays
template <class X>
concept Named = is_map<X> || Record<X>;

inline namespace RICCI_ABI {

template <class = void>
void write_one(sink& s, format f, io::save_options const& o, array_view const& a) {
  check_options(s.name(), f, o);
  switch (f) {
    case format::npy:
      write_npy(s, a);
      break;
    case format::csv:
      write_csv(s, a, o);
      break;
    case format::idx:
      write_idx(s, a);
      break;
    case format::png:
      write_png(s, a);
      break;
    case format::jpeg:
      write_jpeg(s, a, o.quality);
      break;
    case format::pnm:
      write_pnm(s, a);
      break;
    case format::wav:
      write_wav(s, a, o.rate);
      break;
    case format::raw:
      s.write(a.data, a.bytes());
      break;
    case format::gguf:
      (message(s.name()) << "gguf is read, and not written: safetensors holds the same arrays").raise();
    case format::npz:
    case format::safetensors:
      (message(s.name()) << "npz and safetensors hold arrays with names: save a record, or a std::map of names")
          .raise();
  }
  s.commit();
}

template <class = void>
void write_named(sink& s, format f, io::save_options const& o, std::vector<named_array> const& all) {
  check_options(s.name(), f, o);
  if (f == format::npz)
    write_npz(s, all, o.compress);
  else if (f == format::safetensors)
    write_safetensors(s, all);
  else if (f == format::gguf)
    (message(s.name()) << "gguf is read, and not written: safetensors holds the same arrays").raise();
  else
    (message(s.name()) << "a record of arrays is written as npz or safetensors; this format holds one array").raise();
  s.commit();
}
// Every array of a record or map, with what keeps it alive.
struct named_arrays {
  std::vector<named_array> all;
  std::vector<any_tensor> kept;

  // of one that is gone before the file is written, a copy
  template <class = void>
  RICCI_COLD void add(std::string const& name, array_view const& a, bool lasts) {
    all.push_back({name, a});
    if (lasts) return;
    any_tensor copy(a.type, a.shape);
    if (a.bytes() > 0) __builtin_memcpy(copy.raw_data(), a.data, std::size_t(a.bytes()));
    all.back().array.data = copy.data();
    kept.push_back(static_cast<any_tensor&&>(copy));
  }
};
// How a leaf of type T is added to them.
using saving = void(named_arrays& to, std::string const& name, void const* leaf);
template <class T>
struct saving_of {
  static void add(named_arrays& to, std::string const& name, void const* leaf) {
    with_rows(*static_cast<T const*>(leaf),
              [&](array_view const& a) { to.add(name, a, is_any_tensor<T> || is_owned<T>); });
  }
  static constexpr saving* value = &add;
};
template <class X>
RICCI_COLD named_arrays arrays_of(X const& x) {
  named_arrays n;
  if constexpr (is_map<X>)
    for (auto const& [name, leaf] : x) saving_of<std::remove_cvref_t<decltype(leaf)>>::add(n, name, &leaf);
  else
    for (auto const& leaf : leaves_of<saving_of>(x).all)
      (*static_cast<saving* const*>(leaf.rules))(n, leaf.name, leaf.at);
  return n;
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

// The tensors of a record by the names of its members (`w`, `encoder.w`, `layers.0.w`), or those of a std::map of
// names, to an npz or safetensors file.
template <files::Named X>
void save(std::string const& path, X const& x, save_options const& o = {}) {
  files::format const f = files::format_of(path, o.format, true);
  files::named_arrays const n = files::arrays_of(x);
  files::file_sink s(path);
  files::write_named(s, f, o, n.all);
}
template <files::Writable Stream, files::Named X>
void save(Stream& stream, X const& x, save_options const& o) {
  files::named_arrays const n = files::arrays_of(x);
  files::stream_sink<Stream> s(stream);
  files::write_named(s, files::format_of(s.name(), o.format, false), o, n.all);
}
template <files::Named X>
std::string to_bytes(X const& x, save_options const& o) {
  files::named_arrays const n = files::arrays_of(x);
  std::string all;
  files::string_sink s(all);
  files::write_named(s, files::format_of(s.name(), o.format, false), o, n.all);
  return all;
}

}  // namespace RICCI_ABI
}  // namespace io
}  // namespace ricci
