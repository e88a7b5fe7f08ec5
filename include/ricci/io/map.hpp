// Arrays of npy and safetensors files where they lie: pages are read when their elements are.
#pragma once

#include <ricci/io/npy.hpp>
#include <ricci/io/options.hpp>
#include <ricci/io/safetensors.hpp>

namespace ricci {
namespace files {
inline namespace RICCI_ABI {

// An array that lies in a file as it lies in memory, from the source's position on.
struct mapped_array {
  dtype type;
  shape_t shape;
  bool reversed = false;
};
inline mapped_array enter_npy(source& s, expectation const& e) {
  npy_header const h = read_npy_header(s);
  e.check(s.name(), {}, h.type, h.shape);
  if (s.left() != source::unknown && s.left() != h.bytes)
    (message(s.name(), s.position() + h.bytes) << s.left() - h.bytes << " bytes behind the array").raise();
  if (h.column_major && !is_in_both_orders(h.shape))
    (message(s.name()) << "elements are in Fortran order, so that they cannot be mapped: load reads them").raise();
  return {h.type, h.shape, h.reversed};
}
template <class = void>
mapped_array enter_safetensors(source& s, std::string_view name, expectation const& e) {
  safetensors_archive<> all(s);
  std::size_t const k = all.number_of(name);
  all.enter(k, e);
  return {all.type(k), all.shape(k), std::endian::native == std::endian::big && size_of(all.type(k)) > 1};
}

// The elements of an array and what keeps them: pages of the file, or a copy where there are no such.
template <class = void>
any_tensor mapped(std::string const& path, io::load_options const& o, expectation const& e) {
  format const f = format_of(path, o.format, true);
  if (f != format::npy && f != format::safetensors)
    (message(path) << "npy and safetensors are mapped; this is another format, which load reads").raise();
  check_options(path, f, o);
  file_source s(path);
  mapped_array const a = f == format::npy ? enter_npy(s, e) : enter_safetensors(s, o.name, e);
  index_t const start = s.position(), bytes = size_of(a.shape) * size_of(a.type);
  if (a.reversed)
    (message(path) << "elements have the other order of bytes, so that they cannot be mapped: load reads them").raise();
  if (start % size_of(component_type(a.type)) != 0)
    (message(path, start) << "elements are not aligned, so that they cannot be mapped: load reads them").raise();
#if RICCI_IO_POSIX
  if (bytes > 0 && s.size() != source::unknown) {
    struct pages {
      void* first;
      std::size_t bytes;
    };
    core::shared_buffer owner(sizeof(pages));
    pages const p{::mmap(nullptr, std::size_t(s.size()), PROT_READ, MAP_PRIVATE, s.descriptor(), 0),
                  std::size_t(s.size())};
    if (p.first == MAP_FAILED) raise_of_system(path, "cannot be mapped", errno);
    __builtin_memcpy(owner.data(), &p, sizeof p);
    owner.header().release = [](core::block_header& block) {
      pages of_block;
      __builtin_memcpy(&of_block, core::elements_of(block), sizeof of_block);
      ::munmap(of_block.first, of_block.bytes);
    };
    char const* const elements = static_cast<char const*>(p.first) + start;
    if (a.type == dtype::boolean)
      for (index_t k = 0; k < bytes; ++k)
        if (elements[k] != 0 && elements[k] != 1)
          (message(path, start + k) << "a bool is neither 0 nor 1, so that it cannot be mapped: load reads it").raise();
    return any_tensor(static_cast<core::shared_buffer&&>(owner), elements, a.type, a.shape);
  }
#endif
  core::shared_buffer copy = s.read_new(bytes, "the elements");
  if (a.type == dtype::boolean) normalise_bools(copy.data(), bytes);
  return array_of(static_cast<core::shared_buffer&&>(copy), a.type, a.shape);
}

}  // namespace RICCI_ABI
}  // namespace files

namespace io {
inline namespace RICCI_ABI {

// The array of an npy file, or one of a safetensors file that the option name says, as a view that cannot be written,
// `rc::io::map<rc::ndarray<float, 2>>("a.npy")`: nothing is read before it is used, and the file stays open until the
// last view of it is gone. Whoever makes the file shorter meanwhile ends the program, as with any mapped file.
// io_error: what load would refuse, and elements in Fortran order, of the other order of bytes or not aligned, which
// have to be loaded.
template <files::Owned T>
auto map(std::string const& path, load_options const& o = {}) {
  using E = typename T::extents;
  any_tensor const a = files::mapped(path, o, files::expected_of<T>());
  expr::extent_storage<E> extents;
  for (int k = 0; k < T::rank; ++k) extents.set(k, a.shape()[k]);
  return view<typename T::value_type const, E, layout::row_major>(static_cast<typename T::value_type const*>(a.data()),
                                                                  extents, a.owner());
}
// the same with the type and order that the file says
template <class T = any_tensor>
requires is_any_tensor<T> T map(std::string const& path, load_options const& o = {}) {
  return files::mapped(path, o, {});
}

}  // namespace RICCI_ABI
}  // namespace io
}  // namespace ricci
