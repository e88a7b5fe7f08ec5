// A peer for gradients, where it is found: ADOL-C, which records a tape of single operations. It is recorded once, and
// each call computes value and gradient from it.
//
//   taped peer({x, x + n}, [](auto const* x) { return x[0] * x[1]; });
//   peer();   // peer.g has the gradient
#pragma once

#include <vector>

#include "table.hpp"

#if BENCH_ADOLC
#include <adolc/adouble.h>
#include <adolc/drivers/drivers.h>
#include <adolc/taping.h>
#endif

namespace bench {

#if BENCH_ADOLC
class taped {
 public:
  std::vector<double> x, g;

  template <class F>
  taped(std::vector<double> at, F const& f) : x(at), g(at.size()) {
    static short tapes = 0;
    tag_ = ++tapes;
    // sizes of buffers: what they do not hold goes to files
    trace_on(tag_, 0, 1u << 24, 1u << 26, 1u << 24, 1u << 25);
    std::vector<adouble> a(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) a[k] <<= x[k];
    adouble y = f(static_cast<adouble const*>(a.data()));
    double value;
    y >>= value;
    trace_off();
  }
  void operator()() {
    ::gradient(tag_, int(x.size()), x.data(), g.data());
    touch(g.data());
  }
  double time(double seconds) const { return seconds; }
  double error(double const* hand) const { return difference(g.data(), hand, long(g.size())); }

 private:
  short tag_;
};
#else
struct taped {
  template <class F>
  taped(std::vector<double> const&, F const&) {}
  void operator()() {}
  double time(double) const { return absent; }
  double error(double const*) const { return 0; }
};
#endif

}  // namespace bench
