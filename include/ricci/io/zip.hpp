// Zip archives (APPNOTE.TXT 6.3, with zip64), as far as npz files need them: entries that are stored or deflated.
#pragma once

#include <vector>

#include <ricci/io/deflate.hpp>
#include <ricci/io/inflate.hpp>
#include <ricci/io/places.hpp>
#include <ricci/io/sink.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

struct zip_entry {
  std::string name;
  int method = 0;  // 0: stored, 8: deflated
  std::uint32_t crc = 0;
  std::uint64_t packed = 0, size = 0, header = 0;  // bytes in the file, bytes of contents, where its local header is
};

inline std::uint64_t number_in(char const* p, int size) {
  std::uint64_t x = 0;
  for (int k = size - 1; k >= 0; --k) x = x << 8 | static_cast<unsigned char>(p[k]);
  return x;
}
inline constexpr std::uint64_t in_zip64 = 0xffffffff;  // a number that stands elsewhere

template <class = void>
class zip_reader {
 public:
  // Of bytes whose size is known: a file or memory.
  explicit zip_reader(source& s) : source_(s) { read_directory(); }

  std::vector<zip_entry> const& entries() const { return entries_; }

  // Goes to the contents of an entry.
  void enter(zip_entry const& e) {
    seek(e.header, "an entry");
    char h[30];
    source_.read(h, sizeof h, "the header of an entry");
    auto const name = index_t(number_in(h + 26, 2)), extra = index_t(number_in(h + 28, 2));
    if (number_in(h, 4) != 0x04034b50 || name != index_t(e.name.size()) || int(number_in(h + 8, 2)) != e.method)
      (message(source_.name(), index_t(e.header)) << "no entry '" << e.name << "', which should be here").raise();
    source_.expect(name + extra, "the header of an entry");
    source_.seek(source_.position() + name + extra);
    if (e.packed > std::uint64_t(source_.left()))
      (message(source_.name(), source_.position())
       << "entry '" << e.name << "' has " << e.packed << " bytes, of which " << source_.left() << " are there")
          .raise();
  }
  // What is wrong with an entry.
  [[noreturn]] void fail(zip_entry const& e, char const* why) const {
    (message(source_.name(), index_t(e.header)) << "entry '" << e.name << "': " << why).raise();
  }
  // The contents of a deflated entry.
  std::string inflated(zip_entry const& e) {
    enter(e);
    // deflate makes of a byte at most 1032 (zlib's technical details): memory is not had for claims beyond
    if (e.size / 1032 > e.packed) fail(e, "it claims to be larger than deflate can make it");
    std::string packed(std::size_t(e.packed), '\0'), out;
    source_.read(packed.data(), index_t(e.packed), "an entry");
    out.reserve(std::size_t(e.size));
    if (char const* const wrong = inflater(packed, out, index_t(e.size)).run()) fail(e, wrong);
    if (out.size() != e.size) fail(e, "it is shorter than it claims to be");
    if (is_another_sum(crc32(0, out.data(), index_t(out.size())), e.crc)) fail(e, "the checksum does not match");
    return out;
  }

 private:
  void seek(std::uint64_t to, char const* what) {
    if (to > std::uint64_t(source_.size()))
      (message(source_.name()) << what << " at byte " << to << ", where the file has " << source_.size() << " bytes")
          .raise();
    source_.seek(index_t(to));
  }
  void read_directory() {
    std::string_view const file = source_.name();
    if (source_.size() == source::unknown)
      (message(file) << "a zip archive is read from a file or bytes, not a stream").raise();
    // its end has 22 bytes and a comment of up to 65535
    index_t const size = source_.size(), most = 22 + 65535, tail = size < most ? size : most;
    std::string end(std::size_t(tail), '\0');
    source_.seek(size - tail);
    source_.read(end.data(), tail, "the end of a zip archive");
    index_t at = tail - 22;
    while (at >= 0 && !(number_in(&end[std::size_t(at)], 4) == 0x06054b50 &&
                        index_t(number_in(&end[std::size_t(at) + 20], 2)) == tail - at - 22))
      --at;
    if (at < 0) (message(file, size) << "no end of a zip archive: the file is cut off, or something else").raise();
    char const* const p = &end[std::size_t(at)];
    std::uint64_t count = number_in(p + 10, 2), bytes = number_in(p + 12, 4), start = number_in(p + 16, 4);
    if (number_in(p + 4, 2) != 0 || number_in(p + 6, 2) != 0)
      (message(file) << "a zip archive of several disks").raise();
    index_t const end_at = size - tail + at;
    if ((count == 0xffff || bytes == in_zip64 || start == in_zip64) && at >= 20 && number_in(p - 20, 4) == 0x07064b50) {
      seek(number_in(p - 12, 8), "the end of the directory");
      char e[56];
      source_.read(e, sizeof e, "the end of the directory");
      if (number_in(e, 4) != 0x06064b50)
        (message(file, source_.position() - 56) << "no end of a zip64 archive").raise();
      count = number_in(e + 32, 8), bytes = number_in(e + 40, 8), start = number_in(e + 48, 8);
    }
    if (start > std::uint64_t(end_at) || bytes > std::uint64_t(end_at) - start || count > bytes / 46)
      (message(file, end_at) << "a directory of " << count << " entries and " << bytes << " bytes at byte " << start
                             << " does not fit")
          .raise();
    std::string directory(std::size_t(bytes), '\0');
    source_.seek(index_t(start));
    source_.read(directory.data(), index_t(bytes), "the directory");
    std::size_t next = 0;
    std::uint64_t packed = 0;
    for (; count > 0; --count) {
      next = read_entry(directory, next, index_t(start));
      packed += entries_.back().packed < start ? entries_.back().packed : start + 1;
      if (packed > start)  // entries that share bytes could become far more than deflate makes of a file
        (message(file, index_t(start)) << "the entries have more bytes than stand before their directory").raise();
    }
  }
  std::size_t read_entry(std::string const& d, std::size_t at, index_t start) {
    auto const refuse = [&](char const* why) {
      (message(source_.name(), start + index_t(at))
       << "the directory's entry " << index_t(entries_.size()) << ' ' << why)
          .raise();
    };
    if (d.size() - at < 46 || number_in(&d[at], 4) != 0x02014b50) refuse("is none");
    char const* const p = &d[at];
    zip_entry e;
    auto const flags = number_in(p + 8, 2);
    e.method = int(number_in(p + 10, 2));
    e.crc = std::uint32_t(number_in(p + 16, 4));
    e.packed = number_in(p + 20, 4), e.size = number_in(p + 24, 4), e.header = number_in(p + 42, 4);
    std::size_t const name = number_in(p + 28, 2), extra = number_in(p + 30, 2), comment = number_in(p + 32, 2);
    if (d.size() - at - 46 < name + extra + comment) refuse("is cut off");
    e.name = d.substr(at + 46, name);
    char const *x = p + 46 + name, *const end = x + extra;
    while (end - x >= 4) {
      auto const id = number_in(x, 2), n = number_in(x + 2, 2);
      x += 4;
      if (n > std::uint64_t(end - x)) refuse("has an extra field that is cut off");
      char const* field = x;
      x += n;
      if (id != 1) continue;
      for (std::uint64_t* number : {&e.size, &e.packed, &e.header})
        if (*number == in_zip64 && x - field >= 8) *number = number_in(field, 8), field += 8;
    }
    if (flags & 1) refuse("is encrypted");
    if (e.method != 0 && e.method != 8) refuse("is neither stored nor deflated");
    if (e.method == 0 && e.packed != e.size) refuse("is stored, and has two sizes");
    if (!names_.emplace(e.name, entries_.size()).second) refuse("has the name of another one");
    entries_.push_back(static_cast<zip_entry&&>(e));
    return at + 46 + name + extra + comment;
  }

  source& source_;
  std::vector<zip_entry> entries_;
  places_by_name names_;
};

// The contents of a stored entry as a source, which knows their checksum.
class stored_source final : public source {
 public:
  stored_source(source& whole, index_t n) : source(whole.name(), n), whole_(whole) {}
  std::uint32_t crc() const { return crc_; }

 private:
  index_t pull(char* to, index_t n) override {
    index_t const got = whole_.read_some(to, n < left() ? n : left());
    crc_ = crc32(crc_, to, got);
    return got;
  }
  source& whole_;
  std::uint32_t crc_ = 0;
};

template <class = void>
class zip_writer {
 public:
  // Sizes and places from `limit` on are written as zip64 has them; a lower limit is for tests.
  explicit zip_writer(sink& s, std::uint64_t limit = in_zip64) : sink_(s), limit_(limit) {}

  // An entry whose contents are two parts, one behind the other.
  // io_error: its name is longer than a zip archive can say.
  void add(std::string name, std::string_view a, std::string_view b, bool compress) {
    if (name.size() > 65535)
      (message(sink_.name()) << "a name of " << index_t(name.size())
                             << " bytes, of which an entry of a zip archive has "
                             << "at most 65535: '" << name << '\'')
          .raise();
    zip_entry e;
    e.size = a.size() + b.size(), e.packed = e.size;
    e.crc = crc32(crc32(0, a.data(), index_t(a.size())), b.data(), index_t(b.size()));
    e.header = std::uint64_t(sink_.position());
    std::string packed;
    if (compress) {
      std::string both(a);
      both += b;
      packed = deflated(sink_.name(), both.data(), index_t(both.size()));
      e.method = 8, e.packed = packed.size();
    }
    e.name = static_cast<std::string&&>(name);
    sink_.write_number(0x04034b50, 4);
    start(e);
    bool const large = e.size >= limit_ || e.packed >= limit_;
    sizes(e, large);
    sink_.write_number(large ? 20 : 0, 2);
    sink_.write(e.name);
    if (large) {
      sink_.write_number(1, 2), sink_.write_number(16, 2);
      sink_.write_number(e.size, 8), sink_.write_number(e.packed, 8);
    }
    if (compress) {
      sink_.write(packed);
    } else {
      sink_.write(a);
      sink_.write(b);
    }
    entries_.push_back(static_cast<zip_entry&&>(e));
  }
  void finish() {
    auto const begin = std::uint64_t(sink_.position());
    for (zip_entry const& e : entries_) {
      bool const large = e.size >= limit_ || e.packed >= limit_ || e.header >= limit_;
      sink_.write_number(0x02014b50, 4);
      sink_.write_number(large ? 45 : 20, 2);  // the version that made it
      start(e);
      sizes(e, large);
      sink_.write_number(large ? 28 : 0, 2);
      sink_.write_zeros(2 + 2 + 2 + 4);  // comment, disk, attributes
      sink_.write_number(large ? in_zip64 : e.header, 4);
      sink_.write(e.name);
      if (!large) continue;
      sink_.write_number(1, 2), sink_.write_number(24, 2);
      for (std::uint64_t const n : {e.size, e.packed, e.header}) sink_.write_number(n, 8);
    }
    auto const end = std::uint64_t(sink_.position()), bytes = end - begin, count = std::uint64_t(entries_.size());
    bool const large = end >= limit_ || count >= 0xffff;
    if (large) {
      sink_.write_number(0x06064b50, 4), sink_.write_number(44, 8);
      sink_.write_number(45, 2), sink_.write_number(45, 2), sink_.write_zeros(8);
      for (std::uint64_t const n : {count, count, bytes, begin}) sink_.write_number(n, 8);
      sink_.write_number(0x07064b50, 4), sink_.write_zeros(4);
      sink_.write_number(end, 8), sink_.write_number(1, 4);
    }
    sink_.write_number(0x06054b50, 4), sink_.write_zeros(4);
    for (int k = 0; k < 2; ++k) sink_.write_number(large ? 0xffff : count, 2);
    sink_.write_number(large ? in_zip64 : bytes, 4), sink_.write_number(large ? in_zip64 : begin, 4);
    sink_.write_zeros(2);
  }

 private:
  // what both headers of an entry begin with
  void start(zip_entry const& e) {
    bool const large = e.size >= limit_ || e.packed >= limit_ || e.header >= limit_;
    sink_.write_number(large ? 45 : 20, 2);
    sink_.write_number(1 << 11, 2);  // names are UTF-8
    sink_.write_number(std::uint64_t(e.method), 2);
    sink_.write_number(0, 2), sink_.write_number(0x21, 2);  // 1 January 1980, the first day there is: files are equal
    sink_.write_number(e.crc, 4);
  }
  void sizes(zip_entry const& e, bool large) {
    sink_.write_number(large ? in_zip64 : e.packed, 4), sink_.write_number(large ? in_zip64 : e.size, 4);
    sink_.write_number(e.name.size(), 2);
  }

  sink& sink_;
  std::uint64_t limit_;
  std::vector<zip_entry> entries_;
};

}  // namespace RICCI_ABI
}  // namespace ricci::files
