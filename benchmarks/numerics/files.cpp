// Files beside what the system and the standard library do: npy beside read(2), CSV beside std::from_chars without rows
// and columns, deflate beside zlib where it is linked. `bench_files [folder]`; it writes files of 100 MB there.
#include <ricci/io.hpp>

#include <cstdio>
#include <random>

#include "../core/timing.hpp"

namespace rc = ricci;

namespace {

void line(char const* what, double megabytes, double ours, double theirs, char const* peer, double goal) {
  std::printf("%-52s %8.0f MB/s %8.2f of %s%s\n", what, megabytes / ours, theirs / ours, peer,
              theirs / ours >= goal - bench::tolerance ? "" : "   short");
}

#if RICCI_IO_POSIX
void npy(std::string const& path) {
  constexpr rc::index_t n = 12500000;
  rc::ndarray<double, 1> a = rc::arange<double>(0, n);
  rc::io::save(path, a);
  auto const read_into = [&](char* to) {
    int const f = ::open(path.c_str(), O_RDONLY);
    for (ssize_t got = 1; got > 0; to += got) got = ::read(f, to, 8 * n + 4096);
    ::close(f);
  };
  std::string warm(8 * n + 4096, 'x');
  auto const fresh = [&] {
    auto* const p = static_cast<char*>(std::malloc(8 * n + 4096));
    read_into(p);
    std::free(p);
  };
  double sum = 0;
  auto const t = bench::race([&] { rc::io::load(path, a, {.in_place = true}); }, [&] { read_into(warm.data()); },
                             [&] { bench::touch(rc::io::load<rc::ndarray<double, 1>>(path).data()); }, fresh,
                             [&] { sum += double(rc::sum(rc::io::map<rc::ndarray<double, 1>>(path))); },
                             [&] {
                               read_into(warm.data());
                               sum += double(rc::sum(a));
                             });
  bench::touch(&sum);
  line("npy, 100 MB, in place", 100, t[0], t[1], "read(2) into memory that is there", .85);
  line("npy, 100 MB, a new tensor", 100, t[2], t[3], "read(2) into new memory", .85);
  line("npy, 100 MB, mapped and summed", 100, t[4], t[5], "read(2) and the sum", .85);
}
#endif

template <class F>
void csv(char const* what, F make) {
  rc::ndarray<double, 2> table(100000, 8);
  for (double& x : table) x = make();
  std::string const text = rc::io::to_bytes(table, {.format = "csv"});
  auto const bytes = std::as_bytes(std::span(text));
  double sum = 0;
  auto const t =
      bench::race([&] { bench::touch(rc::io::load<rc::ndarray<double, 2>>(bytes, {.format = "csv"}).data()); },
                  [&] {
                    char const* const end = text.data() + text.size();
                    for (char const* p = text.data(); p < end; ++p) {
                      double x = 0;
                      p = std::from_chars(p, end, x).ptr;
                      sum += x;
                    }
                  });
  bench::touch(&sum);
  line(what, double(text.size()) * 1e-6, t[0], t[1], "std::from_chars", .85);
}

#if RICCI_IO_ZLIB
void inflate() {
  std::mt19937_64 random(1);
  std::string raw;
  while (raw.size() < 4000000) raw += "abcdefgh"[random() % 8];
  std::string const packed = rc::files::deflated("", raw.data(), rc::index_t(raw.size()));
  std::string out, theirs(raw.size(), 0);
  auto const t = bench::race(
      [&] {
        out.clear();
        bench::touch(rc::files::inflater(packed, out, rc::index_t(raw.size())).run());
      },
      [&] {
        z_stream z{};
        inflateInit2(&z, -15);
        z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        z.avail_in = static_cast<uInt>(packed.size());
        z.next_out = reinterpret_cast<Bytef*>(theirs.data());
        z.avail_out = static_cast<uInt>(theirs.size());
        ::inflate(&z, Z_FINISH);
        inflateEnd(&z);
      });
  line("inflate, 4 MB of eight letters", 4, t[0], t[1], "zlib", .85);
}
#endif

}  // namespace

int main(int argc, char** argv) {
  std::string const folder = argc > 1 ? argv[1] : ".";
#if RICCI_IO_POSIX
  npy(folder + "/bench_files.npy");
  std::remove((folder + "/bench_files.npy").c_str());
#endif
  std::mt19937_64 random(1);
  csv("csv, 17 digits", [&] { return std::uniform_real_distribution<double>(0, 1)(random); });
  csv("csv, 4 to 6 digits", [&] { return double(random() % 1000000) / 1000; });
  csv("csv, integers below 1e5", [&] { return double(random() % 100000); });
#if RICCI_IO_ZLIB
  inflate();
#endif
}
