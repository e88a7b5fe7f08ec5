// From expressions to memory of the device: construction and assignment there, and copies between spaces.
#pragma once

#include <ricci/exec/statement.hpp>
#include <ricci/tensor/device_view.hpp>

namespace ricci {

namespace storage {

template <>
struct tensors_in<expr::device_memory> {
  template <class T, class E>
  using type = typename tensor_of<device_tensor, T, E>::type;
  using context = device;
};
template <>
struct maker<device> {
  static constexpr int memory = expr::device_memory;
  template <class T, class E>
  using type = typename tensor_of<device_tensor, T, E>::type;
  static core::execution execution(device const& d) {
    if (d.index < 0 || d.index >= exec::device_backend::device_count())
      core::raise<context_error>(core::text() << "there is no device:" << d.index << ": this machine has "
                                              << exec::device_backend::device_count());
    return exec::on_device_number(d.index);
  }
  template <class X>
  static auto evaluated(X const& x, core::execution how) {
    using R = type<value_type_of<X>, extents_of<X>>;
    if constexpr (memory_of<X>() == expr::device_memory) {
      R here(ricci::eval(x));
      if (here.execution() == how) return here;
      R there(typename R::raw{}, here.extent_values().data(), how);
      there.write_elements([&](auto* p) { here.read_elements(p); });
      return there;
    } else {
      auto const& elements = stored_value(x);
      R there(typename R::raw{}, elements.extent_values().data(), how);
      exec::device_backend::copy_in(there.device_index(), there.data(), elements.data(),
                                    there.size() * index_t(sizeof(value_type_of<X>)));
      return there;
    }
  }
};

// Evaluates e as elements of type T into t.
template <class T, class Target, exec::fit Fit, bool Dense, exec::target_kind Kind, class E, class X>
void evaluate_on_device(E const& e, X& t) {
  static_assert((expr::reified<E>::memory & ~expr::device_memory) == 0,
                "an operand lies in another memory space than the result: rc::copy(x, context) makes a copy of x in "
                "the space of a context");
  expr::binder<E> b;
  expr::bind<0>(b, e);
  core::execution how;
  if constexpr (Kind != exec::target_kind::fresh) how = t.execution();
  using P = exec::usual_statement<E, T, Target, Fit, Dense>;
  exec::evaluate_any<exec::backend_of<expr::device_memory>, P, destination<X, Kind>, T, Target, Fit, Dense>(b, t,
                                                                                                            {how});
}

}  // namespace storage

template <class T, index_t... E, class X>
void construct(device_tensor<T, E...>& t, X const& x) {
  (void)sizeof(storage::assigned<extents<E...>, extents_of<X>>);
  auto const& e = storage::operand_for(x, std::type_identity<T>{});
  storage::evaluate_on_device<T, extents<E...>, exec::fit::exact, true, exec::target_kind::fresh,
                              std::remove_cvref_t<decltype(e)>>(e, t);
}
template <class T, index_t... E, class X>
void assign(device_tensor<T, E...>& t, X const& x) {
  auto const& e = storage::operand_for(x, std::type_identity<T>{});
  using held_type = std::remove_cvref_t<decltype(e)>;
  if constexpr (is_arithmetic<X>) {
    storage::evaluate_on_device<T, extents<E...>, exec::fit::broadcast, true, exec::target_kind::existing, held_type>(
        e, t);
  } else {
    static_assert(rank_of<X> == sizeof...(E), "a tensor is assigned a tensor of the same order, or a number");
    (void)sizeof(storage::assigned<extents<E...>, extents_of<X>>);
    storage::evaluate_on_device<T, extents<E...>, exec::fit::exact, true, exec::target_kind::existing, held_type>(e, t);
  }
}
template <class T, class E, layout L, class X>
void assign(device_view<T, E, L> const& v, X const& x) {
  auto const& e = storage::operand_for(x, std::type_identity<T>{});
  if constexpr (!is_arithmetic<X>) (void)sizeof(storage::assigned_to_view<E, extents_of<X>>);
  storage::evaluate_on_device<T, E, exec::fit::broadcast, L == layout::row_major, exec::target_kind::part,
                              std::remove_cvref_t<decltype(e)>>(e, const_cast<device_view<T, E, L>&>(v));
}
template <class T, class E, layout L, class X>
void assign(device_view<T const, E, L> const&, X const&) {
  static_assert(always_false<X>, "this view is read only: it shows elements of a const tensor");
}

}  // namespace ricci
