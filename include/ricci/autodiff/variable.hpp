// The imperative way: variables, statements that record themselves, `backward`. For programs whose control flow depends
// on data; where it does not, a traced function (autodiff/functions.hpp) is one program and costs less.
//
//   rc::tape tape;
//   auto w = tape.variable(rc::tensor<double, 3>{1, 2, 3});
//   rc::variable h = rc::tanh(w * w);                // one fused statement, one record on the tape
//   while (double(rc::sum(h.value())) < 10) h = h + 0.5 * h;
//   rc::variable loss = rc::sum(h);
//   loss.backward();
//   w.value() -= 0.1 * w.grad();
//   w.zero_grad();
#pragma once

#include <ricci/autodiff/statement_record.hpp>
#include <ricci/autodiff/variable_value.hpp>

namespace ricci {

template <class T, index_t... E>
class variable;

template <class T, index_t... E>
inline constexpr bool is_native_tensor<variable<T, E...>> = true;
template <class T, index_t... E>
inline constexpr bool holds_variables<variable<T, E...>> = true;
template <label Name, class Leaf>
inline constexpr bool holds_variables<labelled<Name, Leaf>> = holds_variables<Leaf>;

namespace taped {
inline namespace RICCI_ABI {

template <class X>
inline constexpr bool is_variable = false;
template <class T, index_t... E>
inline constexpr bool is_variable<variable<T, E...>> = true;
// What a variable is made of, by a statement.
template <class X>
concept Statement = Tensor<X> && holds_variables<X> && !is_variable<X>;

template <class T, class E>
struct variable_type;
template <class T, index_t... E>
struct variable_type<T, extents<E...>> {
  using type = variable<T, E...>;
};
// the extent of axis K of an expression
template <class X, int K>
inline constexpr index_t extent_of = X::extents::extent(K);

template <class T, class E>
constexpr decltype(exec::target_type::check) check_of() {
  if constexpr (!E::is_static && storage::is_restricted<E>)
    return &storage::check_shape<E>;
  else
    return nullptr;
}
template <class E, class X>
struct made_of {
  static_assert(shapes::may_be_equal<E, typename X::extents>(),
                "a variable is made of a statement of the same extents (both: see the type above)");
};

template <class T, class E, class X>
shared<variable_state> result_of(X const& x) {
  (void)sizeof(made_of<E, X>);
  static_assert(std::is_same_v<T, typename X::value_type>,
                "a variable keeps its element type: rc::astype<T> converts elements");
  constexpr auto check = E::is_static && !X::extents::is_static ? &storage::check_extents<E> : check_of<T, E>();
  if constexpr (requires { expr::as_node(x); })
    return run_statement(expr::as_node(x), check);
  else
    return run_statement(x, check);
}

}  // namespace RICCI_ABI
}  // namespace taped

// A tensor that statements are recorded of. `rc::variable y = e;` and `y = e;`, e an expression of variables, evaluate
// e and put one record on their tape, if one of them requires a gradient; what y was before stays with those that use
// it. Copies are the same variable. Elements lie on the host. Everything that tensors have as operators and functions
// takes variables; what is computed in several results at once, or by rc::fn and its like, takes `x.value()`.
template <class V, index_t... E>
class variable {
  static_assert(is_floating(dtype_of<V>), "a variable holds real floating numbers");

 public:
  using value_type = V;
  using extents = ricci::extents<E...>;
  static constexpr int rank = sizeof...(E);

  variable(variable const&) = default;
  // of an expression; shape_error, index_error as the expression has them, tape_error where its variables are of two
  // tapes or the tape is gone, and then nothing has changed
  template <class X>
  requires taped::Statement<X> variable(X const& x) : state_(taped::result_of<V, extents>(x)) {}
  // the same variable by a type that knows other extents
  template <class X>
  requires(taped::is_variable<X> && !std::is_same_v<X, variable> && std::is_same_v<value_type_of<X>, V>)
      variable(X const& x)
      : state_(x.state()) {
    (void)sizeof(taped::made_of<extents, X>);
    storage::check_shape<extents>(state_->value.header().extents);
  }
  explicit variable(taped::shared<taped::variable_state> const& of) : state_(of) {}

  variable& operator=(variable const&) = default;
  template <class X>
  requires operands<X> variable& operator=(X const& x) {
    static_assert(holds_variables<X>,
                  "a variable becomes what is computed of variables: x.value() = y writes to its elements, and "
                  "tape.variable(y) makes another one");
    return *this = variable(x);
  }

  // ---- what it holds ----

  // Its elements, to be read and to be written to, outside of what is recorded: statements that have read them before
  // are no longer derived if their rules need what was there.
  auto value() {
    return taped::value_reference<V, extents, layout::row_major>(taped::elements_of<V const, extents>(state_->value),
                                                                 state_);
  }
  auto value() const { return taped::elements_of<V const, extents>(state_->value); }
  // What backward has summed up, zeros before that. Of the result of a statement it is kept where retain_grad() asked
  // for it, else a tape_error.
  view<V, extents, layout::row_major, true> grad() const {
    auto& v = *state_;
    if (v.is_result() && !v.keeps_grad) {
      core::text t;
      t << "grad: of ";
      describe(t, v) << " no gradient is kept: retain_grad(), before backward(), asks for it";
      core::raise<tape_error>(t);
    }
    if (!v.grad.is_there) v.make_zeros(v.grad);
    return taped::elements_of<V, extents>(v.grad.memory);
  }
  // zero again, also for views of it
  void zero_grad() {
    auto& g = state_->grad;
    if (g.is_there && g.memory.use_count() > 1)
      __builtin_memset(g.memory.data(), 0, static_cast<std::size_t>(g.memory.bytes()));
    else
      g = {};
  }
  bool requires_grad() const { return state_->requires_grad; }
  void retain_grad() { state_->keeps_grad = true; }
  // A variable of the same elements that nothing depends on; writing to it writes to this one.
  variable detach() const {
    auto const s =
        taped::shared<taped::variable_state>::made(state_->value, rank, state_->elements, state_->tape, false);
    s->origin = state_->origin ? state_->origin : state_;
    s->label = ++state_->tape->labels;
    return variable(s);
  }

  // ---- the way back ----

  // Adds the derivatives of this number by all variables that require one to their gradients. Statements on the way are
  // taken from the tape, unless rc::retain is given. tape_error where one is there no longer, or has read a variable
  // that has been written to since and whose elements its derivative needs; then no gradient has changed.
  void backward() { backward_of_one(false); }
  void backward(retain_t) { backward_of_one(true); }
  // The same of what is no single number, weighted by a cotangent of its shape; shape_error where it has another one.
  template <class X>
  requires operands<X>
  void backward(X const& cotangent) { backward_with(cotangent, false); }
  template <class X>
  requires operands<X>
  void backward(X const& cotangent, retain_t) { backward_with(cotangent, true); }

  // ---- as a tensor ----

  index_t shape(int axis) const { return extent_values()[axis_named("shape", axis, rank)]; }
  shape_values<rank> shape() const { return value().shape(); }
  index_t size() const { return value().size(); }
  expr::block_extents<extents> extent_values() const { return {state_->value.header().extents}; }
  // a part, as an operand of statements
  template <class... I>
  auto operator()(I const&... items) const {
    return taped::part_of(value(), state_, items...);
  }
  auto T() const {
    require_matrix<rank>();
    return matrix_transpose(*this);
  }
  value_type item() const requires(rank == 0) { return value().item(); }
  template <Arithmetic U>
  requires(rank == 0) explicit operator U() const { return U(value()); }

  taped::shared<taped::variable_state> const& state() const { return state_; }

 private:
  template <bool IsOne = rank == 0>
  void backward_of_one(bool retains) {
    static_assert(IsOne, "backward() starts from one number: of more, backward(cotangent) says how they are weighted");
    if constexpr (IsOne) backward_with(value_type(1), retains);
  }
  template <class X>
  void backward_with(X const& cotangent, bool retains) {
    static_assert(Tensor<X> || rank == 0, "the cotangent of a tensor is a tensor of its shape, as rc::ones_like(x)");
    auto seed = state_->allocate();
    if constexpr (Tensor<X>) {
      tensor_with<value_type, extents> const c = cotangent;
      for (int k = 0; k < rank; ++k)
        if (c.shape(k) != shape(k))
          core::raise<shape_error>(((core::text() << "backward: a cotangent of shape ").shape(c.shape().data(), rank)
                                    << " for a variable of shape ")
                                       .shape(shape().data(), rank));
      __builtin_memcpy(seed.data(), c.data(), static_cast<std::size_t>(seed.bytes()));
    } else {
      *reinterpret_cast<value_type*>(seed.data()) = scalar::convert<value_type>(cotangent);
    }
    auto const alive = state_;
    taped::backward(*alive, static_cast<core::shared_buffer&&>(seed), retains);
  }

  taped::shared<taped::variable_state> state_;
};

template <class T, index_t... E>
variable<T, E...> held(variable<T, E...> const& x) {
  return x;
}
namespace expr {
template <class T, index_t... E>
struct reified<variable<T, E...>> : reified<shared_leaf<T, extents<E...>>> {};
template <int A, class B, class T, index_t... E>
void bind(B& b, variable<T, E...> const& x) {
  auto const& value = x.state()->value;
  b.operands[A] = {value.data(), value.header().extents, nullptr};
  b.how = core::joined(b.how, value.header().how.on_host());
  if constexpr (requires { b.variables[A]; }) b.variables[A] = &x.state();
}
}  // namespace expr
namespace taped {
inline namespace RICCI_ABI {
template <class T, index_t... E>
struct variables_in<variable<T, E...>> {
  static constexpr void note(bool* at, int& n) { at[n++] = true; }
};
template <class T, class E, layout L>
struct variables_in<variable_part<T, E, L>> {
  static constexpr void note(bool* at, int& n) { at[n++] = true; }
};
}  // namespace RICCI_ABI
}  // namespace taped

// What `rc::variable y = e;` is, by the order of e.
template <class X>
requires(taped::Statement<X>&& rank_of<X> == 0) variable(X const&)
->variable<value_type_of<X>>;
template <class X>
requires(taped::Statement<X>&& rank_of<X> == 1) variable(X const&)
->variable<value_type_of<X>, taped::extent_of<X, 0>>;
template <class X>
requires(taped::Statement<X>&& rank_of<X> == 2) variable(X const&)
->variable<value_type_of<X>, taped::extent_of<X, 0>, taped::extent_of<X, 1>>;
template <class X>
requires(taped::Statement<X>&& rank_of<X> == 3) variable(X const&)
->variable<value_type_of<X>, taped::extent_of<X, 0>, taped::extent_of<X, 1>, taped::extent_of<X, 2>>;
template <class X>
requires(taped::Statement<X>&& rank_of<X> == 4) variable(X const&)
->variable<value_type_of<X>, taped::extent_of<X, 0>, taped::extent_of<X, 1>, taped::extent_of<X, 2>,
           taped::extent_of<X, 3>>;
template <class X>
requires(taped::Statement<X>&& rank_of<X> == 5) variable(X const&)
->variable<value_type_of<X>, taped::extent_of<X, 0>, taped::extent_of<X, 1>, taped::extent_of<X, 2>,
           taped::extent_of<X, 3>, taped::extent_of<X, 4>>;
template <class X>
requires(taped::Statement<X>&& rank_of<X> == 6) variable(X const&)
->variable<value_type_of<X>, taped::extent_of<X, 0>, taped::extent_of<X, 1>, taped::extent_of<X, 2>,
           taped::extent_of<X, 3>, taped::extent_of<X, 4>, taped::extent_of<X, 5>>;
template <class X>
requires(taped::Statement<X>&& rank_of<X> == 7) variable(X const&)
->variable<value_type_of<X>, taped::extent_of<X, 0>, taped::extent_of<X, 1>, taped::extent_of<X, 2>,
           taped::extent_of<X, 3>, taped::extent_of<X, 4>, taped::extent_of<X, 5>, taped::extent_of<X, 6>>;
template <class X>
requires(taped::Statement<X>&& rank_of<X> == 8) variable(X const&)
->variable<value_type_of<X>, taped::extent_of<X, 0>, taped::extent_of<X, 1>, taped::extent_of<X, 2>,
           taped::extent_of<X, 3>, taped::extent_of<X, 4>, taped::extent_of<X, 5>, taped::extent_of<X, 6>,
           taped::extent_of<X, 7>>;
template <class X>
requires(taped::Statement<X>&& rank_of<X> == 9) variable(X const&)
->variable<value_type_of<X>, taped::extent_of<X, 0>, taped::extent_of<X, 1>, taped::extent_of<X, 2>,
           taped::extent_of<X, 3>, taped::extent_of<X, 4>, taped::extent_of<X, 5>, taped::extent_of<X, 6>,
           taped::extent_of<X, 7>, taped::extent_of<X, 8>>;
template <class X>
requires(taped::Statement<X>&& rank_of<X> == 10) variable(X const&)
->variable<value_type_of<X>, taped::extent_of<X, 0>, taped::extent_of<X, 1>, taped::extent_of<X, 2>,
           taped::extent_of<X, 3>, taped::extent_of<X, 4>, taped::extent_of<X, 5>, taped::extent_of<X, 6>,
           taped::extent_of<X, 7>, taped::extent_of<X, 8>, taped::extent_of<X, 9>>;
template <class X>
requires(taped::Statement<X>&& rank_of<X> == 11) variable(X const&)
->variable<value_type_of<X>, taped::extent_of<X, 0>, taped::extent_of<X, 1>, taped::extent_of<X, 2>,
           taped::extent_of<X, 3>, taped::extent_of<X, 4>, taped::extent_of<X, 5>, taped::extent_of<X, 6>,
           taped::extent_of<X, 7>, taped::extent_of<X, 8>, taped::extent_of<X, 9>, taped::extent_of<X, 10>>;
template <class X>
requires(taped::Statement<X>&& rank_of<X> == 12) variable(X const&)
->variable<value_type_of<X>, taped::extent_of<X, 0>, taped::extent_of<X, 1>, taped::extent_of<X, 2>,
           taped::extent_of<X, 3>, taped::extent_of<X, 4>, taped::extent_of<X, 5>, taped::extent_of<X, 6>,
           taped::extent_of<X, 7>, taped::extent_of<X, 8>, taped::extent_of<X, 9>, taped::extent_of<X, 10>,
           taped::extent_of<X, 11>>;

}  // namespace ricci
