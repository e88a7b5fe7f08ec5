// Parameters that take anything, and worse than anything else does: an overload of such is chosen where no other fits,
// and says in words what the function takes. Every argument becomes one by a conversion of its own, so such an overload
// is never better than one that takes its arguments as they are, or converts a number.
#pragma once

#include <initializer_list>
#include <type_traits>

namespace ricci {

// What a static_assert asks where a template is never right.
template <class>
inline constexpr bool always_false = false;

}  // namespace ricci

namespace ricci::wrong {

struct argument {
  constexpr argument() = default;
  template <class... X>
  constexpr argument(X const&...) {}
  constexpr argument(std::initializer_list<std::initializer_list<double>>) {}  // {{1, 1}, {2, 2}}
};

// In the place of a result, where it has been said what is wrong: it becomes whatever is wanted.
struct result {
  template <class X>
  requires(!std::is_same_v<X, argument>)  // which takes it as it is: g++ 12 crashes where both ways are open
  operator X() const;
  template <class... X>
  constexpr result operator()(X const&...) const {
    return {};
  }
};

// What is computed with it is another, and it is printed as nothing, so that no second message stands before the first.
template <class A, class B>
concept beside_result = std::is_same_v<A, result> || std::is_same_v<B, result>;
#define RICCI_OF_RESULT(OPERATOR) \
  template <class A, class B>     \
  requires beside_result<A, B>    \
  constexpr result operator OPERATOR(A const&, B const&) { return {}; }
RICCI_OF_RESULT(+)
RICCI_OF_RESULT(-)
RICCI_OF_RESULT(*)
RICCI_OF_RESULT(/)
RICCI_OF_RESULT(<)
RICCI_OF_RESULT(>)
#undef RICCI_OF_RESULT
constexpr result operator-(result const&) { return {}; }
template <class Stream>
constexpr Stream& operator<<(Stream& s, result const&) {
  return s;
}

template <auto...>
struct values;

}  // namespace ricci::wrong

// Functions that are called in another way than they are made for: SAID is how they are called. In angle brackets they
// take a type, an element type or values, or it is an object that is called. A function of one parameter that is given
// by a conversion, as a path by a text, is no better than these: beside it they would be ambiguous. What has been said
// to be wrong before is passed on without another word. (One macro in another makes messages longer.)
#define RICCI_WRONG_CALL(NAME, SAID)                                                              \
  template <class Given = void>                                                                   \
  constexpr ricci::wrong::result NAME(ricci::wrong::argument = {}, ricci::wrong::argument = {},   \
                                      ricci::wrong::argument = {}, ricci::wrong::argument = {},   \
                                      ricci::wrong::argument = {}, ricci::wrong::argument = {}) { \
    static_assert(ricci::always_false<Given>, SAID);                                              \
    return {};                                                                                    \
  }                                                                                               \
  template <class Given = void>                                                                   \
  constexpr ricci::wrong::result NAME(ricci::wrong::result const&) {                              \
    return {};                                                                                    \
  }
#define RICCI_WRONG_CALL_OF_ELEMENTS(NAME, SAID)                                                  \
  template <ricci::Element Given>                                                                 \
  constexpr ricci::wrong::result NAME(ricci::wrong::argument = {}, ricci::wrong::argument = {},   \
                                      ricci::wrong::argument = {}, ricci::wrong::argument = {},   \
                                      ricci::wrong::argument = {}, ricci::wrong::argument = {}) { \
    static_assert(ricci::always_false<Given>, SAID);                                              \
    return {};                                                                                    \
  }
#define RICCI_WRONG_CALL_BY_VALUES(NAME, SAID)                                                    \
  template <auto... Given>                                                                        \
  constexpr ricci::wrong::result NAME(ricci::wrong::argument = {}, ricci::wrong::argument = {},   \
                                      ricci::wrong::argument = {}, ricci::wrong::argument = {},   \
                                      ricci::wrong::argument = {}, ricci::wrong::argument = {}) { \
    static_assert(ricci::always_false<ricci::wrong::values<Given...>>, SAID);                     \
    return {};                                                                                    \
  }
#define RICCI_WRONG_CALL_OF_OBJECT(SAID)                                                                      \
  template <class Given = void>                                                                               \
  constexpr ricci::wrong::result operator()(ricci::wrong::argument = {}, ricci::wrong::argument = {},         \
                                            ricci::wrong::argument = {}, ricci::wrong::argument = {},         \
                                            ricci::wrong::argument = {}, ricci::wrong::argument = {}) const { \
    static_assert(ricci::always_false<Given>, SAID);                                                          \
    return {};                                                                                                \
  }
