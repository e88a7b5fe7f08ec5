// Compiled once for every PART. It uses as much of the library as possible, since every function of it that two files
// share would be one function in the program.
#include "part.hpp"

#include <sstream>
#include <vector>

namespace {

float statements(fixed_t& f, loose_t& l) {
  f = rc::exp(-f) * f + 2.f * rc::tanh(f) - f / 3.f;
  l = rc::log1p(rc::exp(l)) + rc::sin(l) * rc::cos(l) - rc::erf(l) + rc::pow(rc::abs(l) + 1.f, 0.3f);
  l += 0.25f * l;
  f(rc::all, rc::range<0, 2>()) = 0.5f;
  l(rc::range(1, l.shape(0)), rc::all) = l(rc::range(0, l.shape(0) - 1), rc::all);
  l(l > 3.f) = 3.f;
  l = rc::where(l < 0.1f, l * l, l);
  rc::tensor<float> total =
      rc::sum(l) + rc::max(f) + rc::prod(rc::mean(f, rc::axis<0>)) + rc::sum(rc::sum(l, rc::axis<0>));
  rc::ndarray<float, 2> const turned = l.T();
  rc::ndarray<float, 2> const product = rc::matmul(turned, l), joined = rc::concat(product, product);
  rc::tensor<float, 5, 5> const small = rc::matmul(f.T(), f);
  rc::tensor<std::int64_t, 2> const rows{1, 0};
  auto const taken = rc::eval(rc::take(joined, rows, rc::axis<0>));
  auto const mask = rc::eval(l > 0.5f);
  auto const chosen = rc::eval(l(mask));
  auto const [greatest, places] = rc::top_k(l, 2);
  auto const ordered = rc::eval(rc::sort(l) + rc::partition(l, 1) + rc::cumulative_sum(l) + greatest(0, 0));
  return total.item() + small(1, 2) + taken(0, 0) + joined.at(1, 1) +
         float(rc::sum(rc::astype<float>(rc::argmax(l, rc::axis<1>)))) + float(rc::sum(chosen)) +
         float(rc::sum(ordered)) + float(rc::sum(rc::argsort(l) + places(0, 0))) + float(rc::sum(l, 0)(0)) +
         float(rc::sum(rc::linspace<float>(0, 1, 7) + rc::arange<float>(7)));
}

float functions(fixed_t const& f, loose_t const& l) {
  params<> p;
  p.w = 0.1f * rc::ones<float>(rc::extents<5, 4>{});
  for (int k = 0; k < 3; ++k) rc::tree_map([](auto& w, auto const& g) { w -= 0.1f * g; }, p, rc::grad(loss)(p, f));
  auto const [value, gradient] = rc::value_and_grad(loss)(p, l);
  auto const [same, moved] = rc::jvp([](auto x) { return rc::sum(rc::tanh(x)); })(l)(rc::ones_like(l));
  auto const [again, pull] = rc::vjp([](auto x) { return rc::exp(x) * x; })(l);
  auto const [back] = pull(rc::ones_like(l));
  auto const slow = rc::interpret([](auto x) { return rc::sum(rc::matmul(rc::matrix_transpose(x), x)); })(l);
  auto const each = rc::vmap([](auto x) { return rc::sum(rc::exp(-x)); })(l);
  auto const one_by_one = rc::interpret(rc::vmap([](auto x) { return rc::sum(x * x); }))(l);
  rc::tensor<float, rc::dim<"rows">, 5> const named(l.shape(0), 5);
  auto const threaded = rc::eval(rc::exp(rc::ones<float>(rc::shape(300, 400))), rc::cpu{.threads = 2});
  return value.item() + gradient.b(1) + same.item() + moved.item() + float(rc::sum(again + back)) +
         float(rc::sum(each + one_by_one)) + float(rc::count(net, p, l).workspace) * 0.f + slow.item() +
         float(rc::sum(named)) + float(rc::mean(threaded)) +
         float(rc::sum(rc::asarray<float>(std::vector<int>{1, 2, 3})));
}

std::string text(fixed_t const& f, loose_t const& l) {
  std::ostringstream out;
  out << f << l;
#if defined(__cpp_exceptions)
  try {
    rc::eval(rc::matmul(l, l) + l.at(99, 0));
  } catch (rc::error const& e) {
    out << e.what();
  }
#endif
  return out.str();
}

}  // namespace

namespace PART {
results compute(fixed_t const& a, loose_t const& b) {
  results r{a, b, {}};
  float const x = statements(r.fixed, r.loose), y = functions(r.fixed, r.loose);
  r.number = x + y + (text(r.fixed, r.loose).empty() ? 1000.f : 0.f);
  return r;
}
}  // namespace PART
