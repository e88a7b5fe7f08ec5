// Plans: how many kernels a graph becomes, what they share, where stored values lie, and what may be written in place.
// With static shapes all of it is known to the compiler, so it is said by static_assert.
#include <string_view>

#include <doctest/doctest.h>

#include <cmath>
#include <string_view>

#include "../numbers.hpp"

namespace rc = ricci;
namespace plan = rc::plan;

// operands of statements whose types alone are looked at
namespace operands {
rc::tensor<double, 100>& v();
rc::tensor<double, 100, 100>& m();
}  // namespace operands
using namespace operands;

namespace {

using plan::step_kind;

template <class F, class... A>
using of_value = rc::tracing::usual_program<rc::tracing::call_itself, F, A...>;
template <class F, class... A>
using of_gradient = rc::tracing::usual_program<rc::tracing::gradient<true, 0>, F, A...>;

using vector = rc::tensor<double, 100>;
using matrix = rc::tensor<double, 10, 100>;
using weights = rc::tensor<double, 100, 100>;

constexpr bool is_one(auto const& p, step_kind kind) {
  return p.step_count == 1 && p.kernels[p.steps[0].kernel].kind == kind && p.workspace == 0;
}

// ---- fusion ----

// an elementwise chain and its sum are one kernel, and so are its value and gradient
constexpr auto chain = [](auto x, auto y) { return rc::sum(rc::exp(-x * x) * rc::tanh(y) + 1.); };
static_assert(is_one(of_value<decltype(chain), vector, vector>::plan, step_kind::reduce));
static_assert(is_one(of_gradient<decltype(chain), vector, vector>::plan, step_kind::reduce));

constexpr auto elementwise = [](auto x, auto y) { return rc::exp(-x * x) * rc::tanh(y) + x(0) * x; };
static_assert(is_one(of_value<decltype(elementwise), vector, vector>::plan, step_kind::map));

// all pieces of a gradient are written once, by one kernel
constexpr auto pieces = [](auto x) { return x(0) * rc::exp(x(7)) + x(99) * x(50) * x(1); };
static_assert(of_gradient<decltype(pieces), vector>::plan.step_count <= 8);
constexpr auto all_pieces = [](auto x) { return x(0) * rc::exp(x(1)) + x(2) * x(1); };
static_assert(of_gradient<decltype(all_pieces), rc::tensor<double, 3>>::plan.step_count <= 2);

// rows that were read give theirs to what else is there of a gradient, which is no sum with a tensor of zeros
using row_numbers = rc::tensor<std::int64_t, 10>;
constexpr auto rows_read = [](auto x, auto at) {
  return rc::sum(rc::exp(x)) + rc::sum(rc::tanh(rc::take(x, at, rc::axis<0>)));
};
constexpr bool adds_rows_to(auto const& p, plan::home where) {
  for (int k = 0; k < p.step_count; ++k)
    if (p.kernels[p.steps[k].kernel].kind == step_kind::scatter)
      return p.operands[p.steps[k].first_operand].where == where;
  return false;
}
static_assert(adds_rows_to(of_gradient<decltype(rows_read), matrix, row_numbers>::plan, plan::home::output));
// the numbers that it returns are made behind all that goes by rows
constexpr auto losses_of_rows = [](auto z, auto y) {
  return rc::mean(rc::logsumexp(z, rc::axis<1>) - rc::sum(z * y, rc::axis<1>));
};
constexpr bool goes_by_rows_first(auto const& p, int extent) {
  int last_of_rows = 0, number = p.step_count;
  for (int k = 0; k < p.step_count; ++k) {
    auto const& s = p.steps[k];
    if (s.loops > 1 && p.extents[s.first_extent] == extent) last_of_rows = k;
    if (p.kernels[s.kernel].kind == step_kind::reduce && s.kept == 0 && k < number) number = k;
  }
  return number < p.step_count && last_of_rows < number;
}
static_assert(goes_by_rows_first(of_gradient<decltype(losses_of_rows), matrix, matrix>::plan, 10));

constexpr auto over_rows = [](auto x) { return rc::sum(rc::exp(x), rc::axis<1>); };
static_assert(is_one(of_value<decltype(over_rows), matrix>::plan, step_kind::reduce));

// views cost nothing
constexpr auto views = [](auto x) { return rc::sum(rc::reshape(rc::flip(x, rc::axis<1>), rc::extents<1000>{}) * 2.); };
static_assert(of_value<decltype(views), matrix>::plan.step_count <= 2);
// one that a reshape needs in memory lies in that of the result
constexpr auto reordered = [](auto x) { return rc::reshape(x.T(), rc::extents<1000>{}); };
static_assert(is_one(of_value<decltype(reordered), matrix>::plan, step_kind::map));
constexpr auto transposed = [](auto x, auto y) { return x + 2. * y.T(); };
static_assert(is_one(of_value<decltype(transposed), weights, weights>::plan, step_kind::map));

// what follows a product is its epilogue
constexpr auto layer = [](auto x, auto w, auto b) { return rc::tanh(rc::matmul(x, w) + b); };
static_assert(is_one(of_value<decltype(layer), matrix, weights, vector>::plan, step_kind::contract));

// what is expensive and shared is stored once
constexpr auto shared = [](auto x) {
  auto const e = rc::exp(x);
  return std::pair(rc::sum(e, rc::axis<0>), rc::sum(e, rc::axis<1>));
};
constexpr int applications(auto const& p, char const* name) {
  int n = 0;
  for (int s = 0; s < p.step_count; ++s) {
    auto const& k = p.kernels[p.steps[s].kernel];
    for (int r = 0; r < k.registers; ++r) {
      auto const& reg = p.registers[k.first_register + r];
      n += reg.kind == plan::register_kind::apply && std::string_view(reg.op->name) == name;
    }
  }
  return n;
}
static_assert(applications(of_value<decltype(shared), matrix>::plan, "exp") == 1);

// what is added up, and what else is made of the same elements, is one kernel, though they share no costly value
constexpr auto squares = [](auto x) { return rc::sum(x * x); };
static_assert(is_one(of_gradient<decltype(squares), vector>::plan, step_kind::reduce));
static_assert(is_one(of_gradient<decltype(squares), rc::ndarray<double, 2>>::plan, step_kind::reduce));
constexpr auto moments = [](auto x) { return std::tuple(rc::sum(x), rc::sum(x * x), rc::max(x), x + 1.); };
static_assert(is_one(of_value<decltype(moments), matrix>::plan, step_kind::reduce));
// the loss is made behind that; the 1 / n of the gradient before it, where n is only known when it runs
constexpr auto mean_square = [](auto x, auto y) { return rc::mean((x - y) * (x - y)); };
static_assert(of_gradient<decltype(mean_square), matrix, matrix>::plan.step_count == 2);
using of_mean = of_gradient<decltype(mean_square), rc::ndarray<double, 1>, rc::ndarray<double, 1>>;
static_assert(of_mean::plan.step_count == 3 && applications(of_mean::plan, "subtract") == 1);
static_assert(applications(of_gradient<decltype(mean_square), matrix, matrix>::plan, "subtract") == 1);
// and what only that kernel reads by now is stored no more: the sine
constexpr auto both = [](auto x, auto y) { return rc::mean(rc::sin(x) * y) + rc::sum(x); };
using both_gradients = rc::tracing::usual_program<rc::tracing::gradient<true, 0, 1>, decltype(both), matrix, matrix>;
static_assert(both_gradients::plan.step_count == 2 && both_gradients::plan.workspace <= 2 * 64);
static_assert(applications(both_gradients::plan, "sin") == 1 && applications(both_gradients::plan, "cos") == 1);
// where the first to come reads what the later one reads, too, it waits for that
constexpr auto later = [](auto x, auto w) {
  auto const more = x + 1.;
  return std::pair(more, rc::sum(x * rc::matmul(x, w)));
};
static_assert(of_value<decltype(later), matrix, weights>::plan.step_count == 2);

// not where one needs the other, reads otherwise or another type, or where rows are reduced
constexpr auto dependent = [](auto x) { return std::pair(rc::sum(x), x - rc::sum(x)); };
constexpr auto crossing = [](auto x, auto y) { return std::pair(rc::sum(x * x), x + y.T()); };
constexpr auto converted = [](auto x) { return std::pair(rc::sum(x * x), rc::astype<float>(x)); };
constexpr auto conditions = [](auto x) { return std::pair(rc::any(x > 0.), x > 1.); };
constexpr auto of_rows = [](auto x) { return std::pair(rc::sum(x, rc::axis<1>), x + 1.); };
constexpr auto needed_between = [](auto x, auto w) {
  auto const s = rc::sum(x);
  auto const y = rc::matmul(x, w) * s;
  return std::pair(s, x * y);
};
static_assert(of_value<decltype(dependent), vector>::plan.step_count == 2);
static_assert(of_value<decltype(crossing), weights, weights>::plan.step_count == 2);
static_assert(of_value<decltype(converted), vector>::plan.step_count == 2);
static_assert(of_value<decltype(conditions), vector>::plan.step_count == 2);
static_assert(of_value<decltype(of_rows), matrix>::plan.step_count == 2);
static_assert(of_value<decltype(needed_between), matrix, weights>::plan.step_count == 2);

// a cheap value that is read several times is computed again there, but not where two others would have to be stored
// for that in its place
constexpr auto of_two = [](auto m, auto x, auto y) { return m * (x * y + 2. * x)(rc::newaxis); };
constexpr auto of_three = [](auto m, auto x, auto y) { return m * (x * y + x * x * y + 2. * y)(rc::newaxis); };
static_assert(of_value<decltype(of_two), matrix, vector, vector>::plan.step_count == 1);
static_assert(of_value<decltype(of_three), matrix, vector, vector>::plan.step_count == 2);
static_assert(of_value<decltype(of_three), matrix, vector, vector>::plan.buffer_count == 1);

// equal steps share a kernel: a net of equal layers compiles one of them
constexpr auto net = [](auto x, auto w) {
  for (int k = 0; k < 8; ++k) x = rc::tanh(rc::matmul(x, w));
  return x;
};
using net_plan = of_value<decltype(net), matrix, weights>;
static_assert(net_plan::plan.step_count == 8 && net_plan::plan.kernel_count == 1);

// ---- buffers ----

// seven values are stored in between, two at a time: the workspace is a constant, and holds no more than that
constexpr rc::index_t one_layer = 10 * 100 * 8;
static_assert(net_plan::plan.is_static && net_plan::plan.workspace == 2 * one_layer);
static_assert(rc::workspace_bytes<decltype(rc::fn(net)), matrix, weights> == 2 * one_layer);

// buffers that live at the same time do not overlap
constexpr bool buffers_are_apart(auto const& p) {
  for (int a = 0; a < p.buffer_count; ++a)
    for (int b = 0; b < a; ++b) {
      auto const &x = p.buffers[a], &y = p.buffers[b];
      if (x.last_step < y.first_step || y.last_step < x.first_step) continue;
      if (x.offset < y.offset + y.elements * y.element_size && y.offset < x.offset + x.elements * x.element_size)
        return false;
      if (x.offset % 64 != 0 || x.offset + x.elements * x.element_size > p.workspace) return false;
    }
  return true;
}
constexpr auto loss = [](auto w, auto x) {
  auto h = x;
  for (int k = 0; k < 4; ++k) h = h + rc::tanh(rc::matmul(h, w));
  return rc::sum(rc::softmax(h) * h);
};
using loss_plan = of_gradient<decltype(loss), weights, matrix>;
static_assert(buffers_are_apart(net_plan::plan) && buffers_are_apart(loss_plan::plan));
// the most that has to be kept at once; the layout wastes little more than a fifth of it
constexpr rc::index_t most_alive(auto const& p) {
  rc::index_t most = 0;
  for (int s = 0; s < p.step_count; ++s) {
    rc::index_t n = 0;
    for (int k = 0; k < p.buffer_count; ++k)
      if (p.buffers[k].first_step <= s && s <= p.buffers[k].last_step)
        n += p.buffers[k].elements * p.buffers[k].element_size;
    most = n > most ? n : most;
  }
  return most;
}
static_assert(loss_plan::plan.is_static && most_alive(net_plan::plan) == net_plan::plan.workspace);
static_assert(most_alive(loss_plan::plan) <= loss_plan::plan.workspace);
static_assert(4 * loss_plan::plan.workspace <= 5 * most_alive(loss_plan::plan));

// with dynamic extents the size is known when the plan runs; what has the same symbolic size shares its place
using dynamic_net = of_value<decltype(net), rc::ndarray<double, 2>, rc::ndarray<double, 2>>;
constexpr int places(auto const& p) {
  int n = 0;
  for (int k = 0; k < p.buffer_count; ++k) n += p.buffers[k].place == k;
  return n;
}
static_assert(!dynamic_net::plan.is_static && dynamic_net::plan.buffer_count == 7 && places(dynamic_net::plan) == 2);

// ---- what may be written where ----

using plan::hazard;
// of one output beside one argument
template <class Plan>
constexpr hazard hazard_of(Plan const& p, int output, int argument) {
  plan::touched written[rc::limits::most_arguments]{}, read[rc::limits::most_arguments]{};
  plan::touched_by(p, plan::home::output, written, p.output_count);
  plan::touched_by(p, plan::home::argument, read, p.argument_count);
  return plan::hazard_of(p, output, written[output], argument, read[argument]);
}
template <class E, rc::index_t... N>
constexpr auto const& statement_plan =
    rc::exec::usual_statement<E, double, rc::extents<N...>, rc::exec::fit::exact, true>::plan;
using in_step = decltype(v() + 2. * v());
static_assert(hazard_of(statement_plan<in_step, 100>, 0, 0) == hazard::unless_same);
using crossed = decltype(m() + m().T());
static_assert(hazard_of(statement_plan<crossed, 100, 100>, 0, 0) == hazard::unless_same);
static_assert(hazard_of(statement_plan<crossed, 100, 100>, 0, 1) == hazard::always);
using product = decltype(rc::matmul(m(), m()) + m());
static_assert(hazard_of(statement_plan<product, 100, 100>, 0, 0) == hazard::always);
static_assert(hazard_of(statement_plan<product, 100, 100>, 0, 2) == hazard::unless_same);
using finished_with = decltype(v() - rc::sum(v()));
static_assert(hazard_of(statement_plan<finished_with, 100>, 0, 1) == hazard::never);
// what a reduction stores beside its result is written as it is read; the result is not
static_assert(hazard_of(of_gradient<decltype(squares), vector>::plan, 1, 0) == hazard::unless_same);
static_assert(hazard_of(of_gradient<decltype(squares), vector>::plan, 0, 0) == hazard::always);

}  // namespace

TEST_CASE("programs of those plans compute what they should") {
  auto const x = rc::eval(rc::ones<double>(rc::extents<10, 100>{}) * 0.5);
  weights const w = 0.01 * rc::ones<double>(rc::extents<100, 100>{});
  double h = 0.5;
  for (int k = 0; k < 8; ++k) h = std::tanh(h);
  CHECK(rc::fn(net)(x, w)(9, 99) == doctest::Approx(h));
  rc::ndarray<double, 2> const xd = x, wd = w;
  CHECK(numbers(rc::fn(net)(xd, wd)) == numbers(rc::fn(net)(x, w)));

  auto const [columns, rows] = rc::fn(shared)(x);
  CHECK(columns(3) == doctest::Approx(10 * std::exp(0.5)));
  CHECK(rows(3) == doctest::Approx(100 * std::exp(0.5)));
  CHECK(double(rc::fn(views)(x)) == doctest::Approx(1000));

  vector const a = rc::arange<double>(100.), b = a * .5;
  CHECK(rc::fn(of_two)(x, a, b)(3, 7) == .5 * (a(7) * b(7) + 2 * a(7)));
  CHECK(rc::fn(of_three)(x, a, b)(3, 7) == .5 * (a(7) * b(7) + a(7) * a(7) * b(7) + 2 * b(7)));
}

// Sums and maps in one pass, beside the interpreter: of every length about a register's and a block's, on threads, and
// with a result in the operand's memory.
template <class T>
void check_one_pass(rc::index_t n, int threads) {
  CAPTURE(n);
  CAPTURE(threads);
  auto x = rc::zeros<T>(rc::shape(n), rc::cpu{.threads = threads}), y = x;
  for (rc::index_t k = 0; k < n; ++k) x(k) = T(.25) * T(k % 11 - 5), y(k) = T(.5) * T(k % 7 - 3);
  auto const [value, gradients] = rc::value_and_grad<0, 1>(both)(x, y);
  auto const& [gx, gy] = gradients;
  auto const [total, square, largest, more] = rc::fn(moments)(x);
  double sum = 0, squared = 0, sines = 0;
  for (rc::index_t k = 0; k < n; ++k) {
    sum += double(x(k)), squared += double(x(k)) * double(x(k)), sines += std::sin(double(x(k))) * double(y(k));
    auto const inverse = T(1) / T(n);
    CHECK(gx(k) == doctest::Approx(double(y(k) * inverse) * std::cos(double(x(k))) + 1));
    CHECK(gy(k) == doctest::Approx(double(inverse) * std::sin(double(x(k)))));
    CHECK(more(k) == x(k) + 1);
  }
  CHECK(double(total) == sum);  // of numbers that leave no rest
  CHECK(double(square) == squared);
  CHECK(double(value) == doctest::Approx(sines / double(n) + sum));
  CHECK(double(largest) == (n > 10 ? 1.25 : double(T(.25) * T(n - 6))));

  rc::tensor<T> of_squares;
  auto in_place = x;
  rc::value_and_grad(squares).into(of_squares, in_place)(in_place);
  CHECK(double(of_squares) == squared);
  for (rc::index_t k = 0; k < n; ++k) CHECK(in_place(k) == 2 * x(k));
  // a part of the operand's memory, at another place
  rc::ndarray<T, 1> memory(n + 1);
  for (rc::index_t k = 0; k < n; ++k) memory(k) = x(k);
  memory(rc::range(1, n + 1)) = rc::grad(squares)(memory(rc::range(0, n)));
  for (rc::index_t k = 0; k < n; ++k) CHECK(memory(k + 1) == 2 * x(k));
}
TEST_CASE("a sum and a map of the same elements in one pass") {
  for (rc::index_t n : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 100, 4095, 4096, 4097, 10000})
    check_one_pass<double>(n, 1), check_one_pass<float>(n, 1);
  for (rc::index_t n : {100000, 100001}) check_one_pass<double>(n, 3), check_one_pass<float>(n, 2);

  rc::ndarray<double, 1> const none(0);
  auto const [value, g] = rc::value_and_grad(squares)(none);
  CHECK(double(value) == 0);
  CHECK(g.size() == 0);
}
TEST_CASE("numbers that are one number for all, made before or behind") {
  rc::tensor<double, 4> const x{1., 2., 3., 4.};
  rc::tensor<double> const s(.5);
  auto const f = [](auto v, auto by) { return std::tuple(rc::sum(v * v), v * by, v * (by + by) * 3.); };
  auto const [sum, once, twice] = rc::fn(f)(x, s);
  CHECK(double(sum) == 30);
  CHECK(once(3) == 2);
  CHECK(twice(3) == 12);
  // the number in the place of the result
  rc::tensor<double> number(.5);
  rc::tensor<double, 4> a, b;
  rc::fn(f).into(number, a, b)(x, number);
  CHECK(double(number) == 30);
  CHECK(a(3) == 2);
  CHECK(b(3) == 12);
}
