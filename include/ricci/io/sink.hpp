// Where writers write: a file, a stream or a string. A file is replaced as a whole: what is written goes to a new one
// beside it, which takes its name when all of it lies on the disk. Whatever fails before leaves the old file.
#pragma once

#include <ricci/io/source.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

class sink {
 public:
  sink(sink const&) = delete;
  sink& operator=(sink const&) = delete;
  virtual ~sink() = default;

  std::string const& name() const { return name_; }
  // how many bytes have been written
  index_t position() const { return position_; }
  void write(void const* from, index_t n) {
    if (n > 0) push(static_cast<char const*>(from), n);
    position_ += n;
  }
  void write(std::string_view s) { write(s.data(), index_t(s.size())); }
  void write_zeros(index_t n) {
    char const zeros[64]{};
    for (; n > 0; n -= 64) write(zeros, n < 64 ? n : 64);
  }
  // an unsigned integer of that many bytes, the lowest first
  void write_number(std::uint64_t x, int size) {
    char b[8];
    for (int k = 0; k < size; ++k) b[k] = static_cast<char>(x >> 8 * k & 0xff);
    write(b, size);
  }
  // Called when all is written: from here on it is there.
  virtual void commit() = 0;

 protected:
  explicit sink(std::string name) : name_(static_cast<std::string&&>(name)) {}
  virtual void push(char const* from, index_t n) = 0;

  std::string name_;
  index_t position_ = 0;
};

class string_sink final : public sink {
 public:
  explicit string_sink(std::string& to) : sink("string"), to_(to) {}
  void commit() override {}

 private:
  void push(char const* from, index_t n) override { to_.append(from, std::size_t(n)); }
  std::string& to_;
};

// A std::ostream, or what has write(from, n) like one.
template <class Stream>
class stream_sink final : public sink {
 public:
  explicit stream_sink(Stream& s) : sink("stream"), stream_(s) {}
  void commit() override {
    stream_.flush();
    check();
  }

 private:
  void push(char const* from, index_t n) override {
    stream_.write(from, n);
    check();
  }
  void check() {
    if (!stream_) (message(name_, position_) << "cannot be written").raise();
  }
  Stream& stream_;
};

#if RICCI_IO_POSIX

class file_sink final : public sink {
 public:
  RICCI_COLD explicit file_sink(std::string path) : sink(static_cast<std::string&&>(path)), target_(name_) {
    buffer_.reserve(most_held);  // before there is a file that a failure would leave
    struct stat s {};
    bool const exists = ::stat(name_.c_str(), &s) == 0;
    if (exists && !S_ISREG(s.st_mode)) {  // a device or a pipe, which is no file to replace
      file_ = ::open(name_.c_str(), O_WRONLY | O_CLOEXEC);
      if (file_ < 0) raise_of_system(name_, "cannot be opened for writing", errno);
      return;
    }
    if (exists && ::faccessat(AT_FDCWD, name_.c_str(), W_OK, AT_EACCESS) != 0)
      raise_of_system(name_, "cannot be written", errno);
    follow_links();
    for (int attempt = 0; file_ < 0; ++attempt) {
      beside_ = target_;
      beside_ += (core::text() << '.' << index_t(::getpid()) << '-' << attempt << ".tmp").c_str();
      file_ = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file_ >= 0 || errno == EINTR) continue;
      if (errno != EEXIST || attempt > 1000) {
        int const code = errno;
        beside_.clear();
        raise_of_system(name_, "no file can be made in its folder", code);
      }
    }
    if (exists) (void)!::fchmod(file_, s.st_mode & 07777);
  }
  ~file_sink() override { discard(); }

  RICCI_COLD void commit() override {
    flush();
    if (beside_.empty()) return close_and_check();
    if (::fsync(file_) != 0) fail("cannot be brought to the disk");
    close_and_check();
    auto const slash = target_.rfind('/');
    std::string const folder = slash == std::string::npos ? "." : target_.substr(0, slash + 1);
    if (::rename(beside_.c_str(), target_.c_str()) != 0) fail("cannot be replaced");
    beside_.clear();
    // so that the new name outlives a power cut
    int const f = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (f >= 0) ::fsync(f), ::close(f);
  }

 private:
  static constexpr std::size_t most_held = 1 << 16;

  // Of a link the target is what it leads to, which need not be there yet.
  RICCI_COLD void follow_links() {
    constexpr std::size_t longest = 4096;
    std::string to(longest, '\0');
    for (int links = 0;; ++links) {
      auto const n = ::readlink(target_.c_str(), to.data(), longest);
      if (n < 0) return;  // no link, or nothing
      if (links == 40 || std::size_t(n) == longest) raise_of_system(name_, "cannot be written", ELOOP);
      auto const slash = target_.rfind('/');
      target_.resize(to[0] == '/' || slash == std::string::npos ? 0 : slash + 1);
      target_.append(to, 0, std::size_t(n));
    }
  }
  void push(char const* from, index_t n) override {
    if (buffer_.size() + std::size_t(n) <= most_held) {
      buffer_.append(from, std::size_t(n));
    } else {
      flush();
      put(from, n);
    }
  }
  RICCI_COLD void flush() {
    put(buffer_.data(), index_t(buffer_.size()));
    buffer_.clear();
  }
  RICCI_COLD void put(char const* from, index_t n) {
    constexpr index_t most = index_t(1) << 30;
    while (n > 0) {
      auto const done = ::write(file_, from, std::size_t(n < most ? n : most));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail("cannot be written");
      from += done, n -= done;
    }
  }
  RICCI_COLD void close_and_check() {
    int const f = file_;
    file_ = -1;
    if (::close(f) != 0 && errno != EINTR) fail("cannot be written");
  }
  RICCI_COLD [[noreturn]] void fail(char const* what) {
    int const code = errno;
    discard();
    raise_of_system(name_, what, code);
  }
  RICCI_COLD void discard() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
    if (!beside_.empty()) ::unlink(beside_.c_str());
    beside_.clear();
  }

  std::string target_, beside_, buffer_;
  int file_ = -1;
};

#else

class file_sink final : public sink {
 public:
  explicit file_sink(std::string path) : sink(static_cast<std::string&&>(path)), beside_(name_ + ".tmp") {
    file_ = std::fopen(beside_.c_str(), "wb");
    if (!file_) raise_of_system(name_, "no file can be made in its folder", errno);
  }
  ~file_sink() override {
    if (file_) std::fclose(file_), std::remove(beside_.c_str());
  }
  void commit() override {
    bool const written = std::fclose(file_) == 0;
    file_ = nullptr;
    bool is_there = written && std::rename(beside_.c_str(), name_.c_str()) == 0;
    if (written && !is_there) {  // where rename replaces no file
      std::remove(name_.c_str());
      is_there = std::rename(beside_.c_str(), name_.c_str()) == 0;
    }
    int const code = errno;
    if (!written) std::remove(beside_.c_str());
    if (!is_there) raise_of_system(name_, "cannot be written", code);
  }

 private:
  void push(char const* from, index_t n) override {
    if (std::fwrite(from, 1, std::size_t(n), file_) != std::size_t(n))
      raise_of_system(name_, "cannot be written", errno);
  }
  std::string beside_;
  std::FILE* file_;
};

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::files
