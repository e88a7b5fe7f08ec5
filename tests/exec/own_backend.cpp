// A backend of one's own beside the library, as docs/architecture.md describes one: plain loops over memory of the
// host, which count the steps that they run.
#include <doctest/doctest.h>

#include <vector>

#include <ricci/exec/core_call.hpp>
#include <ricci/exec/registers.hpp>
#include <ricci/exec/row_index.hpp>
#include <ricci/exec/step.hpp>

#include "../numbers.hpp"

namespace rc = ricci;
using rc::index_t;
namespace exec = rc::exec;
namespace kernel = rc::kernel;
namespace plan = rc::plan;

namespace counting {

int steps, checks, blocks;
unsigned kinds;  // bits: those that have run

struct pointers {
  char* to[exec::max_slots];
};
// the operands at combination n of the loops [first, last)
pointers moved(exec::geometry const& g, pointers at, index_t n, int first, int last) {
  for (int l = last - 1; l >= first; --l) {
    for (int k = 0; k < g.slots; ++k) at.to[k] += n % g.extent[l] * g.stride[l][k];
    n /= g.extent[l];
  }
  return at;
}
pointers start(exec::geometry const& g) {
  pointers at{};
  for (int k = 0; k < g.slots; ++k) at.to[k] = g.p[k];
  return at;
}

// A kernel at one element.
template <class Code>
struct element;
template <int Slots, int Scalars, class... B, class... R, class... S>
struct element<kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>> {
  using L = exec::scalar_lanes;
  // stores what is stored; what is reduced is combined with what is there, unless it is the first
  static void run(pointers const& at, [[maybe_unused]] exec::scalar_value const* scalars, bool first) {
    L::frame f;
    exec::row_pointers p;
    for (int k = 0; k < Slots; ++k) p.p[k] = at.to[k];
    (exec::start<L>(B{}, f, p, scalars), ...);
    (exec::compute<L, false, true>(R{}, f, p, 0, 1), ...);
    (finish(S{}, f, p, first), ...);
  }
  static void clear(pointers const& at) { (clear_one(S{}, at), ...); }

 private:
  template <class Sink>
  static void finish(Sink sink, L::frame& f, exec::row_pointers const& p, [[maybe_unused]] bool first) {
    if constexpr (Sink::reduces) {
      auto& to = *reinterpret_cast<rc::type_of<Sink::type>*>(p.p[Sink::slot]);
      auto const x = L::at<Sink::index, Sink::type>(f);
      to = first ? x : static_cast<rc::type_of<Sink::type>>(Sink::operation::combine(to, x));
    } else {
      exec::sink<L, false, true>(sink, f, p, 0, 1);
    }
  }
  template <class Sink>
  static void clear_one(Sink, [[maybe_unused]] pointers const& at) {
    using T = rc::type_of<Sink::type>;
    if constexpr (Sink::reduces) *reinterpret_cast<T*>(at.to[Sink::slot]) = Sink::operation::template identity<T>;
  }
};

template <class Code>
void map(exec::geometry const& g) {
  index_t const n = exec::product_of(g, 0, g.loops);
  for (index_t k = 0; k < n; ++k) element<Code>::run(moved(g, start(g), k, 0, g.loops), g.scalars, true);
}
// variant 1: the innermost loop is the last of those that are kept
template <class Code, int Variant>
void reduce(exec::geometry& g) {
  if constexpr (Variant == 1) {
    int const last = g.loops - 1;
    for (int l = last; l > g.kept - 1; --l)
      std::swap(g.extent[l], g.extent[l - 1]), std::swap(g.stride[l], g.stride[l - 1]);
  }
  index_t const results = exec::product_of(g, 0, g.kept), n = exec::product_of(g, g.kept, g.loops);
  for (index_t r = 0; r < results; ++r) {
    auto const at = moved(g, start(g), r, 0, g.kept);
    if (n == 0) element<Code>::clear(at);
    for (index_t k = 0; k < n; ++k) element<Code>::run(moved(g, at, k, g.kept, g.loops), g.scalars, k == 0);
  }
}
// loops: batches, rows, columns, what is summed over; the product is one more operand of what is done with it
template <class Code, class T, class A, class B>
void contract(exec::geometry& g) {
  int const k = --g.loops;
  T sum;
  index_t const n = exec::product_of(g, 0, k);
  for (index_t i = 0; i < n; ++i) {
    auto at = moved(g, start(g), i, 0, k);
    sum = T{};
    for (index_t j = 0; j < g.extent[k]; ++j)
      sum = rc::scalar::add(
          sum,
          rc::scalar::multiply(rc::scalar::convert<T>(*reinterpret_cast<A const*>(at.to[0] + j * g.stride[k][0])),
                               rc::scalar::convert<T>(*reinterpret_cast<B const*>(at.to[1] + j * g.stride[k][1]))));
    at.to[g.slots] = reinterpret_cast<char*>(&sum);
    element<Code>::run(at, g.scalars, true);
  }
}
// extents: before the axis, rows that are named, behind it, rows that there are
template <class T, class Op, int Variant, bool Writes>
void rows(exec::geometry const& g) {
  auto const* const indices = reinterpret_cast<std::int64_t const*>(g.p[Writes ? 2 : 1]);
  T *const x = reinterpret_cast<T*>(g.p[0]), *const y = reinterpret_cast<T*>(g.p[Writes ? 1 : 2]);
  for (index_t o = 0; o < g.extent[0]; ++o)
    for (index_t r = 0; r < g.extent[1]; ++r) {
      index_t const at = (Variant & plan::own_indices) != 0 ? o * g.extent[1] + r : r;
      index_t const row = exec::row_index(indices[at], g.extent[3], Op::name);
      for (index_t i = 0; i < g.extent[2]; ++i) {
        T& there = x[(o * g.extent[3] + row) * g.extent[2] + i];
        T& here = y[(o * g.extent[1] + r) * g.extent[2] + i];
        if (!Writes)
          here = there;
        else
          there = (Variant & plan::adds_rows) != 0 ? rc::scalar::add(there, here) : here;
      }
    }
}
template <class Op, int Variant, int Slot>
void check_rows(exec::geometry const& g) {
  ++checks;
  exec::check_rows(reinterpret_cast<std::int64_t const*>(g.p[Slot]),
                   g.extent[1] * ((Variant & plan::own_indices) != 0 ? g.extent[0] : 1), g.extent[3], Op::name);
}
template <class Op, class T>
void call(exec::geometry const& g) {
  using loop = exec::core_loop<Op, T>;
  std::vector<typename loop::work> work(std::size_t(rc::calls::workspace<Op>(g.extent + g.kept)) + 1);
  exec::attributes_of_call<Op> const attributes(g.scalars);
  index_t const n = exec::product_of(g, 0, g.kept);
  for (index_t k = 0; k < n; ++k) loop::run(g, g.kept, moved(g, start(g), k, 0, g.kept).to, attributes.at, work.data());
}
// operand 0 is summed into operand 1, along the loops in which that stands still
template <class Op, class T>
void accumulate(exec::geometry const& g) {
  index_t const n = exec::product_of(g, 0, g.loops);
  for (bool clear : {true, false})
    for (index_t k = 0; k < n; ++k) {
      auto const at = moved(g, start(g), k, 0, g.loops);
      T& to = *reinterpret_cast<T*>(at.to[1]);
      to = clear ? Op::template identity<T> : static_cast<T>(Op::combine(to, *reinterpret_cast<T const*>(at.to[0])));
    }
}

struct step {
  void (*run)(exec::geometry&);
  int slots, scalars;
  void (*check)(exec::geometry const&) = nullptr;
  plan::step_kind kind{};
};
template <plan::step_kind Kind, class Code, rc::dtype Type, class Op, int Variant>
struct step_as {
  static constexpr step kernel = [] {
    using enum plan::step_kind;
    using T = rc::exec::number_of_step<Type>;
    if constexpr (Kind == map)
      return step{[](exec::geometry& g) { counting::map<Code>(g); }, Code::slots, Code::scalars};
    else if constexpr (Kind == reduce)
      return step{&counting::reduce<Code, Variant>, Code::slots, Code::scalars};
    else if constexpr (Kind == contract)
      return step{&counting::contract<Code, T, rc::type_of<plan::type_of_factor(Variant, 0, Type)>,
                                      rc::type_of<plan::type_of_factor(Variant, 1, Type)>>,
                  Code::slots - 1, Code::scalars};
    else if constexpr (Kind == accumulate)
      return step{[](exec::geometry& g) { counting::accumulate<Op, T>(g); }, 2, 0};
    else if constexpr (Kind == take)
      return step{[](exec::geometry& g) { rows<T, Op, Variant, false>(g); }, 3, 0, &check_rows<Op, Variant, 1>};
    else if constexpr (Kind == scatter)
      return step{[](exec::geometry& g) { rows<T, Op, Variant, true>(g); }, 3, 0, &check_rows<Op, Variant, 2>};
    else if constexpr (Kind == table)
      return step{[](exec::geometry& g) { exec::write_table(reinterpret_cast<T*>(g.p[0]), g.table, g.extent[0]); }, 1,
                  0};
    else if constexpr (Kind == call)
      return step{[](exec::geometry& g) { counting::call<Op, T>(g); }, Op::core.arrays(), rc::calls::attributes<Op>(),
                  exec::is_checked<Op> ? &exec::check_call<Op> : nullptr};
    else if constexpr (plan::is_frame(Kind))
      return step{};
  }();
  static constexpr step of_kind() {
    step s = kernel;
    s.kind = Kind;
    return s;
  }
};

struct backend {
  static constexpr index_t most_on_stack = 256;
  static constexpr bool may_fail_in_any_step = true;  // calls take memory
  static rc::core::shared_buffer allocate(index_t bytes, rc::core::execution) {
    ++blocks;
    return rc::core::shared_buffer(bytes);
  }
  static char* data(rc::core::shared_buffer const& b) { return b.data(); }
  static void copy_back(rc::operand_ref const& to, char const* from, int rank, int size, rc::core::execution how) {
    exec::backend_of<rc::expr::host_memory>::copy_back(to, from, rank, size, how);
  }
  template <exec::Program P>
  static void run(index_t const* dims, rc::operand_ref const* arguments, rc::operand_ref const* outputs,
                  rc::core::execution, rc::core::shared_buffer* = nullptr) {
    static constexpr auto kernels = []<int... K>(std::integer_sequence<int, K...>) {
      return exec::table<step, sizeof...(K)>{{exec::kernel_as<step_as, P, K>().of_kind()...}};
    }
    (std::make_integer_sequence<int, P::plan.kernel_count>{});
    static constexpr exec::plan_view v = exec::view_of<P>();
    index_t offsets[P::plan.buffer_count > 0 ? P::plan.buffer_count : 1]{};
    rc::core::shared_buffer const workspace(exec::resolve_buffers<P>(dims, offsets));
    exec::bindings const b{arguments, outputs, workspace.data(), dims, offsets, 1};
    auto const with = [&](plan::step_t const& s, exec::bindings const& now, auto const& f) {
      index_t strides[exec::max_loops][exec::max_slots];
      exec::geometry g{};
      for (int l = 0; l < exec::max_loops; ++l) g.stride[l] = strides[l];
      step const& k = kernels.at[s.kernel];
      exec::prepare(g, s, v, now, k.slots, k.scalars);
      f(k, g);
    };
    exec::for_each_step<P>(
        b,
        [&](plan::step_t const& s, exec::bindings const& now) {
          for (int c = s.first_check; c != 0; c = v.steps[c].next_check)
            with(v.steps[c], now, [](step const& k, exec::geometry const& g) { k.check(g); });
          with(s, now, [&](step const& k, exec::geometry& g) {
            if (k.check && !s.checked_early) k.check(g);
            ++steps, kinds |= 1u << int(k.kind);
            k.run(g);
          });
        },
        [](char const* p) { return index_t(*reinterpret_cast<std::int64_t const*>(p)); });
  }
  template <exec::Program P>
  using statement = exec::program_on<backend, P>;
};
static_assert(exec::Backend<backend>);

// A function as rc::fn, rc::grad and the like call it, by this backend: on tensors of the host, which are the CPU's
// otherwise.
template <class Transform, class F, class... A>
auto call_of(rc::tracing::transformed<Transform, F> const&, A const&... a) {
  namespace tracing = rc::tracing;
  typename tracing::result<Transform, F, A...>::type r{};
  tracing::bound_arguments<(rc::tree::count_leaves<A>() + ... + 0)> b;
  (rc::tree::for_each_leaf([&](auto const& leaf) { tracing::bind_leaf(b, leaf); }, a), ...);
  using P = tracing::usual_program<Transform, F, A...>;
  if (!tracing::make_results::run<backend, P>(r, b, nullptr))
    if constexpr (P::plan.takes_for_equal)
      tracing::make_results::run<backend, tracing::general_program<Transform, F, A...>>(r, b, nullptr);
  return r;
}

}  // namespace counting

namespace {

constexpr auto scaled = [](auto a, auto b, auto row) { return rc::matmul(a, b) * row + 1.; };
constexpr auto loss = [](auto a, auto b, auto row) { return rc::sum(rc::square(rc::matmul(a, b) + row)); };
constexpr auto sums = [](auto a) { return std::tuple(rc::sum(a, rc::axis<0>), rc::max(a, rc::axis<1>), rc::sum(a)); };
constexpr auto calls = [](auto a) { return std::pair(rc::sort(a), rc::cumulative_sum(a, rc::axis<0>)); };
constexpr auto of_rows = [](auto a, auto rows) { return rc::sum(rc::square(rc::take(a, rows, rc::axis<0>))); };
constexpr auto taken = [](auto a, auto rows) { return rc::take(a, rows, rc::axis<0>); };
constexpr auto written = [](auto a, auto rows) {
  a(rows) = 2. * a(rc::range(0, 2));
  return a;
};
constexpr auto loop = [](auto a, auto n) {
  return rc::fori_loop(
      0, n, [=](auto i, auto s) { return .5 * s + i * a(0); }, a(1));
};
constexpr auto broadcast = [](auto a, auto row) { return a(rc::all, rc::range(0, 2)) + row; };
constexpr auto doubled = [](auto b) { return 2. * b; };
constexpr auto table = [](auto a) { return rc::tensor<double, 4>{1, 2, 4, 8} * a; };

// by this backend as by the CPU's
auto const same = [](auto const& f, auto const&... x) {
  counting::steps = 0;
  auto const here = counting::call_of(f, x...);
  CHECK(counting::steps > 0);
  auto const there = f(x...);
  rc::tree_map([](auto const& y, auto const& z) { CHECK(numbers(y) == numbers(z)); }, here, there);
};

}  // namespace

TEST_CASE("functions run by a backend that counts") {
  rc::tensor<double, 3, 4> const a{{1, 2, 3, 4}, {-1, .5, 2, 0}, {3, 1, -2, 1}};
  rc::ndarray<double, 2> const b{{1, 2}, {3, -1}, {.5, 1}, {2, 2}}, row{{1, -1}};
  rc::tensor<int, 2> const rows{2, 0};
  same(rc::fn(scaled), a, b, row);
  same(rc::grad<0, 2>(loss), a, b, row);
  same(rc::fn(sums), a);
  counting::blocks = 0;
  same(rc::fn(doubled), b);
  CHECK(counting::blocks == 1);  // of the result, which is no static tensor
  same(rc::fn(calls), a);
  same(rc::grad(of_rows), a, rows);
  same(rc::fn(written), a, rows);
  same(rc::fn(broadcast), a, row);
  same(rc::fn(table), a);
  same(rc::fn(loop), a, 5);
  CHECK(counting::steps >= 5);
  same(rc::grad<2>(loss), rc::ndarray<double, 2>(a), b, row);
  for (int kind = 0; kind < int(plan::step_kind::loop_begin); ++kind) {
    CAPTURE(kind);
    CHECK((counting::kinds >> kind & 1) == 1);
  }
  counting::checks = 0;
  CHECK_THROWS_AS(counting::call_of(rc::fn(taken), a, rc::tensor<int, 2>{0, 3}), rc::index_error);
  CHECK(counting::checks == 1);
}
