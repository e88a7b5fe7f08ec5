// A reader under libFuzzer: whatever the bytes, it gives an array or an io_error. `READER` is a format's name. What is
// read is written and read again where the format can, and is the same. Not run in every change; see README.md.
#include <ricci/io.hpp>

#include <cstdlib>

namespace rc = ricci;

namespace {

void check(bool right) {
  if (!right) std::abort();
}
bool same(rc::any_tensor const& a, rc::any_tensor const& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), std::size_t(a.bytes())) == 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const format = READER;
  auto const bytes = std::as_bytes(std::span(data, size));
  try {
    if (format == "npz" || format == "safetensors") {
      auto const all = rc::io::load_all(bytes, {.format = format});
      std::string const again = rc::io::to_bytes(all, {.format = format});
      auto const back = rc::io::load_all(std::as_bytes(std::span(again)), {.format = format});
      check(all.size() == back.size());
      for (auto const& [name, a] : all) check(same(a, back.at(name)));
    } else if (format == "gguf") {
      (void)rc::io::load_all(bytes, {.format = format});
    } else if (format == "gzip") {
      std::string out;
      (void)rc::files::inflate_gzip(std::string_view(reinterpret_cast<char const*>(data), size), out, 1 << 20);
      check(out.size() <= 1 << 20);
      out.clear();
      (void)rc::files::inflater(std::string_view(reinterpret_cast<char const*>(data), size), out, 1 << 20).run();
    } else {
      rc::any_tensor const a = rc::io::load(bytes, {.format = format});
      std::string const again = rc::io::to_bytes(a, {.format = format});
      rc::any_tensor const b = rc::io::load(std::as_bytes(std::span(again)), {.format = format});
      // of a table without rows nothing says how many columns it had; two numbers that are none are not compared
      // and JPEG keeps no pixel as it is
      check(format == "csv" ? a.size() == b.size() : format == "jpeg" ? a.shape() == b.shape() : same(a, b));
    }
  } catch (rc::io_error const&) {
  }
  return 0;
}
