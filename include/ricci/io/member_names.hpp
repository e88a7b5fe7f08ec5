// The names of an aggregate's members, as the compiler knows them: it writes the address of a member that is an
// argument of a template into the name of that template's functions.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
    name_at<std::addressof(tree::get<I>(tree::members(object_of<X>.value)))>();

inline namespace RICCI_ABI {

// The leaves of a record by their names: members of members are joined by dots, those of tuples and arrays are called
// 0, 1, 2. What is done with a leaf of a type stands in rules for that type, so that whoever goes through the list does
// it in one loop, which is compiled once for all records.
struct leaf_list {
  struct leaf {
    std::string name;
    void* at;
    void const* rules;
  };
  std::vector<leaf> all;
  std::string path;

  // name, or number k where it is empty
  RICCI_COLD std::size_t enter(std::string_view name, std::size_t k) {
    std::size_t const before = path.size();
    if (before > 0) path += '.';
    if (name.empty())
      path += std::to_string(k);
    else
      path += name;
    return before;
  }
  template <class = void>
  RICCI_COLD void add(std::string_view name, std::size_t k, void const* at, void const* rules) {
    std::size_t const before = enter(name, k);
    all.push_back({path, const_cast<void*>(at), rules});
    path.resize(before);
  }
};

template <class X, class Names>
struct names_of_members;
template <class X, std::size_t... I>
struct names_of_members<X, std::index_sequence<I...>> {
  static constexpr std::string_view at[] = {member_name<X, I>..., {}};
};

// `Rules<T>::value` are what `leaf_list::leaf::rules` points at for leaves of type T.
template <template <class> class Rules, class X>
void list_leaves(X& x, leaf_list& to);
template <template <class> class Rules, class X>
struct list_members {
  leaf_list& to;
  template <class... M>
  RICCI_COLD void operator()(M&... m) const {
    [[maybe_unused]] std::size_t k = 0;
    if constexpr (tree::is_tuple<X>)
      (one({}, k, tree::plain_number(m)), ...);
    else
      (one(names_of_members<X, std::index_sequence_for<M...>>::at[k], k, tree::plain_number(m)), ...);
  }
  template <class M>
  void one(std::string_view name, std::size_t& k, M& m) const {
    using T = std::remove_cv_t<M>;
    if constexpr (tree::Leaf<T> || is_any_tensor<T>) {
      to.add(name, k, std::addressof(m), &Rules<T>::value);
    } else {
      std::size_t const before = to.enter(name, k);
      list_leaves<Rules>(m, to);
      to.path.resize(before);
    }
    ++k;
  }
};
template <template <class> class Rules, class X>
RICCI_COLD void list_leaves(X& x, leaf_list& to) {
  tree::with_members(x, list_members<Rules, std::remove_cv_t<X>>{to});
}
template <template <class> class Rules, class X>
RICCI_COLD leaf_list leaves_of(X& x) {
  leaf_list list;
  list_leaves<Rules>(x, list);
  return list;
}

}  // namespace RICCI_ABI
}  // namespace ricci::files

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
