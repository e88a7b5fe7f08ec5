// NumPy's format of one array: magic, version, a header that is a Python dictionary, elements. Versions 1.0, 2.0 and
// 3.0 (numpy.lib.format, NEP 1) in either order of bytes and of axes.
#pragma once

#include <ricci/io/array.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

struct npy_header {
  dtype type = dtype::none;
  bool reversed = false;  // the bytes of elements
  bool column_major = false;
  shape_t shape{};
  index_t bytes = 0;
};

inline constexpr std::string_view npy_magic = "\x93NUMPY";
inline constexpr index_t longest_npy_header = index_t(1) << 16;  // 12 extents and a type's name need less than 400

// The header as text, read from left to right. `start`: where it lies in the file.
class npy_dictionary {
 public:
  npy_dictionary(std::string_view text, std::string const& file, index_t start)
      : text_(text), file_(file), start_(start) {}

  npy_header read() {
    npy_header h;
    bool type = false, order = false, shape = false;
    expect('{');
    while (!take('}')) {
      index_t const where = at_;
      std::string_view const key = quoted();
      expect(':');
      if (key == "descr" && !type)
        type = true, read_type(h);
      else if (key == "fortran_order" && !order)
        order = true, h.column_major = truth();
      else if (key == "shape" && !shape)
        shape = true, read_shape(h.shape);
      else
        (message_at(where) << "key '" << key << "' of the header, where descr, fortran_order or shape was expected")
            .raise();
      if (take('}')) break;
      expect(',');
    }
    skip();
    if (at_ != index_t(text_.size())) (message_at(at_) << "more text behind the header's dictionary").raise();
    if (!type || !order || !shape)
      (message_at(0) << "the header has no " << (!type ? "descr" : !order ? "fortran_order" : "shape")).raise();
    return h;
  }

 private:
  message message_at(index_t at) const { return message(file_, start_ + at); }
  void skip() {
    while (at_ < index_t(text_.size()) &&
           (text_[std::size_t(at_)] == ' ' || text_[std::size_t(at_)] == '\n' || text_[std::size_t(at_)] == '\t'))
      ++at_;
  }
  char next() {
    skip();
    return at_ < index_t(text_.size()) ? text_[std::size_t(at_)] : '\0';
  }
  bool take(char c) { return next() == c && c != 0 ? (++at_, true) : false; }
  void expect(char c) {
    if (take(c)) return;
    auto m = message_at(at_) << "the header has ";
    if (at_ < index_t(text_.size()))
      m << '\'' << text_.substr(std::size_t(at_), 1) << '\'';
    else
      m << "its end";
    (m << " where '" << c << "' was expected").raise();
  }
  std::string_view quoted() {
    char const mark = next();
    if (mark != '\'' && mark != '"') expect('\'');
    auto const begin = std::size_t(++at_);
    auto const end = text_.find(mark, begin);
    if (end == std::string_view::npos) (message_at(at_) << "a quoted word of the header does not end").raise();
    at_ = index_t(end) + 1;
    return text_.substr(begin, end - begin);
  }
  bool word(std::string_view w) {
    skip();
    if (text_.substr(std::size_t(at_), w.size()) != w) return false;
    at_ += index_t(w.size());
    return true;
  }
  bool truth() {
    if (word("True")) return true;
    if (!word("False")) (message_at(at_) << "fortran_order of the header is neither True nor False").raise();
    return false;
  }
  bool is_digit() const {
    return at_ < index_t(text_.size()) && text_[std::size_t(at_)] >= '0' && text_[std::size_t(at_)] <= '9';
  }
  void read_shape(shape_t& shape) {
    index_t const where = at_;
    expect('(');
    bool comma = true;
    while (!take(')')) {
      if (!comma) expect(',');
      std::uint64_t n = 0;
      skip();
      index_t const digits = at_;
      for (; is_digit(); ++at_) {
        n = 10 * n + std::uint64_t(text_[std::size_t(at_)] - '0');
        if (n > std::uint64_t(core::most_bytes)) (message_at(digits) << "an extent is above 2^60").raise();
      }
      if (at_ == digits) (message_at(at_) << "shape of the header is no list of extents").raise();
      if (at_ < index_t(text_.size()) && text_[std::size_t(at_)] == 'L') ++at_;  // of Python 2
      if (shape.rank == max_rank) (message_at(where) << "more than " << max_rank << " axes").raise();
      shape.push(index_t(n));
      comma = take(',');
    }
    if (shape.rank == 1 && !comma)
      (message_at(where) << "shape of the header is a number in parentheses, and no tuple: no comma follows it")
          .raise();
  }
  void read_type(npy_header& h) {
    skip();
    index_t const where = at_;
    if (next() == '[')
      (message_at(where) << "a structured type, whose elements are records; a plain type was expected").raise();
    std::string_view const d = quoted();
    char const order = d.empty() ? '\0' : d[0];
    bool const ordered = order == '<' || order == '>' || order == '=' || order == '|';
    std::string_view const rest = d.substr(ordered ? 1 : 0);
    auto const refuse = [&](char const* why) {
      (message_at(where) << "type '" << d << "', " << why
                         << "; bool, integers, floats or complex numbers were expected")
          .raise();
    };
    if (rest.starts_with('O')) refuse("Python objects, which only Python can read");
    if (rest.starts_with('S') || rest.starts_with('U') || rest.starts_with('a')) refuse("which is text");
    if (rest.starts_with('V')) refuse("raw bytes or a structured type");
    if (rest.starts_with('M') || rest.starts_with('m')) refuse("dates or times");
    for (int k = 1; k <= element_types::size; ++k) {
      auto const t = static_cast<dtype>(k);
      if (t != dtype::bfloat16 && rest == name_in_npy(t)) h.type = t;
    }
    if (h.type == dtype::none || !ordered) refuse("which is no element type");
    bool const little = std::endian::native == std::endian::little;
    h.reversed = size_of(h.type) > 1 && ((order == '<' && !little) || (order == '>' && little));
  }

  std::string_view text_;
  std::string const& file_;
  index_t start_, at_ = 0;

 public:
  // the kind and the number of bytes, "f8"
  static std::string name_in_npy(dtype t) {
    constexpr char kinds[] = "?buifc";  // of number_kind: none, boolean, unsigned, signed, floating, complex
    std::string s(1, kinds[int(kind_of(t))]);
    return s += std::to_string(size_of(t));
  }
};

inline npy_header read_npy_header(source& s) {
  index_t const begin = s.position();
  char start[8];
  s.read(start, sizeof start, "the start of an npy array");
  if (std::string_view(start, 6) != npy_magic)
    (message(s.name(), begin) << "begins with '" << std::string_view(start, 6) << "', not as an npy array does")
        .raise();
  int const version = start[6];
  if (version < 1 || version > 3 || start[7] != 0)
    (message(s.name(), begin + 6) << "version " << version << '.' << int(start[7])
                                  << " of npy; 1.0, 2.0 or 3.0 was expected")
        .raise();
  unsigned char length[4]{};
  s.read(length, version == 1 ? 2 : 4, "the length of the header");
  index_t n = 0;
  for (int k = 3; k >= 0; --k) n = n << 8 | length[k];
  if (n > longest_npy_header)
    (message(s.name(), begin + 8) << "a header of " << n << " bytes; at most " << longest_npy_header
                                  << " were expected")
        .raise();
  std::string text(std::size_t(n), '\0');
  index_t const where = s.position();
  s.expect(n, "the header");
  s.read(text.data(), n, "the header");
  npy_header h = npy_dictionary(text, s.name(), where).read();
  h.bytes = checked_bytes(s.name(), where, h.type, h.shape);
  s.expect(h.bytes, "the array of that header");
  return h;
}

// The elements of that header, as they are in memory, at `to`.
inline void correct_elements(npy_header const& h, char* to) {
  if (h.reversed) reverse_bytes(to, h.bytes / size_of(h.type), h.type);
  if (h.type == dtype::boolean) normalise_bools(to, h.bytes);
}
// The next npy array of a source.
inline any_tensor read_npy(source& s, expectation const& e, std::string_view what = {}) {
  npy_header const h = read_npy_header(s);
  e.check(s.name(), what, h.type, h.shape);
  core::shared_buffer memory = s.read_new(h.bytes, "the elements");
  correct_elements(h, memory.data());
  if (h.column_major && !is_in_both_orders(h.shape)) memory = to_row_major(memory, h.type, h.shape);
  return array_of(static_cast<core::shared_buffer&&>(memory), h.type, h.shape);
}
// The same into memory of elements of that type and shape; false where it is of another shape, or in Fortran order:
// then nothing is done.
inline bool read_npy_into(source& s, expectation const& e, shape_t const& shape, void* to) {
  npy_header const h = read_npy_header(s);
  e.check(s.name(), {}, h.type, h.shape);
  if (!(h.shape == shape) || (h.column_major && !is_in_both_orders(h.shape))) return s.seek(0), false;
  if (s.size() == source::unknown || s.left() != h.bytes) return s.seek(0), false;
  s.read(to, h.bytes, "the elements");
  correct_elements(h, static_cast<char*>(to));
  return true;
}

// What stands before the elements, a multiple of 64 bytes: so that they are aligned where the file is mapped.
inline std::string npy_start(std::string_view file, array_view const& a) {
  if (a.type == dtype::bfloat16)
    (message(file) << "npy has no bfloat16: save it as .safetensors, or rc::astype<float> of it").raise();
  bool const one_byte = size_of(a.type) == 1, little = std::endian::native == std::endian::little;
  std::string d = "{'descr': '";
  d += one_byte ? '|' : little ? '<' : '>';
  d += npy_dictionary::name_in_npy(a.type) + "', 'fortran_order': False, 'shape': (";
  for (int k = 0; k < a.shape.rank; ++k) {
    d += std::to_string(a.shape[k]);
    if (k + 1 < a.shape.rank || a.shape.rank == 1) d += k + 1 < a.shape.rank ? ", " : ",";
  }
  d += "), }";
  while ((10 + d.size() + 1) % 64 != 0) d += ' ';
  d += '\n';
  std::string start(npy_magic);
  start += {'\1', '\0', static_cast<char>(d.size() & 0xff), static_cast<char>(d.size() >> 8)};
  return start += d;
}
inline void write_npy(sink& s, array_view const& a) {
  s.write(npy_start(s.name(), a));
  s.write(a.data, a.bytes());
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
