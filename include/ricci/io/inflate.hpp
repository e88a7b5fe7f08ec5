// What is compressed by deflate (RFC 1951), alone or in the wrappings of zlib (RFC 1950) and gzip (RFC 1952), as it was
// before. Reading needs no library.
#pragma once

#include <string>
#include <string_view>

#include <ricci/io/checksums.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

// A canonical Huffman code, whose shorter words are looked up.
class huffman {
 public:
  static constexpr int looked_up = 10, longest = 15;

  // From the lengths of the words of n symbols, 0 for none; false where no code has such lengths. A code that is not
  // complete is only allowed to have one word, or none.
  bool make(unsigned char const* lengths, int n) {
    for (auto& c : counts_) c = 0;
    for (auto& f : fast_) f = 0;
    for (int k = 0; k < n; ++k) ++counts_[lengths[k]];
    int const words = n - counts_[0];
    counts_[0] = 0;
    int left = 1, starts[longest + 2]{};
    for (int length = 1; length <= longest; ++length) {
      left = 2 * left - counts_[length];
      if (left < 0) return false;
      starts[length + 1] = starts[length] + counts_[length];
    }
    if (left > 0 && !(words == 0 || (words == 1 && counts_[1] == 1))) return false;
    for (int k = 0; k < n; ++k)
      if (lengths[k] > 0) symbols_[starts[lengths[k]]++] = static_cast<std::uint16_t>(k);
    int code = 0, at = 0;
    for (int length = 1; length <= looked_up; ++length, code <<= 1)
      for (int k = 0; k < counts_[length]; ++k, ++code, ++at) {
        int reversed = 0;
        for (int bit = 0; bit < length; ++bit) reversed |= (code >> bit & 1) << (length - 1 - bit);
        for (int rest = reversed; rest < 1 << looked_up; rest += 1 << length)
          fast_[rest] = static_cast<std::uint16_t>(symbols_[at] << 4 | length);
      }
    return true;
  }
  // The symbol with which `bits` begins, and the length of its word; -1 where there is none.
  int find(std::uint64_t bits, int& length) const {
    if (std::uint16_t const f = fast_[bits & ((1 << looked_up) - 1)]) return length = f & 15, f >> 4;
    int code = 0, first = 0, at = 0;
    for (length = 1; length <= longest; ++length, bits >>= 1) {
      code |= int(bits & 1);
      int const count = counts_[length];
      if (code - first < count) return symbols_[at + code - first];
      at += count;
      first = (first + count) << 1, code <<= 1;
    }
    return -1;
  }

 private:
  std::uint16_t fast_[1 << looked_up], symbols_[288];
  int counts_[longest + 1];
};

// Appends to `out` what `in` was before it was compressed, at most `limit` bytes.
class inflater {
 public:
  inflater(std::string_view in, std::string& out, index_t limit)
      : next_(reinterpret_cast<unsigned char const*>(in.data())),
        begin_(next_),
        end_(next_ + in.size()),
        out_(out),
        start_(out.size()),
        size_(out.size()),
        limit_(out.size() + std::size_t(limit)) {}

  // What is wrong with it; nullptr where nothing is.
  char const* run() {
    bool last = false;
    while (!last && wrong_ == nullptr) {
      last = take(1) != 0;
      switch (take(2)) {
        case 0:
          stored();
          break;
        case 1:
          fixed();
          break;
        case 2:
          dynamic();
          break;
        default:
          fail("a block of unknown kind");
      }
    }
    out_.resize(size_);
    return wrong_;
  }
  // how many bytes of the input it took
  index_t taken() const { return index_t(next_ - begin_) - count_ / 8; }

 private:
  void fail(char const* why) {
    if (wrong_ == nullptr) wrong_ = why;
  }
  void fill() {
    while (count_ <= 56 && next_ < end_) hold_ |= std::uint64_t(*next_++) << count_, count_ += 8;
  }
  void drop(int n) {
    if (n > count_) return fail("the compressed data are cut off");
    hold_ >>= n, count_ -= n;
  }
  unsigned take(int n) {
    fill();
    auto const x = unsigned(hold_ & ((std::uint64_t(1) << n) - 1));
    drop(n);
    return x;
  }
  int symbol(huffman const& code) {
    fill();
    int length = 0;
    int const s = code.find(hold_, length);
    if (s < 0)
      return fail(count_ < huffman::longest ? "the compressed data are cut off" : "a word that is not in the code"), -1;
    drop(length);
    return wrong_ ? -1 : s;
  }
  // room for n more bytes
  bool room(std::size_t n) {
    if (n > limit_ - size_) return fail("more data than there should be"), false;
    if (out_.size() - size_ < n) {
      std::size_t const wanted = 2 * size_ + n + 1024;
      out_.resize(wanted < limit_ ? wanted : limit_);
    }
    return true;
  }
  void stored() {
    drop(count_ & 7);
    unsigned const n = take(16);
    if ((n ^ take(16)) != 0xffff) return fail("the length of a stored block does not fit its complement");
    // as of other blocks, what there is room for comes out before the error: the start of a file says how long it is
    std::size_t const fits = n < limit_ - size_ ? n : limit_ - size_;
    if (wrong_ || !room(fits)) return;
    std::size_t done = 0;
    for (; done < fits && count_ > 0; ++done) out_[size_ + done] = static_cast<char>(take_held());
    std::size_t const rest = fits - done;
    if (rest > std::size_t(end_ - next_)) return fail("the compressed data are cut off");
    if (rest > 0) __builtin_memcpy(out_.data() + size_ + done, next_, rest);
    next_ += rest, size_ += fits;
    if (fits < n) fail("more data than there should be");
  }
  unsigned take_held() {
    auto const x = unsigned(hold_ & 0xff);
    hold_ >>= 8, count_ -= 8;
    return x;
  }
  void fixed() {
    unsigned char lengths[288 + 30];
    for (int k = 0; k < 288; ++k) lengths[k] = k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8;
    (void)literals_.make(lengths, 288);
    for (int k = 0; k < 32; ++k) lengths[k] = 5;
    (void)distances_.make(lengths, 32);
    compressed();
  }
  void dynamic() {
    constexpr unsigned char order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    int const literals = int(take(5)) + 257, distances = int(take(5)) + 1, words = int(take(4)) + 4;
    if (literals > 286 || distances > 30) return fail("a code of too many symbols");
    unsigned char lengths[286 + 30]{};
    for (int k = 0; k < words; ++k) lengths[order[k]] = static_cast<unsigned char>(take(3));
    if (wrong_ || !literals_.make(lengths, 19)) return fail("lengths of words that no code has");
    unsigned char found[286 + 30]{};
    for (int k = 0; k < literals + distances;) {
      int const s = symbol(literals_);
      if (s < 0) return;
      if (s < 16) {
        found[k++] = static_cast<unsigned char>(s);
        continue;
      }
      if (s == 16 && k == 0) return fail("a length is repeated before there is one");
      unsigned char const repeated = s == 16 ? found[k - 1] : 0;
      int times = s == 16 ? 3 + int(take(2)) : s == 17 ? 3 + int(take(3)) : 11 + int(take(7));
      if (k + times > literals + distances) return fail("more lengths than symbols");
      while (times-- > 0) found[k++] = repeated;
    }
    if (wrong_) return;
    if (found[256] == 0) return fail("a block has no end");
    if (!literals_.make(found, literals) || !distances_.make(found + literals, distances))
      return fail("lengths of words that no code has");
    compressed();
  }
  void compressed() {
    constexpr std::uint16_t lengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                         31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    constexpr unsigned char length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                             2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    constexpr std::uint16_t distances[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                           33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                           1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    constexpr unsigned char distance_bits[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                               6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
    while (true) {
      int const s = symbol(literals_);
      if (s < 0 || s == 256) return;
      if (s < 256) {
        if (!room(1)) return;
        out_[size_++] = static_cast<char>(s);
        continue;
      }
      if (s > 285) return fail("a length that there is not");
      std::size_t const n = lengths[s - 257] + take(length_bits[s - 257]);
      int const d = symbol(distances_);
      if (d < 0) return;
      if (d > 29) return fail("a distance that there is not");
      std::size_t const back = distances[d] + take(distance_bits[d]);
      if (back > size_ - start_) return fail("a distance to before the start");
      if (wrong_ || !room(n)) return;
      char* const to = out_.data() + size_;
      char const* const from = to - back;
      if (back >= n)
        __builtin_memcpy(to, from, n);
      else
        for (std::size_t k = 0; k < n; ++k) to[k] = from[k];
      size_ += n;
    }
  }

  unsigned char const *next_, *begin_, *end_;
  std::string& out_;
  std::size_t start_, size_, limit_;
  std::uint64_t hold_ = 0;
  int count_ = 0;
  char const* wrong_ = nullptr;
  huffman literals_, distances_;
};

inline std::uint32_t number_at(std::string_view s, std::size_t at, bool highest_first) {
  std::uint32_t x = 0;
  for (std::size_t k = 0; k < 4; ++k)
    x |= std::uint32_t(static_cast<unsigned char>(s[at + k])) << 8 * (highest_first ? 3 - k : k);
  return x;
}

// zlib's format; what is wrong with it, or nullptr
inline char const* inflate_zlib(std::string_view in, std::string& out, index_t limit) {
  if (in.size() < 6) return "the compressed data are cut off";
  unsigned const method = static_cast<unsigned char>(in[0]), flags = static_cast<unsigned char>(in[1]);
  if ((method << 8 | flags) % 31 != 0 || (method & 15) != 8 || (flags & 32) != 0)
    return "the compressed data begin otherwise";
  std::size_t const start = out.size();
  inflater i(in.substr(2), out, limit);
  if (char const* const wrong = i.run()) return wrong;
  std::size_t const end = 2 + std::size_t(i.taken());
  if (in.size() - end < 4) return "the compressed data are cut off";
  if (in.size() - end > 4) return "something follows the compressed data";
  std::uint32_t const sum = adler32(1, out.data() + start, index_t(out.size() - start));
  return is_another_sum(sum, number_at(in, end, true)) ? "the checksum does not match" : nullptr;
}

inline bool is_gzip(std::string_view s) { return s.starts_with("\x1f\x8b"); }
// gzip's, of one or more members, behind which zeros may stand, as tapes have them and gunzip passes over them
inline char const* inflate_gzip(std::string_view in, std::string& out, index_t limit) {
  do {
    constexpr char const* cut_off = "the compressed data are cut off";
    if (in.size() < 18) return cut_off;
    unsigned const flags = static_cast<unsigned char>(in[3]);
    if (!is_gzip(in) || in[2] != 8 || (flags & 0xe0) != 0) return "the compressed data begin otherwise";
    std::size_t at = 10;
    if (flags & 4) at += 2u + static_cast<unsigned char>(in[10]) + 256u * static_cast<unsigned char>(in[11]);
    for (unsigned const text : {8u, 16u})  // a name and a comment
      if (flags & text) {
        if (at >= in.size()) return cut_off;
        at = in.find('\0', at);
        if (at == std::string_view::npos) return cut_off;
        ++at;
      }
    if (flags & 2) at += 2;
    if (at + 8 > in.size()) return cut_off;
    std::size_t const start = out.size();
    inflater i(in.substr(at), out, limit - index_t(start));
    if (char const* const wrong = i.run()) return wrong;
    at += std::size_t(i.taken());
    if (in.size() - at < 8) return cut_off;
    index_t const n = index_t(out.size() - start);
    if (is_another_sum(crc32(0, out.data() + start, n), number_at(in, at, false)) ||
        is_another_sum(std::uint32_t(n), number_at(in, at + 4, false)))
      return "the checksum does not match";
    in.remove_prefix(at + 8);
    std::size_t const zeros = in.find_first_not_of('\0');
    in.remove_prefix(zeros == std::string_view::npos ? in.size() : zeros);
  } while (!in.empty());
  return nullptr;
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
