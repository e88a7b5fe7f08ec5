// WAV (RIFF) with samples of 16 or 32 bits, of floats, or of 8 bits without sign: as int16, int32, float32 or uint8 of
// shape (frames, channels).
#pragma once

#include <ricci/io/array.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

struct wav_header {
  dtype type = dtype::none;
  index_t channels = 0, rate = 0, bytes = 0;  // bytes: of the samples, at which the source stands
};

inline std::uint32_t little(unsigned char const* p, int n) {
  std::uint32_t x = 0;
  for (int k = n - 1; k >= 0; --k) x = x << 8 | p[k];
  return x;
}
inline wav_header read_wav_header(source& s) {
  unsigned char start[12];
  s.read(start, 12, "the start of a WAV file");
  auto const is = [](unsigned char const* p, char const* word) { return std::memcmp(p, word, 4) == 0; };
  if (!is(start, "RIFF") || !is(start + 8, "WAVE"))
    (message(s.name(), 0) << "a WAV file begins with RIFF and WAVE, and this one does not").raise();
  wav_header h;
  while (true) {
    index_t const at = s.position();
    unsigned char chunk[8];
    s.read(chunk, 8, "a chunk of a WAV file");
    index_t const n = little(chunk + 4, 4);
    s.expect(n, "a chunk of a WAV file");
    if (is(chunk, "data")) {
      if (h.type == dtype::none) (message(s.name(), at) << "samples before the chunk 'fmt '").raise();
      index_t const frame = size_of(h.type) * h.channels;
      if (n % frame != 0) (message(s.name(), at) << n << " bytes of samples, of which a frame has " << frame).raise();
      h.bytes = n;
      return h;
    }
    if (!is(chunk, "fmt ")) {  // passed over, with what makes its size even
      core::shared_buffer const passed = s.read_new(n + (n & 1), "a chunk of a WAV file");
      continue;
    }
    unsigned char f[40]{};
    if (n < 16 || n > 40) (message(s.name(), at) << "a chunk 'fmt ' of " << n << " bytes").raise();
    s.read(f, n + (n & 1), "the chunk 'fmt '");
    std::uint32_t const tag = little(f, 2), kind = tag == 0xfffe && n == 40 ? little(f + 24, 2) : tag,
                        bits = little(f + 14, 2);
    if (kind == 3 && bits == 32) h.type = dtype::float32;
    if (kind == 1)
      h.type = bits == 8 ? dtype::uint8 : bits == 16 ? dtype::int16 : bits == 32 ? dtype::int32 : dtype::none;
    if (h.type == dtype::none)
      (message(s.name(), at) << "samples of kind " << index_t(kind) << " with " << index_t(bits)
                             << " bits; 8, 16 or 32 bits of PCM (1), or floats (3) of 32 were expected")
          .raise();
    h.channels = little(f + 2, 2), h.rate = little(f + 4, 4);
    if (h.channels == 0 || index_t(little(f + 12, 2)) != h.channels * size_of(h.type))
      (message(s.name(), at) << h.channels << " channels in frames of " << index_t(little(f + 12, 2)) << " bytes")
          .raise();
  }
}
// What may follow the samples: a byte that makes their number even, and other chunks, of which the last may lack it.
inline void pass_over_chunks(source& s, index_t odd) {
  auto const rest = [&] { return s.size() - s.position(); };
  if (odd != 0 && rest() > 0) s.seek(s.position() + 1);
  while (rest() > 0) {
    index_t const at = s.position();
    unsigned char chunk[8];
    if (rest() < 8) (message(s.name(), at) << rest() << " bytes behind the samples, which are no chunk").raise();
    s.read(chunk, 8, "a chunk of a WAV file");
    index_t const n = little(chunk + 4, 4);
    s.expect(n, "a chunk of a WAV file");
    s.seek(s.position() + (n + (n & 1) < rest() ? n + (n & 1) : rest()));
  }
}
inline any_tensor read_wav(source& s, expectation const& e) {
  wav_header const h = read_wav_header(s);
  shape_t shape{2, {h.bytes / (size_of(h.type) * h.channels), h.channels}};
  if (!e.any_shape && e.shape.rank == 1 && h.channels == 1) shape.rank = 1;
  e.check(s.name(), {}, h.type, shape);
  core::shared_buffer memory = s.read_new(h.bytes, "the samples");
  if (std::endian::native == std::endian::big) reverse_bytes(memory.data(), size_of(shape), h.type);
  if (s.size() != source::unknown) pass_over_chunks(s, h.bytes & 1);
  return array_of(static_cast<core::shared_buffer&&>(memory), h.type, shape);
}

inline void write_wav(sink& s, array_view const& a, int rate) {
  if (a.type != dtype::int16 && a.type != dtype::float32 && a.type != dtype::int32 && a.type != dtype::uint8)
    (message(s.name()) << "WAV is written from int16, int32, float32 or uint8, not " << a.type).raise();
  index_t const channels = a.shape.rank == 2 ? a.shape[1] : 1, bytes = a.bytes(), size = size_of(a.type);
  if ((a.shape.rank != 1 && a.shape.rank != 2) || channels < 1 || channels > 65535 || bytes > index_t(0xffffffff) - 64)
    (message(s.name()) << "no sound is an array of shape " << a.shape
                       << ": (frames,) or (frames, channels) below 4 GiB was expected")
        .raise();
  if (channels * size > 65535)
    (message(s.name()) << channels << " channels in frames of " << channels * size
                       << " bytes, of which WAV has at most 65535")
        .raise();
  if (rate < 1) (message(s.name()) << rate << " samples a second").raise();
  if (index_t(rate) * channels * size > index_t(0xffffffff))
    (message(s.name()) << rate << " samples a second in frames of " << channels * size
                       << " bytes, where WAV has at most 4294967295 bytes a second")
        .raise();
  s.write("RIFF");
  s.write_number(std::uint64_t(36 + bytes + (bytes & 1)), 4);
  s.write("WAVEfmt ");
  s.write_number(16, 4);
  s.write_number(a.type == dtype::float32 ? 3 : 1, 2);
  s.write_number(std::uint64_t(channels), 2);
  s.write_number(std::uint64_t(rate), 4);
  s.write_number(std::uint64_t(index_t(rate) * channels * size), 4);
  s.write_number(std::uint64_t(channels * size), 2);
  s.write_number(std::uint64_t(8 * size), 2);
  s.write("data");
  s.write_number(std::uint64_t(bytes), 4);
  std::string swapped;
  void const* data = a.data;
  if (std::endian::native == std::endian::big) {
    swapped.assign(static_cast<char const*>(data), std::size_t(bytes));
    reverse_bytes(swapped.data(), size_of(a.shape), a.type);
    data = swapped.data();
  }
  s.write(data, bytes);
  s.write_zeros(bytes & 1);
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
