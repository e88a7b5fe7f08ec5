// `rc::io::load`: a tensor, or a record of tensors, from a file, a stream or bytes.
#pragma once

#include <memory>

#include <ricci/io/csv_columns.hpp>
#include <ricci/io/gguf.hpp>
#include <ricci/io/idx.hpp>
#include <ricci/io/jpeg.hpp>
#include <ricci/io/member_names.hpp>
#include <ricci/io/npz.hpp>
#include <ricci/io/png.hpp>
#include <ricci/io/pnm.hpp>
#include <ricci/io/raw.hpp>
#include <ricci/io/safetensors.hpp>
#include <ricci/io/wav.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci {
namespace files {

// What names all readers is a template: it is compiled where something is loaded, and not where this is included.
inline namespace RICCI_ABI {

template <class Use = void>
std::unique_ptr<archive> open_archive(source& s, format f, io::load_options const& o) {
  check_options(s.name(), f, o);
  if (f == format::npz) return std::make_unique<npz_archive<Use>>(s);
  if (f == format::safetensors) return std::make_unique<safetensors_archive<Use>>(s);
  if (f == format::gguf) return std::make_unique<gguf_archive<Use>>(s);
  if (f == format::csv) return std::make_unique<csv_archive<Use>>(s, o);
  (message(s.name()) << "arrays with names are read from npz, safetensors, gguf and csv; this is another format")
      .raise();
}

// An error where one array of several is asked for, and all are read.
RICCI_COLD inline void check_no_name(std::string_view file, io::load_options const& o) {
  if (!o.name.empty())
    (message(file) << "the option name asks for '" << o.name << "', where all arrays are read").raise();
}

template <class Use = void>
any_tensor read_one(source& s, format f, io::load_options const& o, expectation const& e) {
  check_options(s.name(), f, o);
  switch (f) {
    case format::npy:
      return read_npy(s, e);
    case format::csv:
      return read_csv(s, o, e);
    case format::idx:
      return read_idx(s, e);
    case format::png:
      return read_png(s, e);
    case format::jpeg:
      return read_jpeg(s, e);
    case format::pnm:
      return read_pnm(s, e);
    case format::wav:
      return read_wav(s, e);
    case format::raw:
      return read_raw(s, o, e);
    case format::npz:
    case format::safetensors:
    case format::gguf:
      break;
  }
  auto const all = open_archive<Use>(s, f, o);
  if (o.name.empty() && all->names().size() != 1)
    (message(s.name()) << "it holds " << index_t(all->names().size())
                       << " arrays, and the option name does not say which")
        .raise();
  any_tensor a = o.name.empty() ? all->read(0, e) : all->read_named(o.name, e);
  s.seek(s.size());
  return a;
}

// A whole file or bytes, behind which nothing may stand.
template <class = void>
any_tensor read_whole(source& s, io::load_options const& o, expectation const& e, bool by_name) {
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
// what several are loaded into: a record of such, or a tuple or array of records
template <class X>
concept Record = !Tensor<X> && !is_any_tensor<X> && !Arithmetic<X> && (std::is_aggregate_v<X> || tree::is_tuple<X>);

inline namespace RICCI_ABI {

// Whether all tensors of a record lie on the host, where what has a run-time type does.
template <class X>
constexpr bool is_of_host() {
  if constexpr (Tensor<X>)
    return storage::memory_of<X>() == expr::host_memory;
  else if constexpr (!Record<X>)
    return true;
  else
    return []<class... M>(std::tuple<M&...>*) {
      return (is_of_host<std::remove_cv_t<M>>() && ...);
    }(static_cast<tree::members_of<X>*>(nullptr));
}

// What is asked of a file for a leaf of type T, and how it takes what is read.
struct loading {
  expectation expected;
  void (*take)(void* leaf, any_tensor&& a);
};
template <class T>
struct loading_of;
template <class T>
requires(!Tensor<T> || is_of_host<T>()) struct loading_of<T> {
  static_assert(Loadable<T>, "the members of a record that is loaded are tensors that own their elements, or numbers");
  static void take(void* leaf, any_tensor&& a) { *static_cast<T*>(leaf) = taken<T>(static_cast<any_tensor&&>(a)); }
  static constexpr loading value{expected_of<T>(), &take};
};
// of the device: read on the host, and copied to where the leaf lies
template <Tensor T>
requires(!is_of_host<T>()) struct loading_of<T> {
  using here = typename storage::tensors_in<expr::host_memory>::template type<value_type_of<T>, extents_of<T>>;
  static void take(void* leaf, any_tensor&& a) {
    auto& to = *static_cast<T*>(leaf);
    to = copy(taken<here>(static_cast<any_tensor&&>(a)), like(to));
  }
  static constexpr loading value{expected_of<here>(), &take};
};
template <class = void>
RICCI_COLD void read_leaves(archive& all, std::string const& file, io::load_options const& o, leaf_list const& leaves) {
  std::string const within = o.name.empty() ? std::string() : std::string(o.name) + '.';
  std::vector<char> known(all.names().size());
  for (std::size_t k = 0; k < known.size(); ++k) known[k] = !all.names()[k].starts_with(within);  // others' arrays
  for (auto const& leaf : leaves.all) {
    auto const& rules = *static_cast<loading const*>(leaf.rules);
    std::size_t const k = all.number_of(within + leaf.name);
    rules.take(leaf.at, all.read(k, rules.expected));
    known[k] = true;
  }
  if (!o.allow_more) all.expect_no_more(known, file);
}
RICCI_COLD void read_record(archive& all, std::string const& file, io::load_options const& o, auto& target) {
  using X = std::remove_reference_t<decltype(target)>;
  static_assert(
      std::is_default_constructible_v<X> && std::is_move_assignable_v<X>,
      "a record is loaded into one that its default makes, and then assigned, so that an error leaves it as it was");
  // (apart: records of tensors in place may be too large for a stack)
  auto const fresh = [&] {
    if constexpr (is_of_host<X>())
      return std::make_unique<X>();
    else
      return std::make_unique<X>(target);  // which knows its devices
  }();
  read_leaves(all, file, o, leaves_of<loading_of>(*fresh));
  target = static_cast<X&&>(*fresh);
}
void read_record(source& s, format f, io::load_options const& o, auto& target) {
  auto const all = open_archive(s, f, o);
  read_record(*all, s.name(), o, target);
}
template <class Use = void>
std::map<std::string, any_tensor> read_all_of(archive& all) {
  std::map<std::string, core::where_used<any_tensor, Use>> m;
  for (std::size_t k = 0; k < all.names().size(); ++k) m.emplace(all.names()[k], all.read(k, {}));
  return m;
}
template <class Use = void>
std::map<std::string, any_tensor> read_all_of(source& s, format f, io::load_options const& o) {
  check_no_name(s.name(), o);
  return read_all_of<Use>(*open_archive(s, f, o));
}

}  // namespace RICCI_ABI

}  // namespace files

namespace io {
inline namespace RICCI_ABI {

// The array of a file as a T, a tensor of static, mixed or dynamic extents (`rc::io::load<rc::ndarray<float,
// 2>>(path)`), a number or an any_tensor. The format follows from the name of the file. io_error: the file cannot be
// read, is not what its format asks for, or its element type, order or extents are not those of T; nothing is
// converted.
template <files::Loadable T = any_tensor>
T load(std::string const& path, load_options const& o = {}) {
  files::file_source s(path);
  return files::taken<T>(files::read_whole(s, o, files::expected_of<T>(), true));
}
// from bytes in memory
template <files::Loadable T = any_tensor>
T load(files::byte_span b, load_options const& o = {}) {
  files::memory_source s(b);
  return files::taken<T>(files::read_whole(s, o, files::expected_of<T>(), false));
}
// from a std::istream, which an npy array leaves behind its last element: another one may follow
template <files::Loadable T = any_tensor, files::Readable Stream>
T load(Stream& stream, load_options const& o = {}) {
  files::stream_source<Stream> s(stream);
  return files::taken<T>(files::read_whole(s, o, files::expected_of<T>(), false));
}
// All arrays of an npz, safetensors or gguf file by their names, or all columns of a CSV file whose first line has
// names.
template <class = void>
std::map<std::string, any_tensor> load_all(std::string const& path, load_options const& o = {}) {
  files::file_source s(path);
  return files::read_all_of(s, files::format_of(path, o.format, true), o);
}
template <class = void>
std::map<std::string, any_tensor> load_all(files::byte_span b, load_options const& o) {
  files::memory_source s(b);
  return files::read_all_of(s, files::format_of(s.name(), o.format, false), o);
}
// The members of a record of tensors, by their names, from an npz, safetensors or gguf file: those of members of
// members as `encoder.w`, those of tuples and arrays as `layers.0.w`; or from a CSV file, whose first line has them.
// io_error: what is missing, what is of another type or shape, and what the record has no member for; then the record
// stays as it was.
template <files::Record X>
requires(!std::is_same_v<X, load_options>) void load(std::string const& path, X& target, load_options const& o = {}) {
  files::file_source s(path);
  files::read_record(s, files::format_of(path, o.format, true), o, target);
}
template <files::Record X>
requires(!std::is_same_v<X, load_options>) void load(files::byte_span b, X& target, load_options const& o) {
  files::memory_source s(b);
  files::read_record(s, files::format_of(s.name(), o.format, false), o, target);
}
template <files::Record X>
X load(std::string const& path, load_options const& o = {}) {
  X x{};
  load(path, x, o);
  return x;
}
// into a tensor that is there; where an error is raised it stays as it was
template <files::Loadable T>
void load(std::string const& path, T& target, load_options const& o = {}) {
  files::file_source s(path);
  if constexpr (files::Owned<T>)
    if (o.in_place && s.size() != files::source::unknown) {  // a pipe is read once
      files::format const f = files::format_of(path, o.format, true);
      files::check_options(path, f, o);
      shape_t shape{};
      for (int k = 0; k < T::rank; ++k) shape.push(target.shape(k));
      if (f == files::format::npy && files::read_npy_into(s, files::expected_of<T>(), shape, target.data())) return;
    }
  target = files::taken<T>(files::read_whole(s, o, files::expected_of<T>(), true));
}
// The samples a second of a WAV file, whose samples load reads.
inline index_t rate_of(std::string const& path) {
  files::file_source s(path);
  return files::read_wav_header(s).rate;
}

}  // namespace RICCI_ABI
}  // namespace io
}  // namespace ricci
