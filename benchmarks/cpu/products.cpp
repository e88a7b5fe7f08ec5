// Products of matrices beside MKL's and OpenBLAS's; thin ones; batches of small ones.
#include <ricci/ricci.hpp>

#include "blas.hpp"

namespace rc = ricci;

namespace bench {
namespace {

template <class T>
using matrix = rc::ndarray<T, 2>;

std::string text(product_shape s) {
  return std::to_string(s.m) + "x" + std::to_string(s.k) + "x" + std::to_string(s.n);
}

template <class T, bool TransposeA = false, bool TransposeB = false>
void product(product_shape s, std::string name, goals g) {
  s.a_is_transposed = TransposeA, s.b_is_transposed = TransposeB;
  if (!wanted(name)) return;
  matrix<T> const a = with_noise(TransposeA ? matrix<T>(s.k, s.m) : matrix<T>(s.m, s.k), 1),
                  b = with_noise(TransposeB ? matrix<T>(s.n, s.k) : matrix<T>(s.k, s.n), 2);
  matrix<T> c(s.m, s.n), other(s.m, s.n);
  auto const of = [&] {
    if constexpr (TransposeA)
      c = rc::matmul(rc::matrix_transpose(a), b);
    else if constexpr (TransposeB)
      c = rc::matmul(a, rc::matrix_transpose(b));
    else
      c = rc::matmul(a, b);
    return &c;
  };
  auto all = blas(s, a.data(), b.data(), other.data());
#if BENCH_EIGEN
  using E = Eigen::Matrix<T, -1, -1, Eigen::RowMajor>;
  Eigen::Map<E const> const ea(a.data(), a.shape(0), a.shape(1)), eb(b.data(), b.shape(0), b.shape(1));
  E e(s.m, s.n);
  auto const with_eigen = [&] {
    if constexpr (TransposeA)
      e.noalias() = ea.transpose() * eb;
    else if constexpr (TransposeB)
      e.noalias() = ea * eb.transpose();
    else
      e.noalias() = ea * eb;
    touch(e.data());
  };
  all.push_back({"Eigen", with_eigen, [&] { return with_eigen(), numbers(e.data(), e.data() + e.size()); }});
#endif
  contest(name, {sizeof(T) == 4 ? work::operations : work::operations_of_doubles, 2. * double(s.m * s.n) * double(s.k)},
          g, contestant_of("ricci", of), all);
}

// relu(A B + bias), at once and by two statements
void dense_layer(product_shape s) {
  std::string const name = "relu(A B + b) " + text(s);
  if (!wanted(name)) return;
  using F = matrix<float>;
  F const a = with_noise(F(s.m, s.k), 1), b = with_noise(F(s.k, s.n), 2);
  rc::ndarray<float, 1> const bias = with_noise(rc::ndarray<float, 1>(s.n), 3);
  F c(s.m, s.n), d(s.m, s.n);
  bind("a", a), bind("b", b), bind("bias", bias);
  contest(name, {work::operations, 2. * double(s.m * s.n) * double(s.k)}, {1, .88},
          contestant_of("ricci", [&] { return c = rc::relu(rc::matmul(a, b) + bias), &c; }),
          together({contestant_of("two passes", [&] { return d = rc::matmul(a, b), d = rc::relu(d + bias), &d; })},
                   python("torch", "a b bias", "torch.relu(torch.addmm(bias, a, b))"),
                   python("jax", "a b bias", "jax.nn.relu(a @ b + bias)")));
}

void matrix_vector(long m, long k, bool transposed) {
  product_shape const s = transposed ? product_shape{k, 1, m, true} : product_shape{m, 1, k};
  std::string const name = (transposed ? "A^T x " : "A x ") + std::to_string(m) + "x" + std::to_string(k);
  if (!wanted(name)) return;
  matrix<float> const a = with_noise(matrix<float>(m, k), 1);
  rc::ndarray<float, 1> const x = with_noise(rc::ndarray<float, 1>(s.k), 2);
  rc::ndarray<float, 1> y(s.m), other(s.m);
  bind("a", a), bind("x", x);
  auto all =
      together(blas(s, a.data(), x.data(), other.data()), python("numpy", "a x", transposed ? "x @ a" : "a @ x"));
#if BENCH_EIGEN
  Eigen::Map<Eigen::Matrix<float, -1, -1, Eigen::RowMajor> const> const ea(a.data(), m, k);
  Eigen::Map<Eigen::VectorXf const> const ex(x.data(), s.k);
  Eigen::VectorXf e(s.m);
  auto const with_eigen = [&] {
    if (transposed)
      e.noalias() = ea.transpose() * ex;
    else
      e.noalias() = ea * ex;
    touch(e.data());
  };
  all.push_back({"Eigen", with_eigen, [&] { return with_eigen(), numbers(e.data(), e.data() + e.size()); }});
#endif
  contest(name, {work::bytes, 4. * double(m * k)}, {},
          contestant_of("ricci",
                        [&] {
                          if (transposed)
                            y = rc::matmul(x, a);
                          else
                            y = rc::matmul(a, x);
                          return &y;
                        }),
          all);
}

template <int N>
void batch(long count) {
  std::string const size = std::to_string(N) + "x" + std::to_string(N), name = std::to_string(count) + " of " + size;
  if (!wanted(name)) return;
  rc::ndarray<float, 3> const a = with_noise(rc::ndarray<float, 3>(count, N, N), 1),
                              b = with_noise(rc::ndarray<float, 3>(count, N, N), 2);
  rc::tensor<float, rc::dyn, N, N> const sa = a, sb = b;
  rc::ndarray<float, 3> c(count, N, N), other(count, N, N);
  rc::tensor<float, rc::dyn, N, N> sc = a;
  using M = rc::tensor<float, N, N>;
  std::vector<M> va(static_cast<std::size_t>(count)), vb(va), vc(va);
  for (std::size_t k = 0; k < va.size(); ++k) va[k] = a(rc::index_t(k)), vb[k] = b(rc::index_t(k));
  bind("a", a), bind("b", b);
  contestant const loop{"own loop",
                        [&] {
                          for (std::size_t k = 0; k < va.size(); ++k) vc[k] = rc::matmul(va[k], vb[k]);
                          touch(vc.data());
                        },
                        [&] {
                          numbers r;
                          for (auto const& m : vc)
                            for (auto const& e : numbers_of(m)) r.push_back(e);
                          return r;
                        }};
  auto const all = together(blas({N, N, N}, a.data(), b.data(), other.data(), count), {loop},
                            python("torch", "a b", "torch.bmm(a, b)"), python("jax", "a b", "a @ b"));
  work const w{work::operations, 2. * N * N * N * double(count)};
  contest(name + ", dynamic", w, {}, contestant_of("ricci", [&] { return c = rc::matmul(a, b), &c; }), all);
  contest(name + ", static", w, {}, contestant_of("ricci", [&] { return sc = rc::matmul(sa, sb), &sc; }), all);
}

}  // namespace

void large_products() {
  title("products of matrices, m x k x n");
  for (long n : {32, 64, 100, 128, 256, 512, 1000, 1024, 2048})
    product<float>({n, n, n}, "sgemm " + std::to_string(n), {1, .9});
  product<float, true>({1024, 1024, 1024}, "sgemm A^T B 1024", {1, .9});
  product<float, false, true>({1024, 1024, 1024}, "sgemm A B^T 1024", {1, .9});
  for (long n : {64, 256, 1024}) product<double>({n, n, n}, "dgemm " + std::to_string(n), {1, .9});
  dense_layer({256, 256, 256});
  dense_layer({1024, 1024, 1024});
  title("thin products, m x k x n");
  for (product_shape const s :
       {product_shape{256, 64, 10}, {1024, 1024, 8}, {1024, 8, 1024}, {8, 1024, 1024}, {1, 128, 784}})
    product<float>(s, "thin " + text(s), {});
  for (bool const transposed : {false, true}) {
    matrix_vector(1000, 150, transposed);
    matrix_vector(1024, 1024, transposed);
    matrix_vector(128, 784, transposed);
  }
}

void batches() {
  title("batches of small products");
  for (long count : {64L, 10000L}) batch<3>(count), batch<4>(count), batch<8>(count), batch<16>(count);
}

}  // namespace bench
