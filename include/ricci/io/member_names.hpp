// The names of an aggregate's members, as the compiler knows them: it writes the address of a member that is an
// argument of a template into the name of that template's functions.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <ricci/autodiff/tree.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

namespace ricci::files {

// An object that is never defined, whose members have addresses nevertheless.
template <class X>
struct undefined {
  X value;
};
template <class X>
extern undefined<X> const object_of;

template <auto Address>
constexpr auto name_at() {  // auto: g++ would name the type behind the address
  std::string_view s = __PRETTY_FUNCTION__;
  auto const is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  while (!s.empty() && !is_letter(s.back())) s.remove_suffix(1);
  std::size_t n = 0;
  while (n < s.size() && is_letter(s[s.size() - 1 - n])) ++n;
  return s.substr(s.size() - n);
}
template <class X, std::size_t I>
inline constexpr std::string_view member_name =
    name_at<std::addressof(std::get<I>(tree::members(object_of<X>.value)))>();

inline namespace RICCI_ABI {

// (A function of its own, not inlined: strings are put together for every member.)
RICCI_COLD inline std::string joined(std::string const& before, std::string_view name, bool is_record) {
  std::string all(before);
  all += name;
  if (is_record) all += '.';
  return all;
}
RICCI_COLD inline std::string joined(std::string const& before, std::size_t place, bool is_record) {
  return joined(before, std::to_string(place), is_record);
}
// f(name, leaf) for every tensor and number of a record; members of members are joined by dots, those of tuples and
// arrays are called 0, 1, 2.
template <class X, class F>
RICCI_COLD void for_each_named_leaf(X& x, std::string const& before, F const& f) {
  auto const each = [&]<class M>(auto const& name, M& m) {
    constexpr bool is_leaf = tree::Leaf<M> || is_any_tensor<std::remove_cv_t<M>>;
    std::string const all = joined(before, name, !is_leaf);
    if constexpr (is_leaf)
      f(all, m);
    else
      for_each_named_leaf(m, all, f);
  };
  using Record = std::remove_cv_t<X>;
  auto const all = tree::members(x);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr (tree::is_tuple<Record>)
      (each(I, std::get<I>(all)), ...);
    else
      (each(member_name<Record, I>, std::get<I>(all)), ...);
  }
  (std::make_index_sequence<std::tuple_size<std::remove_cv_t<decltype(all)>>::value>{});
}

}  // namespace RICCI_ABI
}  // namespace ricci::files

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
