// PNG (ISO/IEC 15948): grey, grey and alpha, RGB, RGBA, as uint8, of 16 bits a channel as uint16, of shape (height,
// width) or (height, width, channels). Palettes become the colours that they stand for, grey of 1, 2 or 4 bits goes
// from 0 to 255. Interlaced images are refused by name.
#pragma once

#include <ricci/io/deflate.hpp>
#include <ricci/io/images.hpp>
#include <ricci/io/inflate.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

inline constexpr std::string_view png_magic{"\x89PNG\r\n\x1a\n", 8};

class png_reader {
 public:
  explicit png_reader(source& s) : source_(s) {}

  any_tensor read(expectation const& e) {
    char magic[8];
    source_.read(magic, 8, "the start of a PNG file");
    if (std::string_view(magic, 8) != png_magic) fail(0, "this is no PNG file: its first bytes differ");
    bool begun = false, data_ended = false;
    while (true) {
      index_t const at = source_.position();
      char start[8];
      source_.read(start, 8, "a chunk of a PNG file");
      std::string_view const head(start, 8), type = head.substr(4);
      index_t const n = number_at(head, 0, true);
      source_.expect(n + 4, "a chunk of a PNG file");
      if (begun != (type != "IHDR")) fail(at, "the chunk IHDR is not the first one");
      bool const is_data = type == "IDAT";
      if (is_data && data_ended) fail(at, "a chunk IDAT apart from the others");
      data_ended = data_ended || (!is_data && !packed_.empty());
      std::string other;
      std::string& to = is_data ? packed_ : other;
      std::size_t const before = to.size();
      core::shared_buffer const data = source_.read_new(n, "a chunk of a PNG file");
      to.append(data.data(), std::size_t(n));
      char sum[4];
      source_.read(sum, 4, "a checksum");
      std::uint32_t const computed = crc32(crc32(0, type.data(), 4), to.data() + before, n);
      if (is_another_sum(computed, number_at(std::string_view(sum, 4), 0, true)))
        fail(at, "the checksum of a chunk does not match");
      if (type == "IHDR") {
        begun = true;
        read_header(at, other);
        if (!has_palette_) settle_shape(at, e);
      } else if (type == "IEND") {
        if (has_palette_) settle_shape(at, e);
        return pixels();
      } else if (type == "PLTE" && has_palette_) {
        read_palette(at, other);
      } else if (type == "tRNS" && has_palette_) {
        read_alpha(at, other);
      } else if (!is_data && type != "PLTE" && (type[0] & 32) == 0) {
        (message(source_.name(), at) << "the chunk " << type << " of a PNG file, which is needed and not known")
            .raise();
      }
    }
  }

 private:
  [[noreturn]] void fail(index_t at, char const* why) const { (message(source_.name(), at) << why).raise(); }
  void read_header(index_t at, std::string_view h) {
    if (h.size() != 13) fail(at, "a chunk IHDR that has not 13 bytes");
    size_.width = number_at(h, 0, true), size_.height = number_at(h, 4, true);
    if (size_.width < 1 || size_.height < 1 || size_.width > 0x7fffffff || size_.height > 0x7fffffff)
      (message(source_.name(), at) << "an image of " << size_.height << " by " << size_.width << " pixels").raise();
    int const colour = h[9];
    depth_ = h[8];
    if (colour != 0 && colour != 2 && colour != 3 && colour != 4 && colour != 6) fail(at, "an unknown type of colour");
    bool const is_narrow = depth_ == 1 || depth_ == 2 || depth_ == 4;
    if (depth_ != 8 && !(depth_ == 16 && colour != 3) && !(is_narrow && (colour == 0 || colour == 3)))
      (message(source_.name(), at) << depth_ << " bits a channel, which this type of colour has not").raise();
    if (h[12] != 0) fail(at, "an interlaced image, which is not read");
    if (h[10] != 0 || h[11] != 0) fail(at, "an unknown method of compression or filtering");
    has_palette_ = colour == 3;
    size_.channels = colour == 2 ? 3 : colour == 4 ? 2 : colour == 6 ? 4 : 1;
  }
  void read_palette(index_t at, std::string_view colours) {
    if (colours.empty() || colours.size() % 3 != 0 || colours.size() > 768 || palette_size_ > 0 || !packed_.empty())
      fail(at, "a palette that is not 1 to 256 colours before the pixels");
    palette_size_ = colours.size() / 3;
    for (std::size_t k = 0; k < palette_size_; ++k) {
      __builtin_memcpy(palette_[k], colours.data() + 3 * k, 3);
      palette_[k][3] = '\xff';
    }
    palette_channels_ = 3;
  }
  void read_alpha(index_t at, std::string_view alpha) {
    if (alpha.size() > palette_size_ || palette_channels_ == 4 || !packed_.empty())
      fail(at, "transparencies of more colours than the palette has, or not behind it");
    for (std::size_t k = 0; k < alpha.size(); ++k) palette_[k][3] = alpha[k];
    palette_channels_ = 4;
  }
  void settle_shape(index_t at, expectation const& e) {
    if (has_palette_ && palette_size_ == 0) fail(at, "an image with a palette, which is missing");
    image_size const size{size_.height, size_.width, has_palette_ ? palette_channels_ : size_.channels};
    type_ = depth_ == 16 ? dtype::uint16 : dtype::uint8;
    shape_ = shape_of_image(size, e);
    (void)checked_bytes(source_.name(), at, type_, shape_);
    e.check(source_.name(), {}, type_, shape_);
  }
  // The bytes of the rows, without their filters.
  core::shared_buffer filtered() {
    index_t const row = row_bytes(), whole = size_.height * (row + 1);
    if (whole / 1032 > index_t(packed_.size()))
      fail(source_.position(), "fewer bytes than the pixels can be compressed to");
    std::string rows;
    rows.reserve(std::size_t(whole));
    if (char const* const wrong = inflate_zlib(packed_, rows, whole)) fail(source_.position(), wrong);
    if (index_t(rows.size()) != whole) fail(source_.position(), "fewer pixels than the image has");
    core::shared_buffer memory(size_.height * row);
    auto* to = reinterpret_cast<std::uint8_t*>(memory.data());
    auto const* from = reinterpret_cast<std::uint8_t const*>(rows.data());
    for (index_t y = 0; y < size_.height; ++y, to += row, from += row + 1)
      if (!unfilter(to, from + 1, y > 0 ? to - row : nullptr, row, *from))
        fail(source_.position(), "an unknown filter of a row");
    return memory;
  }
  any_tensor pixels() {
    core::shared_buffer memory = filtered();
    if (has_palette_ || depth_ < 8) {
      memory = unpacked(memory);
    } else if (depth_ == 16 && std::endian::native == std::endian::little) {
      reverse_bytes(memory.data(), size_of(shape_), type_);
    }
    return array_of(static_cast<core::shared_buffer&&>(memory), type_, shape_);
  }
  // Of numbers of 1 to 8 bits, the first in the highest ones, colours of the palette or shades of grey.
  core::shared_buffer unpacked(core::shared_buffer const& rows) const {
    index_t const channels = has_palette_ ? palette_channels_ : 1;
    core::shared_buffer memory(size_.height * size_.width * channels);
    char* to = memory.data();
    unsigned const most = (1u << depth_) - 1;
    for (index_t y = 0; y < size_.height; ++y)
      for (index_t x = 0; x < size_.width; ++x, to += channels) {
        index_t const bit = x * depth_;
        auto const byte = static_cast<unsigned char>(rows.data()[y * row_bytes() + bit / 8]);
        unsigned const number = byte >> (8 - depth_ - int(bit % 8)) & most;
        if (has_palette_ && number >= palette_size_) fail(source_.position(), "a pixel that its palette does not have");
        if (has_palette_)
          __builtin_memcpy(to, palette_[number], std::size_t(channels));
        else
          *to = static_cast<char>(number * 255 / most);
      }
    return memory;
  }
  index_t row_bytes() const { return (size_.width * size_.channels * depth_ + 7) / 8; }
  // A row from its differences to the pixels left of it and above (section 9.2); what is outside is 0.
  bool unfilter(std::uint8_t* to, std::uint8_t const* from, std::uint8_t const* above, index_t n, int filter) const {
    index_t const bits = size_.channels * depth_, step = bits < 8 ? 1 : bits / 8;  // of a pixel, in bytes
    if (filter > 4) return false;
    for (index_t k = 0; k < n; ++k) {
      int const a = k >= step ? to[k - step] : 0, b = above ? above[k] : 0,
                c = above && k >= step ? above[k - step] : 0;
      int guess = 0;
      if (filter == 1) guess = a;
      if (filter == 2) guess = b;
      if (filter == 3) guess = (a + b) / 2;
      if (filter == 4) {
        int const p = a + b - c, pa = p > a ? p - a : a - p, pb = p > b ? p - b : b - p, pc = p > c ? p - c : c - p;
        guess = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      }
      to[k] = static_cast<std::uint8_t>(from[k] + guess);
    }
    return true;
  }

  source& source_;
  image_size size_{};  // as stored: a palette's numbers are one channel
  int depth_ = 0;      // bits a channel
  dtype type_ = dtype::uint8;
  shape_t shape_{};
  bool has_palette_ = false;
  std::size_t palette_size_ = 0;
  index_t palette_channels_ = 0;
  char palette_[256][4];
  std::string packed_;
};
inline any_tensor read_png(source& s, expectation const& e) { return png_reader(s).read(e); }

inline void append_highest_first(std::string& to, index_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(number >> shift & 0xff);
}
inline void write_chunk(sink& s, std::string_view type, std::string_view data) {
  std::string chunk;
  append_highest_first(chunk, index_t(data.size()));
  chunk += type;
  chunk += data;
  append_highest_first(chunk, index_t(crc32(0, chunk.data() + 4, index_t(chunk.size()) - 4)));
  s.write(chunk);
}
inline void write_png(sink& s, array_view const& a) {
  bool const is_deep = a.type == dtype::uint16;
  if (a.type != dtype::uint8 && !is_deep)
    (message(s.name()) << "PNG is written from uint8 or uint16, not " << a.type).raise();
  image_size const size = image_size_of(s.name(), a, "1, 2, 3 or 4");
  index_t const row = size.width * size.channels * size_of(a.type);
  std::string rows;
  rows.reserve(std::size_t(size.height * (row + 1)));
  for (index_t y = 0; y < size.height; ++y) {
    rows += '\0';  // its filter: none
    rows.append(static_cast<char const*>(a.data) + y * row, std::size_t(row));
    if (is_deep && std::endian::native == std::endian::little)
      reverse_words<std::uint16_t>(rows.data() + rows.size() - std::size_t(row), row / 2);
  }
  constexpr char colours[] = {0, 4, 2, 6};
  std::string header;
  append_highest_first(header, size.width);
  append_highest_first(header, size.height);
  header += {static_cast<char>(is_deep ? 16 : 8), colours[size.channels - 1], 0, 0, 0};
  s.write(png_magic);
  write_chunk(s, "IHDR", header);
  std::string const packed = deflated_zlib(s.name(), rows.data(), index_t(rows.size()));
  for (std::size_t at = 0; at < packed.size(); at += 1 << 30)
    write_chunk(s, "IDAT", std::string_view(packed).substr(at, 1 << 30));
  write_chunk(s, "IEND", {});
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
