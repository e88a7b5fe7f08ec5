// std::format of tensors and expressions, with a standard library that has it: `std::format("{:.3f}", x)` gives
// [1.000 2.000], laid out as printing does, long axes in part. What stands behind the colon is for each element.
#pragma once

#include <ricci/ricci.hpp>

#include <format>

namespace ricci::formatting {

// As what an element is formatted: halves as float, of complex numbers the parts, integers of one byte as numbers.
template <class T>
struct formatted_as {
  using type = std::conditional_t<is_integer(dtype_of<T>) && sizeof(T) == 1, int, computed_t<T>>;
};
template <class T>
struct formatted_as<std::complex<T>> {
  using type = T;
};
// what printing writes to
template <class Element, class Context>
struct sink {
  std::formatter<Element, char> const& formatter;
  Context& context;

  void text(char const* s) {
    auto to = context.out();
    for (; *s != '\0'; ++s) *to++ = *s;
    context.advance_to(to);
  }
  sink& operator<<(char const* s) { return text(s), *this; }
  void number(Element x) { context.advance_to(formatter.format(x, context)); }
  template <class T>
  void element(T const& x) {
    if constexpr (is_complex_number<T>) {
      number(x.real());
      if (!__builtin_signbit(x.imag())) text("+");
      number(x.imag());
      text("j");
    } else {
      number(static_cast<Element>(x));
    }
  }
};

template <class X>
concept Formattable = Tensor<X> && is_native_tensor<X> && !is_symbol<X>;

}  // namespace ricci::formatting

template <ricci::formatting::Formattable X>
struct std::formatter<X, char> {
  using element = typename ricci::formatting::formatted_as<ricci::value_type_of<X>>::type;

  constexpr auto parse(auto& context) { return of_elements_.parse(context); }
  template <class Context>
  auto format(X const& x, Context& context) const {
    auto const value = ricci::eval(x, ricci::exec::default_context{});
    ricci::formatting::sink<element, Context> to{of_elements_, context};
    auto const extents = value.extent_values();
    ricci::storage::print_axis(to, value.data(), extents.data(), ricci::rank_of<X>, 0,
                               ricci::storage::is_printed_whole(extents.data(), ricci::rank_of<X>));
    return context.out();
  }

 private:
  std::formatter<element, char> of_elements_;
};
#if defined(__cpp_lib_format_ranges)
template <class T, ricci::index_t... E>
inline constexpr std::range_format std::format_kind<ricci::tensor<T, E...>> = std::range_format::disabled;
#endif
