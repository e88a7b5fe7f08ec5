// An array on the heap with one owner: freed when that goes, by whatever way. Constant expressions may use it, too.
#pragma once

#include <ricci/core/types.hpp>

RICCI_OPTIMIZED
namespace ricci::core {
inline namespace RICCI_ABI {

template <class T>
class owned_array {
 public:
  constexpr owned_array() = default;
  // elements are zero
  constexpr explicit owned_array(index_t n) : elements_(new T[static_cast<std::size_t>(n > 0 ? n : 1)]{}) {}
  owned_array(owned_array const&) = delete;
  constexpr owned_array(owned_array&& other) noexcept : elements_(other.elements_) { other.elements_ = nullptr; }
  constexpr owned_array& operator=(owned_array&& other) noexcept {
    T* const mine = elements_;
    elements_ = other.elements_;
    other.elements_ = mine;
    return *this;
  }
  constexpr ~owned_array() { delete[] elements_; }

  constexpr explicit operator bool() const { return elements_ != nullptr; }
  constexpr T& operator[](index_t k) { return elements_[k]; }
  constexpr T const& operator[](index_t k) const { return elements_[k]; }

 private:
  T* elements_ = nullptr;
};

}  // namespace RICCI_ABI
}  // namespace ricci::core
RICCI_OPTIMIZED_END
