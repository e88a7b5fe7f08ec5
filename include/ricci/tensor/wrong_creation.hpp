// Creation as other libraries have it: `zeros(2, 3)`, `ones<double>({2, 3})`, `full(value, shape)`, `arange(10)`. These
// are compile errors that say what is written here.
#pragma once

#include <ricci/ops/wrong_calls.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci {

#define RICCI_SHAPE_IS_ONE_ARGUMENT(NAME)                                                                          \
  template <Element T, wrong::Integer... N>                                                                        \
  requires(sizeof...(N) > 0) constexpr T NAME(N...) {                                                              \
    static_assert(always_false<T>,                                                                                 \
                  "the extents are one argument: rc::" #NAME "<double>(rc::shape(2, 3)), or rc::extents<2, 3>{}"); \
    return T(0);                                                                                                   \
  }                                                                                                                \
  template <Element T, std::size_t N>                                                                              \
  constexpr T NAME(int const(&)[N]) {                                                                              \
    static_assert(always_false<T>,                                                                                 \
                  "the extents are one argument: rc::" #NAME "<double>(rc::shape(2, 3)), or rc::extents<2, 3>{}"); \
    return T(0);                                                                                                   \
  }
RICCI_SHAPE_IS_ONE_ARGUMENT(zeros)
RICCI_SHAPE_IS_ONE_ARGUMENT(ones)
RICCI_SHAPE_IS_ONE_ARGUMENT(empty)
#undef RICCI_SHAPE_IS_ONE_ARGUMENT

// without an element type; the first parameter keeps `zeros<double>` out
#define RICCI_ELEMENT_TYPE_IS_NAMED(NAME)                                                                   \
  template <int = 0, class First, class... Rest>                                                            \
  requires(Arithmetic<First> || ShapeArgument<First>) constexpr double NAME(First const&, Rest const&...) { \
    static_assert(always_false<First>, "the element type is named: rc::" #NAME "<double>(...)");            \
    return 0;                                                                                               \
  }
RICCI_ELEMENT_TYPE_IS_NAMED(zeros)
RICCI_ELEMENT_TYPE_IS_NAMED(ones)
RICCI_ELEMENT_TYPE_IS_NAMED(empty)
RICCI_ELEMENT_TYPE_IS_NAMED(full)
RICCI_ELEMENT_TYPE_IS_NAMED(eye)
RICCI_ELEMENT_TYPE_IS_NAMED(arange)
RICCI_ELEMENT_TYPE_IS_NAMED(linspace)
#undef RICCI_ELEMENT_TYPE_IS_NAMED

template <Element T, Arithmetic V, ShapeArgument S>
constexpr T full(V, S const&) {
  static_assert(always_false<T>, "the shape stands before the number: rc::full<double>(rc::shape(2, 3), 1.)");
  return T(0);
}

RICCI_WRONG_CALL_OF_ELEMENTS(
    arange,
    "arange is called as rc::arange<double>(stop), or (start, stop), or (start, stop, step), all numbers; a tensor of "
    "another shape is rc::reshape(rc::arange<double>(6), rc::shape(2, 3))")
RICCI_WRONG_CALL_OF_ELEMENTS(linspace,
                             "linspace is called as rc::linspace<double>(start, stop, n), where n is a number of "
                             "elements, an integer; without the "
                             "end, with rc::endpoint{false} behind it")
RICCI_WRONG_CALL_OF_ELEMENTS(eye,
                             "eye is called as rc::eye<double>(n) or rc::eye<double>(rows, columns), integers, or with "
                             "a shape of two; other diagonals "
                             "than the main one are rc::diag")
RICCI_WRONG_CALL(eval,
                 "rc::eval takes an expression or a tensor, and a context behind it or nothing; of a std::vector "
                 "rc::asarray(v) makes a tensor")
// `eval(x.T)`, without the parentheses: the name of a function converts to nothing else, and g++ says what is missing.
template <class Given = void>
constexpr wrong::result eval(...) {
  static_assert(always_false<Given>, "a member function is called: rc::eval(x.T())");
  return {};
}
}  // namespace ricci
