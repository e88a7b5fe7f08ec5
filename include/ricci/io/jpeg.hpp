// JPEG (ISO/IEC 10918-1): grey or RGB of 8 bits, as uint8 of shape (height, width) or (height, width, 3), sequential or
// progressive. It needs libjpeg: RICCI_IO_JPEG says that it is linked, which the CMake target ricci::io does where it
// is found. Without it JPEG files are an error that says so.
#pragma once

#include <ricci/io/images.hpp>
#include <ricci/io/options.hpp>

#if !defined(RICCI_IO_JPEG)
#define RICCI_IO_JPEG 0
#endif
#if RICCI_IO_JPEG
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
// (its header needs FILE)
#include <jpeglib.h>

#include <jerror.h>
#endif

namespace ricci::files {
inline namespace RICCI_ABI {

#if RICCI_IO_JPEG
inline constexpr bool has_jpeg = true;
inline namespace with_jpeg {

// How libjpeg reports an error: it does not return from it. Functions that call it by `call` have no objects to
// destroy, since they may be left by longjmp.
struct jpeg_errors {
  jpeg_error_mgr base;
  std::jmp_buf back;
  char text[JMSG_LENGTH_MAX];

  static void leave(j_common_ptr c) {
    auto& e = *reinterpret_cast<jpeg_errors*>(c->err);
    c->err->format_message(c, e.text);
    std::longjmp(e.back, 1);
  }
  // Of warnings, those about bytes between markers and about versions are passed over: the image is whole.
  static void warn(j_common_ptr c, int level) {
    int const code = c->err->msg_code;
    if (level < 0 && code != JWRN_EXTRANEOUS_DATA && code != JWRN_ADOBE_XFORM && code != JWRN_JFIF_MAJOR) leave(c);
  }
  jpeg_error_mgr* begin() {
    jpeg_std_error(&base);
    base.error_exit = &leave;
    base.emit_message = &warn;
    return &base;
  }
};
template <class C, class F>
bool call_jpeg(jpeg_errors& e, C& c, F const& f) {
  if (setjmp(e.back) != 0) return false;
  f(c);
  return true;
}

class jpeg_reader {
 public:
  // A small file may say the bits of its pixels in thousands of scans, each of which takes the time of all pixels.
  static constexpr int most_scans = 500;

  explicit jpeg_reader(source& s) : source_(s) {
    c_.err = errors_.begin();
    progress_.progress_monitor = [](j_common_ptr c) {
      if (reinterpret_cast<j_decompress_ptr>(c)->input_scan_number <= most_scans) return;
      auto& e = *reinterpret_cast<jpeg_errors*>(c->err);
      std::snprintf(e.text, sizeof e.text, "it goes over its pixels more than %d times", most_scans);
      std::longjmp(e.back, 1);
    };
  }
  ~jpeg_reader() { jpeg_destroy_decompress(&c_); }
  jpeg_reader(jpeg_reader const&) = delete;
  jpeg_reader& operator=(jpeg_reader const&) = delete;

  any_tensor read(expectation const& e) {
    index_t const at = source_.position();
    core::shared_buffer store;
    std::string_view const bytes = source_.read_all(store);
    if (bytes.size() < 2 || bytes.substr(0, 2) != "\xff\xd8") fail(at, "this is no JPEG file: its first bytes differ");
    call(at, [&](jpeg_decompress_struct& c) {
      jpeg_create_decompress(&c);
      c.progress = &progress_;
      jpeg_mem_src(&c, reinterpret_cast<unsigned char const*>(bytes.data()), static_cast<unsigned long>(bytes.size()));
      jpeg_read_header(&c, TRUE);
    });
    bool const grey = c_.jpeg_color_space == JCS_GRAYSCALE;
    if (!grey && c_.jpeg_color_space != JCS_YCbCr && c_.jpeg_color_space != JCS_RGB)
      fail(at, "a JPEG file of other colours than grey or RGB, as CMYK");
    image_size const size{c_.image_height, c_.image_width, grey ? 1 : 3};
    // a block of 64 pixels takes a bit or more
    if (size.height * size.width / 512 > index_t(bytes.size()))
      (message(source_.name(), at) << "an image of " << size.height << " by " << size.width << " pixels in "
                                   << index_t(bytes.size()) << " bytes, which cannot hold them")
          .raise();
    shape_t const shape = shape_of_image(size, e);
    index_t const all = checked_bytes(source_.name(), at, dtype::uint8, shape);
    e.check(source_.name(), {}, dtype::uint8, shape);
    core::shared_buffer memory(all);
    c_.out_color_space = grey ? JCS_GRAYSCALE : JCS_RGB;
    auto* const to = reinterpret_cast<unsigned char*>(memory.data());
    call(at, [&](jpeg_decompress_struct& c) {
      jpeg_start_decompress(&c);
      while (c.output_scanline < c.output_height) {
        JSAMPROW row = to + index_t(c.output_scanline) * size.width * size.channels;
        jpeg_read_scanlines(&c, &row, 1);
      }
      jpeg_finish_decompress(&c);
    });
    return array_of(static_cast<core::shared_buffer&&>(memory), dtype::uint8, shape);
  }

 private:
  [[noreturn]] void fail(index_t at, char const* what) const { (message(source_.name(), at) << what).raise(); }
  template <class F>
  void call(index_t at, F const& f) {
    if (!call_jpeg(errors_, c_, f)) fail(at, errors_.text);
  }

  source& source_;
  jpeg_decompress_struct c_{};
  jpeg_errors errors_;
  jpeg_progress_mgr progress_{};
};
inline any_tensor read_jpeg(source& s, expectation const& e) { return jpeg_reader(s).read(e); }

struct jpeg_writer {
  jpeg_compress_struct c{};
  jpeg_errors errors;
  unsigned char* out = nullptr;
  unsigned long bytes = 0;

  jpeg_writer() { c.err = errors.begin(); }
  ~jpeg_writer() {
    jpeg_destroy_compress(&c);
    std::free(out);
  }
  jpeg_writer(jpeg_writer const&) = delete;
  jpeg_writer& operator=(jpeg_writer const&) = delete;
};
inline void write_jpeg(sink& s, array_view const& a, int quality) {
  if (a.type != dtype::uint8) (message(s.name()) << "JPEG is written from uint8, not " << a.type).raise();
  image_size const size = image_size_of(s.name(), a, "1 or 3");
  if (size.height > JPEG_MAX_DIMENSION || size.width > JPEG_MAX_DIMENSION)
    (message(s.name()) << "a JPEG image has at most " << index_t(JPEG_MAX_DIMENSION) << " rows and columns, not "
                       << size.height << " and " << size.width)
        .raise();
  if (quality < 1 || quality > 100)
    (message(s.name()) << "the option quality is " << quality << ", where 1 to 100 was expected").raise();
  jpeg_writer w;
  auto const* const pixels = static_cast<unsigned char const*>(a.data);
  bool const written = call_jpeg(w.errors, w.c, [&](jpeg_compress_struct& c) {
    jpeg_create_compress(&c);
    jpeg_mem_dest(&c, &w.out, &w.bytes);
    c.image_height = static_cast<JDIMENSION>(size.height), c.image_width = static_cast<JDIMENSION>(size.width);
    c.input_components = int(size.channels);
    c.in_color_space = size.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&c);
    jpeg_set_quality(&c, quality, TRUE);
    jpeg_start_compress(&c, TRUE);
    while (c.next_scanline < c.image_height) {
      // (rows are read only; the interface is older than const)
      JSAMPROW row = const_cast<unsigned char*>(pixels) + index_t(c.next_scanline) * size.width * size.channels;
      jpeg_write_scanlines(&c, &row, 1);
    }
    jpeg_finish_compress(&c);
  });
  if (!written) (message(s.name()) << static_cast<char const*>(w.errors.text)).raise();
  s.write(std::string_view(reinterpret_cast<char const*>(w.out), w.bytes));
}

#else
inline constexpr bool has_jpeg = false;
inline namespace without_jpeg {

[[noreturn]] inline void raise_without_jpeg(std::string_view file) {
  (message(file) << "JPEG needs libjpeg: link ricci::io, or define RICCI_IO_JPEG=1 and link jpeg").raise();
}
inline any_tensor read_jpeg(source& s, expectation const&) { raise_without_jpeg(s.name()); }
inline void write_jpeg(sink& s, array_view const&, int) { raise_without_jpeg(s.name()); }

#endif

}  // namespace with_jpeg or without_jpeg
}  // namespace RICCI_ABI
}  // namespace ricci::files
