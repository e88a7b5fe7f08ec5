// PGM and PPM, the binary ones (Netpbm's P5 and P6): grey or RGB with 8 or 16 bits, as uint8 or uint16 of shape
// (height, width) or (height, width, 3).
#pragma once

#include <ricci/io/images.hpp>
#include <ricci/io/options.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

// A number of the header; spaces and comments may stand before it, one space behind it is taken.
inline index_t read_pnm_number(source& s, char const* what) {
  char c = 0;
  bool comment = false;
  do {
    s.read(&c, 1, what);
    comment = (comment && c != '\n') || c == '#';
  } while (comment || c == ' ' || c == '\t' || c == '\n' || c == '\r');
  index_t n = 0;
  for (; c >= '0' && c <= '9'; s.read(&c, 1, what)) {
    n = 10 * n + (c - '0');
    if (n > 0x7fffffff) (message(s.name(), s.position()) << what << " is above 2^31").raise();
  }
  if (n == 0 || !(c == ' ' || c == '\t' || c == '\n' || c == '\r'))
    (message(s.name(), s.position()) << what << " is no positive number").raise();
  return n;
}
inline any_tensor read_pnm(source& s, expectation const& e) {
  char magic[2];
  s.read(magic, 2, "the start of a PGM or PPM file");
  if (magic[0] != 'P' || (magic[1] != '5' && magic[1] != '6'))
    (message(s.name(), 0) << "it begins with '" << std::string_view(magic, 2)
                          << "'; P5 or P6, binary PGM or PPM, was expected")
        .raise();
  image_size size{0, 0, magic[1] == '6' ? 3 : 1};
  size.width = read_pnm_number(s, "the width");
  size.height = read_pnm_number(s, "the height");
  index_t const most = read_pnm_number(s, "the largest value");
  if (most != 255 && most != 65535)
    (message(s.name(), s.position()) << "a largest value of " << most << "; 255 or 65535 was expected").raise();
  dtype const type = most == 255 ? dtype::uint8 : dtype::uint16;
  shape_t const shape = shape_of_image(size, e);
  index_t const bytes = checked_bytes(s.name(), s.position(), type, shape);
  e.check(s.name(), {}, type, shape);
  core::shared_buffer memory = s.read_new(bytes, "the pixels");
  if (std::endian::native == std::endian::little) reverse_bytes(memory.data(), size_of(shape), type);
  return array_of(static_cast<core::shared_buffer&&>(memory), type, shape);
}
inline void write_pnm(sink& s, array_view const& a) {
  if (a.type != dtype::uint8 && a.type != dtype::uint16)
    (message(s.name()) << "PGM and PPM are written from uint8 or uint16, not " << a.type).raise();
  bool const grey = ends_with(s.name(), ".pgm"), colour = ends_with(s.name(), ".ppm");
  image_size const size = image_size_of(s.name(), a, grey ? "1" : colour ? "3" : "1 or 3");
  s.write((size.channels == 1 ? "P5\n" : "P6\n") + std::to_string(size.width) + ' ' + std::to_string(size.height) +
          (a.type == dtype::uint8 ? "\n255\n" : "\n65535\n"));
  std::string pixels(static_cast<char const*>(a.data), std::size_t(a.bytes()));
  if (std::endian::native == std::endian::little) reverse_bytes(pixels.data(), size_of(a.shape), a.type);
  s.write(pixels);
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
