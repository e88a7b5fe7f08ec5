// Writes files into the folder that is its argument; check.py reads them with other people's readers.
#include <ricci/io.hpp>

#if defined(RICCI_TEST_HDF5)
#include <ricci/hdf5.hpp>
#endif

namespace rc = ricci;

template <class T>
rc::ndarray<T, 2> zeros_and_ones() {
  rc::ndarray<T, 2> a(3, 4);
  for (int k = 0; k < 12; ++k) a.data()[k] = rc::scalar::convert<T>(k % 2);
  return a;
}
#if defined(RICCI_TEST_HDF5)
template <class T>
void add(std::map<std::string, rc::any_tensor>& to, T) {
  if constexpr (!std::is_same_v<T, rc::bfloat16>) to.emplace(rc::name_of(rc::dtype_of<T>), zeros_and_ones<T>());
}
#endif
template <class T>
void write(std::string const& folder, T) {
  rc::ndarray<T, 2> const a = zeros_and_ones<T>();
  std::string const name = rc::name_of(rc::dtype_of<T>);
  if constexpr (!std::is_same_v<T, rc::bfloat16>) rc::io::save(folder + "/" + name + ".npy", a);
  rc::io::save(folder + "/" + name + "_none.npz", std::map<std::string, rc::any_tensor>{});
  if constexpr (!std::is_same_v<T, std::complex<double>>)
    rc::io::save(folder + "/" + name + ".safetensors",
                 std::map<std::string, rc::any_tensor>{{"x", a}, {"y \"\\", a(1)}});
}
struct record {
  rc::tensor<float, 2, 3> w{{1, 2, 3}, {4, 5, 6}};
  rc::ndarray<std::int64_t, 1> b{7, 8};
  double s = 0.5;
  std::array<rc::tensor<std::uint8_t, 3>, 2> bytes{};
};

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  std::string const folder = argv[1];
  [&]<class... T>(rc::type_list<T...>) { (write(folder, T{}), ...); }(rc::element_types{});
  rc::io::save(folder + "/order0.npy", 2.5);
  rc::io::save(folder + "/empty.npy", rc::ndarray<float, 2>(0, 3));
  rc::io::save(folder + "/order12.npy", rc::ndarray<float, 12>(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2));
  rc::io::save(folder + "/record.npz", record{});
  rc::io::save(folder + "/record.safetensors", record{});
  {
    rc::files::file_sink s(folder + "/zip64.npz");
    rc::files::zip_writer z(s, 0);
    rc::tensor<double, 3> const x{1, 2, 3};
    rc::files::with_rows(x, [&](rc::files::array_view const& a) {
      std::string_view const elements(reinterpret_cast<char const*>(x.data()), 24);
      for (char const* name : {"x.npy", "y.npy"}) z.add(name, rc::files::npy_start("", a), elements, false);
    });
    z.finish();
    s.commit();
  }
#if defined(RICCI_TEST_HDF5)
  rc::hdf5::save(folder + "/record.h5", record{});
  std::map<std::string, rc::any_tensor> types;
  [&]<class... T>(rc::type_list<T...>) { (add(types, T{}), ...); }(rc::element_types{});
  rc::hdf5::save(folder + "/types.h5", types);
#endif
  if (rc::files::has_zlib) rc::io::save(folder + "/compressed.npz", record{}, {.compress = true});
}
