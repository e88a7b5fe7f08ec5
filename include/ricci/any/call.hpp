// Operations on tensors of run-time type and order: what they record in a traced function they record here on a graph
// of numbers, whose instructions the interpreter runs as they come. So no operation is written for them, and none is
// compiled for more than the element types of the interpreter's own loops.
#pragma once

#include <tuple>
#include <vector>

#include <ricci/any/tensor.hpp>
#include <ricci/exec/interpret/run.hpp>

namespace ricci {

namespace ir {
inline namespace RICCI_ABI {

// Graphs that are computed as they are recorded, and that nobody derives.
struct at_once {
  using graph = basic_graph<growing_storage>;
  static constexpr bool derives = false, runs = true;
};

}  // namespace RICCI_ABI

template <class Op>
struct runner_of<Op, at_once> {
  static void run(basic_graph<growing_storage>& g, int id) { interpreter<Op>::run(static_cast<eager_graph&>(g), id); }
};

}  // namespace ir

namespace at_run_time {
inline namespace RICCI_ABI {

using value = ir::value<ir::at_once>;

[[noreturn]] RICCI_COLD inline void raise_type(char const* name, dtype type) {
  if (type == dtype::none)
    core::raise<value_error>(core::text() << name << ": an any_tensor that holds nothing is given");
  core::raise<value_error>(core::text() << name << ": is not defined for " << name_of(type));
}

// A graph for one call, and the tensors that it reads. What it does to elements of all types are templates, so that
// they are compiled where such a tensor is used and not wherever this file is included.
class call_recorder {
 public:
  ir::eager_graph g;

  template <class = void>
  value operand(any_tensor const& x) {
    value const v = ir::argument<ir::at_once>(g, x.dtype(), x.shape(), g.size);
    with_type(x.dtype(), [&](auto zero) {
      using T = decltype(zero);
      g.value(v.id).of<T>() = static_cast<T*>(const_cast<void*>(x.data()));  // of an argument, which nobody writes
    });
    read_.push_back(x);
    return v;
  }
  // A value as a tensor of its own: its memory is taken out of the graph where it is there, shared where it is that of
  // an operand, and else copied.
  template <class = void>
  any_tensor result(value y) {
    any_tensor r;
    with_type(y.type(), [&](auto zero) {
      using T = decltype(zero);
      T* const p = g.value(y.id).of<T>();
      if (p == nullptr) raise_type(y.ins().op->name, y.type());
      for (auto const& x : read_)
        if (x.data() == p) return void(r = any_tensor(x.owner(), p, y.type(), y.shape()));
      for (int id = 1; id < g.size; ++id)
        if (g.ins[id].type == y.type() && g.value(id).owned && g.value(id).of<T>() == p) {
          g.value(id).owned = false;
          return void(r = any_tensor(owner_of(p), p, y.type(), y.shape()));
        }
      any_tensor copy(y.type(), y.shape());
      if (copy.bytes() > 0) __builtin_memcpy(copy.raw_data(), p, std::size_t(copy.bytes()));
      r = static_cast<any_tensor&&>(copy);
    });
    return r;
  }

 private:
  template <class T>
  static core::shared_buffer owner_of(T* p) {
    core::shared_buffer owner(sizeof p);
    __builtin_memcpy(owner.data(), &p, sizeof p);
    owner.header().release = [](core::block_header& block) {
      T* of_block;
      __builtin_memcpy(&of_block, core::elements_of(block), sizeof of_block);
      delete[] of_block;
    };
    return owner;
  }
  std::vector<any_tensor> read_;
};

// An operand that has an element type of its own, as an any_tensor.
inline any_tensor const& as_any(any_tensor const& x) {
  if (x.dtype() == dtype::none) raise_type("any_tensor", x.dtype());
  return x;
}
template <Tensor X>
any_tensor as_any(X const& x) {
  static_assert(!is_symbol<X>, "a traced function has no tensors whose type and order are known at run time alone");
  return x;
}
template <class X>
requires is_arithmetic<X> || is_known_extent<X> X as_any(X const& x) { return x; }

inline dtype own_type(any_tensor const& x) { return x.dtype(); }
template <class X>
constexpr dtype own_type(X const&) {
  return dtype::none;
}
inline dtype entering(any_tensor const& x, dtype) { return x.dtype(); }
template <class X>
constexpr dtype entering(X const&, dtype strong) {
  return entering_type<X>(strong);
}
inline shape_t shape_of(any_tensor const& x) { return x.shape(); }
template <class X>
constexpr shape_t shape_of(X const&) {
  return {};
}
template <class = void>
value lifted(call_recorder& t, any_tensor const& x, dtype) {
  return t.operand(x);
}
template <class X>
value lifted(call_recorder& t, X const& x, dtype strong) {
  return ricci::lifted<ir::at_once>(static_cast<ir::at_once::graph&>(t.g), x, strong);
}

template <class Op, class... X>
dtype strong_type(X const&... x) {
  int k = 0;
  dtype const types[] = {(k++ >= first_numeric_of<Op>() ? own_type(x) : dtype::none)...};
  return promote_list(types, int(sizeof...(X)));
}
// What operations of tensors demand of element types where they are compiled.
template <class Op>
void check_types(dtype const* types, int n) {
  for (int k = 0; k < n; ++k)
    if (!ir::takes_complex<Op> && is_complex(types[k])) raise_type(Op::name, types[k]);
  [[maybe_unused]] dtype const all = promote_list(types, n);
  if constexpr (requires { Op::rejects_booleans; })
    if (all == dtype::boolean) raise_type(Op::name, all);
  if constexpr (requires { Op::takes_integers_alone; })
    if (is_inexact(all)) raise_type(Op::name, all);
  if constexpr (requires { Op::converts_to_first; })
    for (int k = 1; k < n; ++k)
      if (is_complex(types[k]) && !is_complex(types[0])) raise_type(Op::name, types[k]);
}
template <class Op, class... X>
void check_indices(X const&... x) {
  if constexpr (requires { Op::first_index; }) {
    int k = 0, last = int(sizeof...(X));
    if constexpr (requires { Op::last_index; }) last = Op::last_index;
    for (dtype const t : {own_type(x)...})
      if (k++; k > Op::first_index && k <= last + 1 && t != dtype::none && !is_integer(t))
        core::raise<value_error>(core::text() << Op::name << ": the indices are integers, and not " << name_of(t));
  }
}
inline void check_axes(char const* name, reduction_axes const& a, shape_t const& x) {
  for (int k = 0; k < a.count; ++k) axis_named(name, a.axes[k], x.rank);
}
template <class Attributes>
void check_axes(char const*, Attributes const&, shape_t const&) {}

template <class Op, class Attributes, class... X>
value record(call_recorder& t, Attributes const& attributes, X const&... x) {
  dtype const strong = strong_type<Op>(x...);
  int k = 0, at = 0;
  dtype const types[] = {entering(x, strong_type_for<Op>(k++, strong))...};
  check_types<Op>(types, int(sizeof...(X)));
  check_indices<Op>(x...);
  shape_t const shapes[] = {shape_of(x)...};
  check_axes(Op::name, attributes, shapes[0]);
  shapes::type_context c;
  if constexpr (requires { Op::fits_orders(attributes, shape_of(x).rank...); })
    if (!Op::fits_orders(attributes, shape_of(x).rank...)) shapes::raise_misfit(Op::name, shapes, int(sizeof...(X)));
  (void)Op::shape_of(c, attributes, shape_of(x)...);
  if (c.failed) shapes::raise_misfit(Op::name, shapes, int(sizeof...(X)));
  value const operands[] = {lifted(t, x, strong_type_for<Op>(at++, strong))...};
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return ir::recorded<Op>(attributes, operands[I]...); }
  (std::index_sequence_for<X...>{});
}
template <class Op, class Attributes, class... X>
any_tensor call(Attributes const& attributes, X const&... x) {
  call_recorder t;
  return t.result(at_run_time::record<Op>(t, attributes, x...));
}
template <class Op, int... K, class... X>
auto call_of_several(std::integer_sequence<int, K...>, X const&... x) {
  call_recorder t;
  value const y = at_run_time::record<Op>(t, no_attributes::typed(), x...);
  dtype const strong = strong_type<Op>(x...);
  return std::tuple{
      t.result(ir::cast(value{y.g, y.id + K}, calls::result<Op, K>::type_of_result(entering(x, strong)...)))...};
}

}  // namespace RICCI_ABI
}  // namespace at_run_time

inline namespace RICCI_ABI {

template <class Op, class Attributes, class... X>
requires any_operands<X...> any_tensor call_at_run_time(Op, Attributes const& attributes, X const&... x) {
  return at_run_time::call<Op>(attributes.lowered(), at_run_time::as_any(x)...);
}
template <class Op, class... X>
requires any_operands<X...>
auto call_function(Op const&, X const&... x) {
  return at_run_time::call_of_several<Op>(std::make_integer_sequence<int, Op::core.results>{},
                                          at_run_time::as_any(x)...);
}
template <class Op, class X, bool Keep>
requires any_operands<X> any_tensor call_with_axis(Op, X&& x, index_t a, std::bool_constant<Keep>) {
  return at_run_time::call<Op>(reduction_axes{1, {axis_named(Op::name, a, x.order())}, Keep}, at_run_time::as_any(x));
}

template <class Op, class Last, class Told, class X, class... Rest>
requires any_operands<X, Rest...> any_tensor call_along_axis(Op, Last, Told const& told, index_t a, X&& x,
                                                             Rest&&... rest) {
  any_tensor const whole = at_run_time::as_any(x);
  axis_named(Op::name, a, whole.order());
  return at_run_time::call<Op>(told, whole, at_run_time::as_any(rest)...);
}

}  // namespace RICCI_ABI
}  // namespace ricci
