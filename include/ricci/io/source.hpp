// Where readers read: a file, bytes in memory, or a stream. Sizes that a file claims are compared with what is left of
// it before memory for them is had; of a stream, whose size nobody knows, memory grows as bytes arrive.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <span>

#include <ricci/io/error.hpp>

#if __has_include(<unistd.h>) && __has_include(<sys/mman.h>)
#define RICCI_IO_POSIX 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#define RICCI_IO_POSIX 0
#endif

namespace ricci::files {
inline namespace RICCI_ABI {

// bytes in memory
using byte_span = std::span<std::byte const>;
inline byte_span bytes_of(std::string_view s) { return {reinterpret_cast<std::byte const*>(s.data()), s.size()}; }

class source {
 public:
  static constexpr index_t unknown = -1;

  source(source const&) = delete;
  source& operator=(source const&) = delete;
  virtual ~source() = default;

  // how messages call it
  std::string const& name() const { return name_; }
  // the number of bytes; `unknown` for a stream
  index_t size() const { return size_; }
  index_t position() const { return position_; }
  // how many bytes are left; `unknown` for a stream
  index_t left() const { return size_ == unknown ? unknown : size_ - position_; }
  // Goes to a place; only forwards in a stream.
  void seek(index_t position) { position_ = position; }

  // Up to n of the next bytes; fewer where the source ends.
  index_t read_some(void* to, index_t n) {
    index_t all = 0;
    while (all < n) {
      index_t const got = pull(static_cast<char*>(to) + all, n - all);
      if (got <= 0) break;
      all += got, position_ += got;
    }
    return all;
  }
  // n bytes; an error that says what they are where the source ends before.
  void read(void* to, index_t n, char const* what) {
    index_t const start = position_;
    if (index_t const got = read_some(to, n); got != n)
      (message(name_, start) << "it ends after " << got << " of the " << n << " bytes of " << what).raise();
  }
  // Whether n more bytes can be there: an error where they cannot.
  RICCI_COLD void expect(index_t n, char const* what) const {
    if (size_ != unknown && n > left())
      (message(name_, position_) << n << " bytes of " << what << " should follow, and " << left() << " do").raise();
  }
  // The next n bytes in new memory.
  RICCI_COLD core::shared_buffer read_new(index_t n, char const* what) {
    expect(n, what);
    constexpr index_t most_at_once = index_t(1) << 24;
    index_t have = size_ != unknown || n < most_at_once ? n : most_at_once, got = 0;
    core::shared_buffer memory(have);
    while (true) {
      read(memory.data() + got, have - got, what);
      got = have;
      if (got == n) return memory;
      have = n - have < have ? n : 2 * have;
      core::shared_buffer larger(have);
      __builtin_memcpy(larger.data(), memory.data(), std::size_t(got));
      memory = static_cast<core::shared_buffer&&>(larger);
    }
  }
  // All that is left, where it lies or in `store`.
  RICCI_COLD std::string_view read_all(core::shared_buffer& store) {
    if (char const* const there = first_byte()) {
      std::string_view const all(there + position_, std::size_t(left()));
      position_ = size_;
      return all;
    }
    index_t got = 0;
    if (size_ != unknown) {
      got = left();
      store = read_new(got, "its contents");
    } else {
      store = core::shared_buffer(1 << 16);
      while (true) {
        got += read_some(store.data() + got, store.bytes() - got);
        if (got < store.bytes()) break;
        core::shared_buffer larger(2 * got);
        __builtin_memcpy(larger.data(), store.data(), std::size_t(got));
        store = static_cast<core::shared_buffer&&>(larger);
      }
    }
    return {store.data(), std::size_t(got)};
  }

 protected:
  source(std::string name, index_t size) : name_(static_cast<std::string&&>(name)), size_(size) {}
  // Up to n bytes at position(); 0 where there are none.
  virtual index_t pull(char* to, index_t n) = 0;
  // the first byte of what lies in memory
  virtual char const* first_byte() const { return nullptr; }

  std::string name_;
  index_t size_, position_ = 0;
};

class memory_source final : public source {
 public:
  explicit memory_source(byte_span b, std::string name = "bytes")
      : source(static_cast<std::string&&>(name), index_t(b.size())), first_(reinterpret_cast<char const*>(b.data())) {}

 private:
  index_t pull(char* to, index_t n) override {
    index_t const m = left() < n ? left() : n;
    if (m <= 0) return 0;
    __builtin_memcpy(to, first_ + position_, std::size_t(m));
    return m;
  }
  char const* first_byte() const override { return first_; }
  char const* first_;
};

// A std::istream, or what has read(to, n) and gcount() like one. It is left behind the last byte that was asked for.
template <class Stream>
class stream_source final : public source {
 public:
  explicit stream_source(Stream& s) : source("stream", unknown), stream_(s) {}

 private:
  index_t pull(char* to, index_t n) override {
    stream_.read(to, n);
    return index_t(stream_.gcount());
  }
  Stream& stream_;
};

#if RICCI_IO_POSIX

class file_source final : public source {
 public:
  RICCI_COLD explicit file_source(std::string path) : source(static_cast<std::string&&>(path), unknown) {
    do file_ = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
    while (file_ < 0 && errno == EINTR);
    if (file_ < 0) raise_of_system(name_, "cannot be opened", errno);
    struct stat s {};
    if (::fstat(file_, &s) != 0) fail("cannot be examined");
    if (S_ISDIR(s.st_mode)) close(), raise_of_system(name_, "cannot be read", EISDIR);
    if (S_ISREG(s.st_mode)) size_ = index_t(s.st_size);  // of a pipe nobody knows it
  }
  ~file_source() override { close(); }
  int descriptor() const { return file_; }

 private:
  index_t pull(char* to, index_t n) override {
    constexpr index_t most = index_t(1) << 30;  // systems read no more at once
    while (true) {
      std::size_t const m = std::size_t(n < most ? n : most);
      auto const got = size_ != unknown ? ::pread(file_, to, m, off_t(position_)) : ::read(file_, to, m);
      if (got >= 0) return index_t(got);
      if (errno != EINTR) fail("cannot be read");
    }
  }
  RICCI_COLD [[noreturn]] void fail(char const* what) {
    int const code = errno;
    close();  // here, too: without exceptions no destructor may run
    raise_of_system(name_, what, code);
  }
  void close() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
  }
  int file_ = -1;
};

#else

class file_source final : public source {
 public:
  explicit file_source(std::string path) : source(static_cast<std::string&&>(path), unknown) {
    file_ = std::fopen(name_.c_str(), "rb");
    if (!file_) raise_of_system(name_, "cannot be opened", errno);
    if (std::fseek(file_, 0, SEEK_END) == 0) size_ = index_t(std::ftell(file_));
  }
  ~file_source() override { std::fclose(file_); }

 private:
  index_t pull(char* to, index_t n) override {
    if (std::fseek(file_, long(position_), SEEK_SET) != 0) return 0;
    return index_t(std::fread(to, 1, std::size_t(n), file_));
  }
  std::FILE* file_;
};

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::files
