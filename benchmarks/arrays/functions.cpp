// Functions of one and two numbers: exponential, trigonometric and their like.
#include <algorithm>

#include "ricci.hpp"

namespace bench {

void functions() {
  auto& v = x();
  auto const &a = v.a, &b = v.b, &p = v.p, &u = v.u;
  auto const &d = v.d, &e = v.e;
  auto const& o = data();
  float const *const fa = o.a.data(), *const fb = o.b.data(), *const fp = o.p.data(), *const fu = o.u.data();
  double const *const dd = o.d.data(), *const de = o.e.data();
  auto const line = [](char const* name, auto type, auto r, char const* n, auto l) {
    contest(name, size, ricci(r), peers(numpy(n), loop_of<decltype(type)>(l)));
  };
  float const f = 0;
  double const w = 0;
  line(
      "exp", f, [&] { return rc::exp(a); }, "np.exp(a, out=o)", [=](long k) { return std::exp(fa[k]); });
  line(
      "expm1", f, [&] { return rc::expm1(a); }, "np.expm1(a, out=o)", [=](long k) { return std::expm1(fa[k]); });
  line(
      "log", f, [&] { return rc::log(p); }, "np.log(p, out=o)", [=](long k) { return std::log(fp[k]); });
  line(
      "log1p", f, [&] { return rc::log1p(p); }, "np.log1p(p, out=o)", [=](long k) { return std::log1p(fp[k]); });
  line(
      "log2", f, [&] { return rc::log2(p); }, "np.log2(p, out=o)", [=](long k) { return std::log2(fp[k]); });
  line(
      "log10", f, [&] { return rc::log10(p); }, "np.log10(p, out=o)", [=](long k) { return std::log10(fp[k]); });
  line(
      "sin", f, [&] { return rc::sin(a); }, "np.sin(a, out=o)", [=](long k) { return std::sin(fa[k]); });
  line(
      "cos", f, [&] { return rc::cos(a); }, "np.cos(a, out=o)", [=](long k) { return std::cos(fa[k]); });
  line(
      "tan", f, [&] { return rc::tan(u); }, "np.tan(u, out=o)", [=](long k) { return std::tan(fu[k]); });
  line(
      "asin", f, [&] { return rc::asin(u); }, "np.arcsin(u, out=o)", [=](long k) { return std::asin(fu[k]); });
  line(
      "acos", f, [&] { return rc::acos(u); }, "np.arccos(u, out=o)", [=](long k) { return std::acos(fu[k]); });
  line(
      "atan", f, [&] { return rc::atan(a); }, "np.arctan(a, out=o)", [=](long k) { return std::atan(fa[k]); });
  line(
      "sinh", f, [&] { return rc::sinh(a); }, "np.sinh(a, out=o)", [=](long k) { return std::sinh(fa[k]); });
  line(
      "cosh", f, [&] { return rc::cosh(a); }, "np.cosh(a, out=o)", [=](long k) { return std::cosh(fa[k]); });
  line(
      "tanh", f, [&] { return rc::tanh(a); }, "np.tanh(a, out=o)", [=](long k) { return std::tanh(fa[k]); });
  line(
      "asinh", f, [&] { return rc::asinh(a); }, "np.arcsinh(a, out=o)", [=](long k) { return std::asinh(fa[k]); });
  line(
      "acosh", f, [&] { return rc::acosh(p + 1.f); }, "np.arccosh(p + 1)",
      [=](long k) { return std::acosh(fp[k] + 1); });
  line(
      "atanh", f, [&] { return rc::atanh(u); }, "np.arctanh(u, out=o)", [=](long k) { return std::atanh(fu[k]); });
  line(
      "atan2", f, [&] { return rc::atan2(a, b); }, "np.arctan2(a, b, out=o)",
      [=](long k) { return std::atan2(fa[k], fb[k]); });
  line(
      "pow", f, [&] { return rc::pow(p, a); }, "np.power(p, a, out=o)", [=](long k) { return std::pow(fp[k], fa[k]); });
  line(
      "pow(p, 1.5)", f, [&] { return rc::pow(p, 1.5f); }, "np.power(p, np.float32(1.5), out=o)",
      [=](long k) { return std::pow(fp[k], 1.5f); });
  line(
      "logaddexp", f, [&] { return rc::logaddexp(a, b); }, "np.logaddexp(a, b, out=o)",
      [=](long k) { return std::max(fa[k], fb[k]) + std::log1p(std::exp(-std::abs(fa[k] - fb[k]))); });
  line(
      "sigmoid", f, [&] { return rc::sigmoid(a); }, "1 / (1 + np.exp(-a))",
      [=](long k) { return 1 / (1 + std::exp(-fa[k])); });
  line(
      "erf", f, [&] { return rc::erf(a); }, "", [=](long k) { return std::erf(fa[k]); });
  line(
      "exp, float64", w, [&] { return rc::exp(d); }, "np.exp(d, out=D)", [=](long k) { return std::exp(dd[k]); });
  line(
      "log, float64", w, [&] { return rc::log(e); }, "np.log(e, out=D)", [=](long k) { return std::log(de[k]); });
  line(
      "sin, float64", w, [&] { return rc::sin(d); }, "np.sin(d, out=D)", [=](long k) { return std::sin(dd[k]); });
  line(
      "tanh, float64", w, [&] { return rc::tanh(d); }, "np.tanh(d, out=D)", [=](long k) { return std::tanh(dd[k]); });
  line(
      "pow, float64", w, [&] { return rc::pow(e, d); }, "np.power(e, d, out=D)",
      [=](long k) { return std::pow(de[k], dd[k]); });
}

}  // namespace bench
