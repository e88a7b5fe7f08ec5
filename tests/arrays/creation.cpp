#include "forms.hpp"

namespace oracle {

void creation(registry& r) {
  add<only_compiled<>>(r, "arange", "dtype='int32', stop=0", "rc::arange<T>(stop), rc::arange<T>(start, stop, step)",
                       [](numbers n) { return rc::arange<i4>(n[0]); });
  add<only_compiled<>>(r, "arange", "dtype='float64', quarters=True", "", [](numbers n) {
    return rc::arange<double>(double(n[0]) / 4, double(n[1]) / 4, double(n[2]) / 4);
  });
  add<only_compiled<>>(r, "arange", "dtype='int64'", "",
                       [](numbers n) { return rc::arange<std::int64_t>(n[0], n[1], n[2]); });
  add<only_compiled<>>(r, "linspace", "dtype='float32'", "rc::linspace<T>(start, stop, n)",
                       [](numbers n) { return rc::linspace<float>(n[0], n[1], n[2]); });
  add<only_compiled<>>(r, "linspace", "dtype='float64'", "",
                       [](numbers n) { return rc::linspace<double>(n[0], n[1], n[2]); });
  add<only_compiled<>>(r, "eye", "dtype='int32'", "rc::eye<T>(n), rc::eye<T>(n, m)",
                       [](numbers n) { return rc::eye<i4>(n[0], n[1]); });
  add<only_compiled<>>(r, "zeros", "dtype='bool'", "rc::zeros<T>(rc::shape(n, m)), rc::zeros<T>(rc::extents<2, 3>{})",
                       [](numbers n) { return rc::zeros<bool>(rc::shape(n[0], n[1])); });
  add<only_compiled<>>(r, "ones", "dtype='complex64'", "rc::ones<T>(rc::shape(n, m))",
                       [](numbers n) { return rc::ones<c4>(rc::shape(n[0], n[1])); });
  add<only_compiled<>>(r, "full", "dtype='float16'", "rc::full<T>(rc::shape(n, m), number)",
                       [](numbers n) { return rc::full<rc::float16>(rc::shape(n[0], n[1]), n[2]); });
  add<only_compiled<>>(r, "empty", "dtype='float32'", "rc::empty<T>(rc::shape(n, m))", [](numbers n) {
    return rc::empty<float>(rc::shape(n[0], n[1])).shape() == rc::zeros<float>(rc::shape(n[0], n[1])).shape();
  });
  of_one<"zeros_like", all_types, 0, 0, false>(r, "", "rc::zeros_like(x)",
                                               [](auto const& x) { return rc::zeros_like(x); });
  of_one<"ones_like", all_types, 0, 0, false>(r, "", "rc::ones_like(x)",
                                              [](auto const& x) { return rc::ones_like(x); });
  of_one<"full_like", all_types, 0, 0, false>(r, "", "rc::full_like(x, number)",
                                              [](auto const& x) { return rc::full_like(x, 1); });
  of_one<"empty_like", all_types, 0, 0, false>(
      r, "", "rc::empty_like(x)", [](auto const& x) { return rc::empty_like(x).shape() == rc::zeros_like(x).shape(); });
  of_one<"asarray", all_types, 0, 0, false>(
      r, "dtype='float64'", "rc::asarray<T>(x), rc::asarray(range)", [](auto const& x) {
        if constexpr (rc::any_operands<decltype(x)>)
          return rc::asarray(x, rc::is_complex(x.dtype()) ? rc::dtype::complex128 : rc::dtype::float64);
        else if constexpr (rc::types::is_complex<rc::value_type_of<decltype(x)>>)
          return rc::asarray<c8>(x);
        else
          return rc::asarray<double>(x);
      });
  of_one<"astype", all_types>(r, "dtype='float32'", "rc::astype<T>(x)",
                              [](auto const& x) { return rc::astype<float>(x); });
  of_one<"astype", all_types, 0, 1>(r, "dtype='bool'", "", [](auto const& x) { return rc::astype<bool>(x); });
  of_one<"astype", numbers_of_reals, 0, 2>(r, "dtype='uint8'", "",
                                           [](auto const& x) { return rc::astype<std::uint8_t>(x); });
}

}  // namespace oracle
