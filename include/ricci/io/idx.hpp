// IDX, the format of the MNIST files (LeCun, Cortes, Burges): two zeros, a type, the order, extents and elements, all
// with the highest byte first. What is compressed by gzip is recognised by its first bytes.
#pragma once

#include <ricci/io/array.hpp>
#include <ricci/io/gzip.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

// Of the type codes 8 to 14 the element type.
inline constexpr dtype idx_types[] = {dtype::uint8, dtype::int8,    dtype::none,   dtype::int16,
                                      dtype::int32, dtype::float32, dtype::float64};

struct idx_header {
  dtype type;
  shape_t shape;
  index_t bytes;
};
inline idx_header read_idx_header(source& s) {
  unsigned char start[4];
  s.read(start, 4, "the start of an IDX file");
  if (start[0] != 0 || start[1] != 0)
    (message(s.name(), 0) << "an IDX file begins with two zeros, and this one does not").raise();
  dtype const type = start[2] >= 8 && start[2] <= 14 ? idx_types[start[2] - 8] : dtype::none;
  if (type == dtype::none) (message(s.name(), 2) << "IDX has no type " << int(start[2])).raise();
  if (start[3] > max_rank)
    (message(s.name(), 3) << int(start[3]) << " axes, where " << max_rank << " are the most").raise();
  idx_header h{type, {}, 0};
  for (int k = 0; k < start[3]; ++k) {
    unsigned char e[4];
    s.read(e, 4, "an extent");
    h.shape.push(index_t(e[0]) << 24 | index_t(e[1]) << 16 | index_t(e[2]) << 8 | index_t(e[3]));
  }
  h.bytes = checked_bytes(s.name(), 4, type, h.shape);
  return h;
}
template <class = void>
any_tensor read_plain_idx(source& s, expectation const& e) {
  idx_header const h = read_idx_header(s);
  e.check(s.name(), {}, h.type, h.shape);
  core::shared_buffer memory = s.read_new(h.bytes, "the elements");
  if (std::endian::native == std::endian::little) reverse_bytes(memory.data(), h.bytes / size_of(h.type), h.type);
  return array_of(static_cast<core::shared_buffer&&>(memory), h.type, h.shape);
}

template <class = void>
any_tensor read_idx(source& s, expectation const& e) {
  char start[2];
  index_t const begin = s.position(), got = s.size() == source::unknown ? 0 : s.read_some(start, 2);
  s.seek(begin);
  if (got < 2 || !is_gzip(std::string_view(start, 2))) return read_plain_idx(s, e);
  core::shared_buffer memory;
  std::string_view const packed = s.read_all(memory);
  std::string contents;
  // the header first: it says how much is to come
  constexpr index_t longest_header = 4 + 4 * max_rank;
  char const* wrong = inflate_gzip(packed, contents, longest_header);
  memory_source first(bytes_of(contents), s.name());
  if (contents.size() < 4 && wrong) (message(s.name()) << wrong).raise();
  idx_header const h = read_idx_header(first);
  e.check(s.name(), {}, h.type, h.shape);
  index_t const whole = first.position() + h.bytes;
  if (whole / 1032 > index_t(packed.size()))
    (message(s.name()) << "it claims " << whole << " bytes, more than deflate can make of " << index_t(packed.size()))
        .raise();
  contents.clear();
  contents.reserve(std::size_t(whole));
  if ((wrong = inflate_gzip(packed, contents, whole))) (message(s.name()) << wrong).raise();
  memory_source all(bytes_of(contents), s.name());
  any_tensor a = read_plain_idx(all, e);
  if (all.left() != 0) (message(s.name(), all.position()) << all.left() << " bytes behind the array").raise();
  return a;
}

template <class = void>
void write_idx(sink& s, array_view const& a) {
  int code = -1;
  for (int k = 0; k < 7; ++k)
    if (idx_types[k] == a.type && a.type != dtype::none) code = k + 8;
  if (code < 0)
    (message(s.name()) << "IDX has no " << a.type << "; uint8, int8, int16, int32, float32 and float64 can be written")
        .raise();
  std::string all{'\0', '\0', char(code), char(a.shape.rank)};
  for (int k = 0; k < a.shape.rank; ++k) {
    if (a.shape[k] > index_t(0xffffffff))
      (message(s.name()) << "IDX has extents below 2^32, not shape " << a.shape).raise();
    for (int shift = 24; shift >= 0; shift -= 8) all += char(a.shape[k] >> shift & 0xff);
  }
  auto const start = all.size();
  all.append(static_cast<char const*>(a.data), std::size_t(a.bytes()));
  if (std::endian::native == std::endian::little) reverse_bytes(all.data() + start, size_of(a.shape), a.type);
  ends_with(s.name(), ".gz") ? write_gzip(s, all) : s.write(all);
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
