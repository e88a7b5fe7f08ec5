// `rc::symmetric`, an option of padding, of linear solves and of spectral windows, and the other ways of padding.
#pragma once

namespace ricci {

// What stands beyond the end: edge, the outermost element; reflect, what lies beside it, mirrored; symmetric, mirrored
// with the outermost element itself; wrap, what lies at the other end.
// (Numbers: where enumerators are compared, the operators of tensors are asked about them in every file.)
namespace padding_mode {
inline constexpr int edge = 0, reflect = 1, wrap = 2, symmetric = 3;
}
template <int M>
struct padding_t {};
inline constexpr padding_t<padding_mode::edge> edge{};
inline constexpr padding_t<padding_mode::reflect> reflect{};
inline constexpr padding_t<padding_mode::wrap> wrap{};
using symmetric_t = padding_t<padding_mode::symmetric>;
inline constexpr symmetric_t symmetric{};

}  // namespace ricci
