// Files read and written with arguments in another order or of another kind: compile errors that say what is taken.
#pragma once

#include <ricci/core/wrong_argument.hpp>
#include <ricci/io/load.hpp>
#include <ricci/io/map.hpp>
#include <ricci/io/save.hpp>

namespace ricci::io {

namespace wrong_files {
// What is no path, stream, options or target: texts behind the path, numbers, and a tensor in front of it.
template <class X>
inline constexpr bool is_text_or_number = Arithmetic<std::remove_cvref_t<X>> || std::is_convertible_v<X, char const*>;
template <class... A>
inline constexpr bool are_out_of_place = sizeof...(A) == 0;
template <class First, class... Rest>
inline constexpr bool are_out_of_place<First, Rest...> = Tensor<std::remove_cvref_t<First>> ||
                                                         (is_text_or_number<Rest> || ...);
}  // namespace wrong_files

// (constrained, as a path is given by a conversion)
#define RICCI_READS(NAME, T, SAID)              \
  template <class Given = T, class... A>        \
  requires wrong_files::are_out_of_place<A...>  \
  constexpr ricci::wrong::result NAME(A&&...) { \
    static_assert(always_false<Given>, SAID);   \
    return {};                                  \
  }
RICCI_READS(
    load, any_tensor,
    "io::load takes the path, bytes or a stream first: rc::io::load<rc::ndarray<double, 2>>(path), with options "
    "by name behind it, as {.name = \"w\"}, or rc::io::load(path, target)")
template <class Given = void, class X>
requires(Tensor<X>) constexpr ricci::wrong::result map(std::string const&, X const&, load_options const& = {}) {
  static_assert(always_false<X>,
                "io::map gives a view of the file, and fills no tensor: auto x = rc::io::map<rc::ndarray<double, "
                "2>>(path); rc::io::load(path, x) fills one");
  return {};
}
template <class T, auto N, auto... Rest>
constexpr ricci::wrong::result load(std::string const&, load_options const& = {}) {
  static_assert(always_false<T>,
                "io::load is told the type of a tensor: rc::io::load<rc::ndarray<double, 2>>(path), or with extents "
                "rc::io::load<rc::tensor<double, 3, 3>>(path)");
  return {};
}
RICCI_READS(map, any_tensor,
            "io::map takes the path, and options by name behind it: rc::io::map<rc::ndarray<double, 2>>(path)")
#undef RICCI_READS
template <class T>
requires(!files::Loadable<T> && !files::Record<T>) constexpr T load(std::string const&, load_options const& = {}) {
  static_assert(always_false<T>,
                "io::load reads tensors, as rc::ndarray<double, 2>, numbers, an rc::any_tensor, and records of them; a "
                "std::vector is made of a tensor's begin() and end()");
  return T();
}
template <class T>
requires(!files::Owned<T> && !is_any_tensor<T>) constexpr ricci::wrong::result
    map(std::string const&, load_options const& = {}) {
  static_assert(always_false<T>,
                "io::map maps one array: rc::io::map<rc::ndarray<double, 2>>(path), one of several by {.name = \"w\"}");
  return {};
}
RICCI_WRONG_CALL(
    save,
    "io::save takes the path or a stream, then what is written, one tensor, number or record, then options "
    "by name: rc::io::save(path, x, {.delimiter = ';'}); a std::vector becomes a tensor by rc::asarray(v)")
RICCI_WRONG_CALL(to_bytes,
                 "io::to_bytes takes what is written, one tensor, number or record, and options by name: "
                 "rc::io::to_bytes(x, {.format = \"npy\"})")

}  // namespace ricci::io
