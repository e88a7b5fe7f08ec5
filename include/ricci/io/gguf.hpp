// GGUF, the format of models of llama.cpp and its kin, little endian, versions 2 and 3: what the model is, a list of
// arrays, and their elements, each from a multiple of an alignment on. Extents stand from the innermost one on.
// Elements of F32, F16, BF16, F64 and I8 to I64 are read as they are; those of Q8_0, Q4_0 and Q4_1, blocks of 32 with a
// scale, become float32. Nothing is written.
#pragma once

#include <ricci/core/where_used.hpp>
#include <ricci/io/archive.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

// How an array is stored: elements of a type, or blocks that become float32.
struct gguf_type {
  int number;
  char const* name;
  dtype type;
  index_t elements = 1, bytes = 0;  // of a block; elements of their own have the bytes of their type
};
inline constexpr gguf_type gguf_types[] = {
    {0, "F32", dtype::float32},          {1, "F16", dtype::float16},          {2, "Q4_0", dtype::float32, 32, 18},
    {3, "Q4_1", dtype::float32, 32, 20}, {8, "Q8_0", dtype::float32, 32, 34}, {24, "I8", dtype::int8},
    {25, "I16", dtype::int16},           {26, "I32", dtype::int32},           {27, "I64", dtype::int64},
    {28, "F64", dtype::float64},         {30, "BF16", dtype::bfloat16}};

// The elements of a block of 32: a scale, of Q4_1 also the least value, and 32 numbers of 8 or 4 bits, of which the
// first 16 are the lower halves of 16 bytes.
inline void expand_block(int number, char const* from, float* to) {
  auto const half = [&](int at) {
    float16 x;
    __builtin_memcpy(&x, from + at, 2);
    return static_cast<float>(x);
  };
  auto const byte = [&](int k) { return int(static_cast<unsigned char>(from[k])); };
  float const scale = half(0);
  for (int k = 0; k < 16; ++k) {
    if (number == 8) {
      to[k] = scale * static_cast<float>(static_cast<signed char>(from[2 + k]));
      to[k + 16] = scale * static_cast<float>(static_cast<signed char>(from[18 + k]));
    } else if (number == 2) {
      to[k] = scale * static_cast<float>((byte(2 + k) & 15) - 8);
      to[k + 16] = scale * static_cast<float>((byte(2 + k) >> 4) - 8);
    } else {
      to[k] = scale * static_cast<float>(byte(4 + k) & 15) + half(2);
      to[k + 16] = scale * static_cast<float>(byte(4 + k) >> 4) + half(2);
    }
  }
}

template <class Use = void>
class gguf_archive final : public archive {
 public:
  RICCI_COLD explicit gguf_archive(source& s) : archive(s) {
    if (s.size() == source::unknown) (message(s.name()) << "gguf is read from a file or bytes, not a stream").raise();
    char magic[4];
    s.read(magic, 4, "the start of a GGUF file");
    if (std::string_view(magic, 4) != "GGUF") (message(s.name(), 0) << "a GGUF file begins with 'GGUF'").raise();
    auto const version = number<std::uint32_t>("the version");
    if (version != 2 && version != 3)
      (message(s.name(), 4) << "version " << index_t(version) << " of GGUF, where 2 or 3 in little endian was expected")
          .raise();
    // each array has 24 bytes or more, and each pair 13
    std::uint64_t const arrays = count("arrays", 24), pairs = count("pairs of key and value", 13);
    for (std::uint64_t k = 0; k < pairs; ++k) {
      std::string const key = text("a key");
      auto const type = number<std::uint32_t>("the type of a value");
      index_t const at = s.position();
      if (key == "general.alignment" && type == 4) {
        alignment_ = index_t(number<std::uint32_t>("the alignment"));
        if (alignment_ < 8 || alignment_ % 8 != 0)
          (message(s.name(), at) << "an alignment of " << alignment_ << ", where a multiple of 8 was expected").raise();
      } else {
        pass(type, 0);
      }
    }
    for (std::uint64_t k = 0; k < arrays; ++k) read_entry();
    begin_ = aligned(s.position());
    for (std::size_t k = 0; k < entries_.size(); ++k)
      if (entry const& e = entries_[k];
          e.rule != nullptr && (e.at > s.size() - begin_ || e.bytes > s.size() - begin_ - e.at))
        (message(s.name(), s.size()) << this->names()[k] << ": " << e.bytes << " bytes from byte " << begin_ << " + "
                                     << e.at << " on, where the file ends")
            .raise();
  }
  RICCI_COLD any_tensor read(std::size_t k, expectation const& e) override {
    entry const& x = entries_[k];
    if (x.rule == nullptr)
      (message(source_.name()) << names()[k] << ": elements of GGUF's type " << x.type
                               << "; F32, F16, BF16, F64, I8 to I64, Q8_0, Q4_0 and Q4_1 are read")
          .raise();
    dtype const type = x.rule->type;
    e.check(source_.name(), names()[k], type, x.shape);
    source_.seek(begin_ + x.at);
    core::shared_buffer memory = source_.read_new(x.bytes, "the elements");
    source_.seek(source_.size());
    index_t const n = size_of(x.shape);
    if (x.rule->elements == 1) {
      if (std::endian::native == std::endian::big) reverse_bytes(memory.data(), n, type);
      return array_of(static_cast<core::shared_buffer&&>(memory), type, x.shape);
    }
    core::shared_buffer numbers(n * index_t(sizeof(float)));
    auto* const to = reinterpret_cast<float*>(numbers.data());
    for (index_t b = 0; b < n / 32; ++b) expand_block(x.rule->number, memory.data() + b * x.rule->bytes, to + 32 * b);
    return array_of(static_cast<core::shared_buffer&&>(numbers), type, x.shape);
  }

 private:
  struct entry {
    index_t type = 0;
    gguf_type const* rule = nullptr;
    shape_t shape{};
    index_t at = 0, bytes = 0;
  };
  template <class T>
  T number(char const* what) {
    unsigned char b[sizeof(T)];
    source_.read(b, index_t(sizeof b), what);
    T x = 0;
    for (std::size_t k = sizeof b; k-- > 0;) x = static_cast<T>(x << 8 | b[k]);
    return x;
  }
  // How many there are, of so many bytes or more each.
  RICCI_COLD std::uint64_t count(char const* what, index_t least) {
    index_t const at = source_.position();
    auto const n = number<std::uint64_t>(what);
    if (n > std::uint64_t(source_.left() / least))
      (message(source_.name(), at) << n << ' ' << what << ", and " << source_.left() << " bytes behind that").raise();
    return n;
  }
  RICCI_COLD std::string text(char const* what) {
    std::uint64_t const n = count(what, 1);
    std::string s(std::size_t(n), '\0');
    source_.read(s.data(), index_t(n), what);
    return s;
  }
  // Goes behind a value of one of GGUF's types, of arrays of arrays up to 8 deep.
  RICCI_COLD void pass(std::uint32_t type, int depth) {
    constexpr int sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    if (type > 12 || depth > 8)
      (message(source_.name(), source_.position()) << "a value of type " << index_t(type) << ", which GGUF has not")
          .raise();
    if (type == 8) {
      (void)text("a text");
    } else if (type == 9) {
      auto const each = number<std::uint32_t>("the type of elements");
      std::uint64_t const n = count("elements", each <= 12 && sizes[each] > 0 ? sizes[each] : 8);
      if (each <= 12 && sizes[each] > 0)
        source_.seek(source_.position() + index_t(n) * sizes[each]);
      else
        for (std::uint64_t k = 0; k < n; ++k) pass(each, depth + 1);
    } else {
      source_.expect(sizes[type], "a value");
      source_.seek(source_.position() + sizes[type]);
    }
  }
  RICCI_COLD void read_entry() {
    index_t const start = source_.position();
    std::string const name = text("a name");
    auto const refuse = [&](char const* why) { (message(source_.name(), start) << name << ": " << why).raise(); };
    auto const rank = number<std::uint32_t>("the order of an array");
    if (rank > std::uint32_t(max_rank)) refuse("an array of more than 12 axes");
    entry e;
    e.shape.rank = int(rank);
    for (int k = int(rank) - 1; k >= 0; --k) {
      auto const n = number<std::uint64_t>("an extent");
      if (n > std::uint64_t(1) << 62) refuse("an extent that is too large");
      e.shape.extent[k] = index_t(n);
    }
    e.type = index_t(number<std::uint32_t>("the type of an array"));
    auto const at = number<std::uint64_t>("the place of an array");
    if (at > std::uint64_t(source_.size())) refuse("a place behind the end of the file");
    e.at = index_t(at);
    if (e.at != aligned(e.at)) refuse("a place that is not aligned");
    for (gguf_type const& t : gguf_types)
      if (t.number == e.type) e.rule = &t;
    if (e.rule != nullptr) {
      index_t const whole = checked_bytes(source_.name(), start, e.rule->type, e.shape);
      if (e.rule->elements == 1) {
        e.bytes = whole;
      } else {
        if (rank == 0 || e.shape.extent[rank - 1] % e.rule->elements != 0)
          refuse("rows of blocks of 32 elements have a multiple of 32");
        e.bytes = size_of(e.shape) / e.rule->elements * e.rule->bytes;
      }
    }
    if (!add_name(name)) refuse("two arrays of one name");
    entries_.push_back(e);
  }
  index_t aligned(index_t n) const { return (n + alignment_ - 1) / alignment_ * alignment_; }

  index_t alignment_ = 32, begin_ = 0;
  std::vector<entry> entries_;
};

}  // namespace RICCI_ABI
}  // namespace ricci::files
