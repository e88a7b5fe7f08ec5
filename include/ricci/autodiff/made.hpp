// A tree whose members are default-constructed. Initialisers that a record gives its fields are passed over: they are
// for a record of values; in one of derivatives or of a batch the field has another type.
#pragma once

#include <ricci/autodiff/tree.hpp>

namespace ricci::tree {
inline namespace RICCI_ABI {

template <class T>
constexpr T made();

struct made_by_default {
  template <class T>
  constexpr operator T() const {
    return made<T>();
  }
};

template <class T>
constexpr T made() {
  if constexpr (Leaf<T> || std::is_empty_v<T>) {
    return T{};
  } else if constexpr (is_tuple<T>) {
    return []<std::size_t... I>(std::index_sequence<I...>) { return T{made<std::tuple_element_t<I, T>>()...}; }
    (std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (std::is_aggregate_v<T>) {
    return []<std::size_t... I>(std::index_sequence<I...>) { return T{((void)I, made_by_default{})...}; }
    (std::make_index_sequence<count_members<T>()>{});
  } else {
    return T{};
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::tree
