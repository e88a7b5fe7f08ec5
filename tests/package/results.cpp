// A program that is compiled against the headers, the amalgamated header and the module, and has to print the same each
// time: numbers in all their digits. With IMPORT_RICCI it is given no header of ricci at all.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <tuple>

#ifdef IMPORT_RICCI
import ricci;
#else
#include <ricci/ricci.hpp>
#endif

namespace rc = ricci;

template <class Kind = rc::values>
struct params {
  rc::field<Kind, float, 3, 2> w;
  rc::field<Kind, float, 2> b;
};

// an operation of the program's own
struct softplus_t : rc::elementwise<softplus_t, 1> {
  static constexpr auto name = "softplus";
  static constexpr rc::interval domain{-30, 30};
  static constexpr double ulp = 4;
  static constexpr auto kernel(auto x) {
    using std::exp, std::log1p;
    return log1p(exp(x));
  }
  static constexpr auto partials(auto, auto x) { return rc::sigmoid(x); }
};
inline constexpr softplus_t softplus{};

template <class T, rc::index_t... E>
rc::index_t count_of(rc::tensor<T, E...> const& x) {
  return x.size();
}

void statements() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
  rc::ndarray<float, 2> m = rc::full<float>(rc::shape(3, 4), 0.1f);
  m(rc::all, rc::range(0, 4, 2)) = rc::arange<float>(3)(rc::all, rc::newaxis);
  m(rc::ellipsis, -1) *= -m(0, 1) + 2.f;
  rc::tensor<float, rc::dim<"batch">, 3> c(4, 3);
  c = rc::exp(-a(0) / 3.f) + rc::linspace<float>(0, 1, 4)(rc::all, rc::newaxis);
  std::cout << rc::eval(rc::matmul(a, m)) << "\n" << m.T() << "\n" << c << "\n";
  std::cout << rc::eval(rc::sum(a * a, rc::axis<1>)) << " " << rc::mean(c, rc::axis<0>, rc::keepdims) << " "
            << rc::max(c) << "\n";
  std::cout << rc::where((a > 2.f) & (a != 5.f), a, 0.f) << " " << (a + 1 >= 3) << " " << rc::argmax(a, rc::axis<0>)
            << "\n";
  rc::tensor<rc::index_t, 2> rows{2, 0};
  std::cout << m(rows) << "\n" << rc::take(m, rows, rc::axis<0>) << "\n" << rc::concat(a, a * 2.f) << "\n";
  std::cout << rc::eval(softplus(a)) << " " << count_of(a) << " " << 2.f / a - -a << "\n";
  rc::ndarray<double, 1> many = rc::arange<double>(0, 40000, rc::cpu{.threads = 2});
  many = rc::sqrt(many) * 0.5 + rc::sin(many);
  std::cout << rc::sum(many) << "\n";
}

void gradients() {
  params<> p{{{.1f, .2f}, {-.3f, .4f}, {.5f, -.6f}}, {.1f, -.1f}};
  rc::tensor<float, 4, 3> x{{1, 2, 3}, {4, 5, 6}, {-1, -2, -3}, {.5f, .25f, .125f}};
  auto loss = [](auto const& p, auto const& x) {
    return rc::mean(rc::square(rc::tanh(rc::matmul(x, p.w) + p.b)) + softplus(rc::sum(x, rc::axis<1>, rc::keepdims)));
  };
  for (int step = 0; step < 3; ++step) {
    auto [value, g] = rc::value_and_grad(loss)(p, x);
    std::cout << value << " " << g.w << " " << g.b << "\n";
    rc::tree_map([](auto& w, auto const& d) { w -= 0.5f * d; }, p, g);
  }
  auto cube = [](auto x) { return rc::sum(x * x * x); };
  rc::tensor<double, 3> v{1, 2, 3};
  auto [q, pull] = rc::vjp(cube)(v);
  auto [y, t] = rc::jvp(rc::grad(cube))(v)(v);
  auto second =
      rc::grad([](auto x) { return rc::sum(rc::grad([](auto x) { return rc::sum(rc::exp(x) * x); })(x)); })(v);
  std::cout << q << " " << std::get<0>(pull(2.)) << " " << y << " " << t << " " << second << " "
            << rc::interpret(rc::grad(cube))(v) << "\n";
  rc::tensor<double, 2, 3> rows{{1, 2, 3}, {4, 5, 6}};
  std::cout << rc::vmap(rc::grad(cube))(rows) << " " << rc::count(rc::grad(cube), v).operations << "\n";
  std::cout << rc::explain(rc::grad(cube), v) << "\n";
  std::cout << rc::eval(rc::derivative<"v">(rc::sum(rc::exp(rc::wrt<"v">(v))))) << "\n";
}

void errors() {
  try {
    rc::ndarray<float, 2> a = rc::ones<float>(rc::shape(2, 3)), b = rc::ones<float>(rc::shape(8, 4));
    a = rc::matmul(a, b);
  } catch (rc::shape_error const& e) {
    std::cout << e.what() << "\n";
  }
}

int main() {
  std::cout << std::hexfloat;
  statements();
  gradients();
  errors();
}
