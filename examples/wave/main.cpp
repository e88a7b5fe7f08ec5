// Waves come from the left through two gaps in a wall, and meet behind it: u_tt = laplace(u) by leapfrog steps on a
// square grid. `wave [cells] [folder]` writes frame-0.png to frame-7.png.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <ricci/io.hpp>

namespace rc = ricci;

using field = rc::ndarray<float, 2>;

// The next field from this one and the one before. What reaches the rim is damped there; walls hold the water still.
void advance(field& u, field& before, field const& share, rc::ndarray<bool, 2> const& wall) {
  auto const inner = rc::range(1, -1), left = rc::range(0, -2), right = rc::range(2, u.shape(0));
  auto const laplace = u(left, inner) + u(right, inner) + u(inner, left) + u(inner, right) - 4 * u(inner, inner);
  before(inner, inner) = share(inner, inner) * (2 * u(inner, inner) - before(inner, inner) + 0.25 * laplace);
  before = rc::where(wall, 0, before);
  std::swap(u, before);
}

// Crests red, troughs blue, walls dark.
void write_frame(field const& u, rc::ndarray<bool, 2> const& wall, std::string const& name) {
  field const crest = rc::clip(u, 0, 1), trough = rc::clip(-u, 0, 1);
  auto const water = rc::stack(1 - trough, 1 - crest - trough, 1 - crest, rc::axis<2>);
  rc::io::save(name, rc::astype<std::uint8_t>(rc::where(wall(rc::all, rc::all, rc::newaxis), 40, 250 * water)));
}

int main(int argc, char** argv) {
  rc::index_t const n = argc > 1 ? std::atoi(argv[1]) : 300;
  if (n < 30 || n > 5000) return std::fprintf(stderr, "wave: 30 to 5000 cells\n"), 1;
  std::string const folder = argc > 2 ? argv[2] : ".";
  if (!std::filesystem::is_directory(folder)) return std::fprintf(stderr, "wave: no folder %s\n", folder.c_str()), 1;

  auto const from_rim = [n](auto k) { return rc::minimum(k, float(n - 1) - k); };
  auto const at = rc::arange<float>(n);
  auto const x = at(rc::newaxis, rc::all);
  auto const y = at(rc::all, rc::newaxis);
  field const damped = rc::exp(-rc::square(rc::relu(1 - rc::minimum(from_rim(x), from_rim(y)) / (0.1f * float(n)))));
  field const share = 0.7f + 0.3f * damped;
  auto const off_axis = rc::abs(y - 0.5f * float(n));
  rc::ndarray<bool, 2> const wall =
      (rc::abs(x - 0.4f * float(n)) < 2) & (rc::abs(off_axis - 0.12f * float(n)) > 0.025f * float(n));

  field u(n, n), before(n, n);
  for (rc::index_t step = 0, last = 3 * n; step <= last; ++step) {
    u(rc::all, n / 6) += 0.2f * float(std::sin(0.35 * double(step)));
    if (step % (last / 7) == 0) {
      auto const name = folder + "/frame-" + std::to_string(step / (last / 7)) + ".png";
      write_frame(u, wall, name);
      std::printf("%s: heights from %.3f to %.3f\n", name.c_str(), double(rc::min(u)), double(rc::max(u)));
    }
    advance(u, before, share, wall);
  }
}
