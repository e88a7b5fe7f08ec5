// Calls as other libraries have them, `f(x, 0)`, `f(x, {0, 1})`, `f(x, 2, 3)`, and calls with what is no tensor:
// compile errors that say what is written here. Each gives back its operand, so that nothing else is reported behind
// it.
#pragma once

#include <cstddef>

#include <ricci/core/wrong_argument.hpp>
#include <ricci/ops/call_types.hpp>
#include <ricci/shape/axes.hpp>

namespace ricci {

namespace wrong {
// the names of parameters that nobody gives: compilers print them
struct a_std_vector_becomes_a_tensor_by_rc_asarray {};
struct extents_are_given_one_by_one_and_rc_zeros_takes_a_shape {};
template <class... X>
concept operands_of_order = operands<X...> && !any_operands<X...>;
template <class N>
concept Integer = std::is_integral_v<N> && !std::is_same_v<N, bool>;
// std::vector, std::list, std::string: what owns its memory by an allocator, and is no operand
template <class X>
concept Container = requires {
  typename std::remove_cvref_t<X>::allocator_type;
}
&&level_of<X> == 0;
// what looks like an index elsewhere: a number with a fraction, True, a string, None, a list, a tensor of floats
template <class I>
concept Index = std::is_floating_point_v<I> || std::is_same_v<I, bool> || std::is_array_v<I> || std::is_pointer_v<I> ||
    std::is_null_pointer_v<I> || Container<I> ||
    (level_of<I> == operand_level::tensor && requires { requires is_inexact(dtype_of<typename I::value_type>); });
// Asked for by its size where an index is no index: x(true), and x(a && b), which is that, too.
template <class X, class... Items>
struct mask_of_bools {
  static_assert(!(std::is_same_v<Items, bool> || ...),
                "a bool is no index: an element is named by integers, and elements by a mask, a tensor of bool, as "
                "x((x > 0.) & (x < 1.)), with & and | in place of && and ||");
};
// Asked for by its size where a container stands for a tensor.
template <class X>
struct container_as_tensor {
  static_assert(always_false<X>, "a std::vector is no tensor: rc::asarray(x) is one");
};
// Asked for by its size where extents are given one by one, or in braces.
template <class X>
struct extents_apart {
  static_assert(always_false<X>, "the extents are one argument: rc::shape(2, 3), or rc::extents<2, 3>{}");
};
// (of order 0 are numbers, too: stack(sum(x), 5))
template <class X>
inline constexpr bool is_of_order_0 = requires {
  requires std::remove_cvref_t<X>::rank == 0;
};
template <class X>
inline constexpr bool has_several_axes = requires {
  requires(std::remove_cvref_t<X>::rank > 1);
};
// The same of an order that is known at run time alone.
inline namespace RICCI_ABI {
RICCI_COLD inline void names_no_axis(int order) {
  if (order > 1)
    core::raise<value_error>(core::text() << "take: of a tensor of order " << order
                                          << " the axis is named, rc::take(x, indices, rc::axis<0>)");
}
}  // namespace RICCI_ABI
// Asked for by its size where the first operand selects: a number with a fraction was meant to be compared. (Integers
// are conditions as they are: not 0.)
template <class Condition, class... Rest>
struct condition_first {
  static_assert(!is_inexact(own_type<Condition>()),
                "where: the condition, the first operand, is of bool or integers, as x != 0 or x > y: "
                "rc::where(x != 0, a, b)");
};
// (x, y, 0): tensors that have axes, and an integer behind them
template <class First, class... Rest>
constexpr bool ends_with_an_axis = false;
template <class First, class Second, class... Rest>
constexpr bool ends_with_an_axis<First, Second, Rest...> =
    level_of<First> != operand_level::number && !is_of_order_0<First> && []() {
      bool last = false;
      ((last = Integer<std::remove_cvref_t<Rest>>), ...);
      return sizeof...(Rest) == 0 ? Integer<std::remove_cvref_t<Second>> : last;
    }();
}  // namespace wrong

constexpr wrong::result eval(wrong::result const& x) { return x; }

// Refuses axes given as a list, f(x, {0, 1}), with a message.
struct refuses_axis_lists {
  template <class X, std::size_t N>
  requires wrong::operands_of_order<X>
  constexpr X const& operator()(X const& x, int const (&)[N]) const {
    static_assert(always_false<X>, "axes are named in their types: rc::axes<1, 0>");
    return x;
  }
};
// Refuses an axis given as a number, f(x, 0).
struct refuses_axis_numbers : refuses_axis_lists {
  using refuses_axis_lists::operator();
  template <class X>
  requires wrong::operands_of_order<X>
  constexpr X const& operator()(X const& x, int) const {
    static_assert(always_false<X>, "the axis along which this runs is named in its type: rc::axis<0>");
    return x;
  }
};
// The same behind a second operand or a number, f(x, y, 0).
struct refuses_axis_number_last {
  template <class X, class Y>
  requires wrong::operands_of_order<X, Y>
  constexpr X const& operator()(X const& x, Y const&, int) const {
    static_assert(always_false<X>, "the axis along which this runs is named in its type: rc::axis<0>");
    return x;
  }
};
// Refuses extents given apart, f(x, 2, 3), or as a list, f(x, {2, 3}).
struct refuses_loose_extents {
  template <class X, wrong::Integer... N>
  requires(wrong::operands_of_order<X> && sizeof...(N) > 0) constexpr X const& operator()(X const& x, N...) const {
    (void)sizeof(wrong::extents_apart<X>);
    return x;
  }
  template <class X, std::size_t N>
  requires wrong::operands_of_order<X>
  constexpr X const& operator()(X const& x, int const (&)[N]) const {
    (void)sizeof(wrong::extents_apart<X>);
    return x;
  }
};
// Refuses axes as a list, and a bool in place of rc::keepdims.
struct refuses_other_axes {
  template <class X, std::size_t N>
  requires wrong::operands_of_order<X>
  constexpr X const& operator()(X const& x, int const (&)[N]) const {
    static_assert(always_false<X>, "several axes are named in their types: rc::axes<0, 1>");
    return x;
  }
  template <class X, index_t... A, class Keep>
  requires(wrong::operands_of_order<X>&& std::is_same_v<Keep, bool>)  //
      constexpr X const&
      operator()(X const& x, axes_t<A...>, Keep) const {
    static_assert(always_false<X>,
                  "axes that stay with extent 1 are asked for by name: rc::sum(x, rc::axis<0>, "
                  "rc::keepdims)");
    return x;
  }
  template <wrong::Container X, class... Rest>
  constexpr double operator()(X const&, Rest const&...) const {
    return sizeof(wrong::container_as_tensor<X>);
  }
  template <class X>
  requires wrong::operands_of_order<X>
  constexpr wrong::result operator()(X const&, wrong::argument, wrong::argument = {}, wrong::argument = {}) const {
    static_assert(
        always_false<X>,
        "a reduction takes one tensor, and behind it the axes, rc::axis<0> or rc::axes<0, 1>, then "
        "rc::keepdims, then what it is told by name, as rc::correction(1); of two tensors, element by element, "
        "rc::maximum and rc::minimum are");
    return {};
  }
};

// What takes a fixed number of operands, and nothing behind them. Asked for by its size: its name says what is called.
namespace wrong {
template <class Operation, int Takes, int Given>
struct number_of_operands {
  static_assert(Takes == Given,
                "this operation is called with another number of operands than it takes (operation, operands that it "
                "takes, and those that are given: see the type above)");
};
}  // namespace wrong

// `v + std::vector{1., 2.}`
namespace wrong {
template <class A, class B>
concept tensor_and_container = (Container<A> && operands<B>) || (Container<B> && operands<A>);
}
template <class A, class B>
requires wrong::tensor_and_container<A, B>
constexpr double operator+(A const&, B const&) { return sizeof(wrong::container_as_tensor<A>); }
template <class A, class B>
requires wrong::tensor_and_container<A, B>
constexpr double operator-(A const&, B const&) { return sizeof(wrong::container_as_tensor<A>); }
template <class A, class B>
requires wrong::tensor_and_container<A, B>
constexpr double operator*(A const&, B const&) { return sizeof(wrong::container_as_tensor<A>); }
template <class A, class B>
requires wrong::tensor_and_container<A, B>
constexpr double operator/(A const&, B const&) { return sizeof(wrong::container_as_tensor<A>); }

}  // namespace ricci
