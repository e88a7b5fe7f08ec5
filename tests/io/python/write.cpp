// Writes files into the folder that is its argument; check.py reads them with other people's readers.
#include <ricci/io.hpp>

namespace rc = ricci;

template <class T>
void write(std::string const& folder, T) {
  rc::ndarray<T, 2> a(3, 4);
  for (int k = 0; k < 12; ++k) a.data()[k] = rc::scalar::convert<T>(k % 2);
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
  if (rc::files::has_zlib) rc::io::save(folder + "/compressed.npz", record{}, {.compress = true});
}
