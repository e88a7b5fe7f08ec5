// The tape of the imperative way (variable.hpp) as a program holds it: it makes variables, and owns what statements
// over them record.
//
//   rc::tape tape;
//   auto w = tape.variable(rc::tensor<double, 3>{1, 2, 3});
//   rc::variable loss = rc::sum(w * w);
//   loss.backward();                       // w.grad() is 2 w
#pragma once

#include <ricci/autodiff/variable_records.hpp>

namespace ricci {

struct variable_options {
  bool requires_grad = true;   // else it costs nothing on the tape, and has no gradient
  char const* name = nullptr;  // for errors; it has to outlive the variable
};

// It is of one thread at a time; threads have tapes of their own. Variables may outlive it: they keep their values and
// gradients, and statements over them, that would be recorded, are a tape_error. One that was moved from is empty, and
// makes no variables: a tape_error.
class tape {
 public:
  tape() : state_(taped::shared<taped::tape_state>::made()) {}
  tape(tape const&) = delete;
  tape(tape&& other) noexcept = default;
  tape& operator=(tape&& other) noexcept {
    if (this != &other) {
      close();
      state_ = static_cast<taped::shared<taped::tape_state>&&>(other.state_);
    }
    return *this;
  }
  ~tape() { close(); }

  // A variable with the elements of a tensor, expression or number; a temporary tensor gives them away.
  template <class X>
  requires operands<X>
  auto variable(X&& x, variable_options const& options = {}) {
    using Y = std::remove_cvref_t<X>;
    core::require_heap<(sizeof(Y) > 0 ? core::unknown_bytes : 0)>();
    static_assert(!holds_variables<Y>, "of variables, rc::variable y = ... makes one; tape.variable(x.value()) a copy");
    if constexpr (Arithmetic<Y>)
      return made(tensor<element_t<Y>>(x), options);
    else
      return made(tensor_with<value_type_of<Y>, extents_of<Y>>(static_cast<X&&>(x)), options);
  }
  // A record, tuple or array of variables, from one of tensors and numbers; options hold for each of them.
  template <class X>
  requires(!operands<X>) auto variable(X const& x, variable_options const& options = {}) {
    return taped::made_of_leaves([&](auto const& leaf) { return variable(leaf, options); }, x);
  }
  // how many statements are on it
  std::size_t size() const { return state_ ? static_cast<std::size_t>(state_->size) : 0; }
  // without them; variables keep their values and gradients
  void clear() {
    if (state_) state_->clear();
  }

  taped::shared<taped::tape_state> const& state() const {
    if (!state_) core::raise<tape_error>(core::text() << "this tape was moved from: the other one has its variables");
    return state_;
  }

 private:
  template <class T, index_t... E>
  ricci::variable<T, E...> made(tensor<T, E...>&& x, variable_options const& options) {
    static_assert(is_floating(dtype_of<T>), "a variable holds real floating numbers: rc::astype<double>(x)");
    constexpr int rank = sizeof...(E);
    core::shared_buffer value;
    if constexpr (tensor<T, E...>::shared)
      if (x.owner().bytes() > 0 && x.owner().use_count() == 1) value = x.owner();
    if (value.bytes() == 0) {
      value = core::shared_buffer(core::bytes_of(x.extent_values().data(), rank, sizeof(T)));
      value.header().how = x.execution();
      for (int k = 0; k < rank; ++k) value.header().extents[k] = x.extent_values()[k];
      __builtin_memcpy(value.data(), x.data(), static_cast<std::size_t>(value.bytes()));
    }
    auto const v = taped::shared<taped::variable_state>::made(static_cast<core::shared_buffer&&>(value), rank,
                                                              &taped::arithmetic_of<T>::value, state(),
                                                              options.requires_grad, options.name);
    v->label = ++state_->labels;
    return ricci::variable<T, E...>(v);
  }
  void close() {
    if (!state_) return;
    state_->is_gone = true;
    state_->clear();
  }

  taped::shared<taped::tape_state> state_;
};

// While it lives, statements over the variables of a tape are not recorded, and their results require no gradient.
class no_grad {
 public:
  explicit no_grad(tape const& t) : tape_(t.state()) { ++tape_->paused; }
  no_grad(no_grad const&) = delete;
  no_grad& operator=(no_grad const&) = delete;
  ~no_grad() { --tape_->paused; }

 private:
  taped::shared<taped::tape_state> tape_;
};

}  // namespace ricci
