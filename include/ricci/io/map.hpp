// Arrays of npy files where they lie: pages are read when their elements are.
#pragma once

#include <ricci/io/npy.hpp>

namespace ricci {
namespace files {
inline namespace RICCI_ABI {

// The elements of an npy file and what keeps them: pages of the file, or a copy where there are no such.
inline any_tensor mapped_npy(std::string const& path, expectation const& e) {
  file_source s(path);
  npy_header const h = read_npy_header(s);
  e.check(path, {}, h.type, h.shape);
  index_t const start = s.position();
  if (s.left() != source::unknown && s.left() != h.bytes)
    (message(path, start + h.bytes) << s.left() - h.bytes << " bytes behind the array").raise();
  if (h.reversed)
    (message(path) << "elements have the other order of bytes, so that they cannot be mapped: load reads them").raise();
  if (h.column_major && !is_in_both_orders(h.shape))
    (message(path) << "elements are in Fortran order, so that they cannot be mapped: load reads them").raise();
  if (start % size_of(component_type(h.type)) != 0)
    (message(path, start) << "elements are not aligned, so that they cannot be mapped: load reads them").raise();
#if RICCI_IO_POSIX
  if (h.bytes > 0 && s.size() != source::unknown) {
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
      __builtin_memcpy(&of_block, reinterpret_cast<char*>(&block) + core::header_size, sizeof of_block);
      ::munmap(of_block.first, of_block.bytes);
    };
    char const* const elements = static_cast<char const*>(p.first) + start;
    if (h.type == dtype::boolean)
      for (index_t k = 0; k < h.bytes; ++k)
        if (elements[k] != 0 && elements[k] != 1)
          (message(path, start + k) << "a bool is neither 0 nor 1, so that it cannot be mapped: load reads it").raise();
    return any_tensor(static_cast<core::shared_buffer&&>(owner), elements, h.type, h.shape);
  }
#endif
  s.seek(0);
  return read_npy(s, e);
}

}  // namespace RICCI_ABI
}  // namespace files

namespace io {
inline namespace RICCI_ABI {

// The array of an npy file as a view that cannot be written, `rc::io::map<rc::ndarray<float, 2>>("a.npy")`: nothing is
// read before it is used, and the file stays open until the last view of it is gone. Whoever makes the file shorter
// meanwhile ends the program, as with any mapped file. io_error: what load would refuse, and elements in Fortran order,
// of the other order of bytes or not aligned, which have to be loaded.
template <files::Owned T>
auto map(std::string const& path) {
  using E = typename T::extents;
  any_tensor const a = files::mapped_npy(path, files::expected_of<T>());
  expr::extent_storage<E> extents;
  for (int k = 0; k < T::rank; ++k) extents.set(k, a.shape()[k]);
  return view<typename T::value_type const, E, layout::row_major>(static_cast<typename T::value_type const*>(a.data()),
                                                                  extents, a.owner());
}
// the same with the type and order that the file says
inline any_tensor map(std::string const& path) { return files::mapped_npy(path, {}); }

}  // namespace RICCI_ABI
}  // namespace io
}  // namespace ricci
