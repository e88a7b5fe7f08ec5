// Contractions of tensors of order 3 to 6, as in the suite of Springer and Bientinesi ("Design of a high-performance
// GEMM-like tensor-tensor multiplication", 2016), of a size that one core does in a tenth of a second.
#include <ricci/ricci.hpp>

#include "table.hpp"

namespace rc = ricci;

namespace bench {
namespace {

template <rc::pattern Spec, class C, class A, class B>
void contraction(char const* subscripts, double operations, C c, A a, B b) {
  std::string const name = std::string("einsum ") + subscripts;
  if (!wanted(name)) return;
  a = with_noise(a, 1), b = with_noise(b, 2);
  bind("a", a), bind("b", b);
  std::string const of = std::string("torch.einsum('") + subscripts + "', a, b)",
                    with = std::string("jnp.einsum('") + subscripts + "', a, b)",
                    plain = std::string("numpy.einsum('") + subscripts + "', a, b, optimize=True)";
  contest(name, {work::operations, operations}, {1, .85},
          contestant_of("ricci", [&] { return c = rc::einsum<Spec>(a, b), &c; }),
          together(python("torch", "a b", of.c_str()), python("jax", "a b", with.c_str()),
                   python("numpy", "a b", plain.c_str())));
}

template <int N>
using of_order = rc::ndarray<float, N>;

}  // namespace

void contractions() {
  title("contractions");
  contraction<"aebf, fdec -> abcd">("aebf,fdec->abcd", 2 * std::pow(32., 6), of_order<4>(32, 32, 32, 32),
                                    of_order<4>(32, 32, 32, 32), of_order<4>(32, 32, 32, 32));
  contraction<"bda, dc -> abc">("bda,dc->abc", 2. * 96 * 96 * 96 * 96, of_order<3>(96, 96, 96), of_order<3>(96, 96, 96),
                                of_order<2>(96, 96));
  contraction<"adb, dc -> abc">("adb,dc->abc", 2. * 96 * 96 * 96 * 96, of_order<3>(96, 96, 96), of_order<3>(96, 96, 96),
                                of_order<2>(96, 96));
  contraction<"acd, db -> abc">("acd,db->abc", 2. * 96 * 96 * 96 * 96, of_order<3>(96, 96, 96), of_order<3>(96, 96, 96),
                                of_order<2>(96, 96));
  contraction<"dca, bd -> abc">("dca,bd->abc", 2. * 96 * 96 * 96 * 96, of_order<3>(96, 96, 96), of_order<3>(96, 96, 96),
                                of_order<2>(96, 96));
  contraction<"dbea, ec -> abcd">("dbea,ec->abcd", 2 * std::pow(40., 5), of_order<4>(40, 40, 40, 40),
                                  of_order<4>(40, 40, 40, 40), of_order<2>(40, 40));
  contraction<"eafb, fdec -> abcd">("eafb,fdec->abcd", 2 * std::pow(24., 6), of_order<4>(24, 24, 24, 24),
                                    of_order<4>(24, 24, 24, 24), of_order<4>(24, 24, 24, 24));
  contraction<"aebf, dfce -> abcd">("aebf,dfce->abcd", 2 * std::pow(24., 6), of_order<4>(24, 24, 24, 24),
                                    of_order<4>(24, 24, 24, 24), of_order<4>(24, 24, 24, 24));
  contraction<"gdac, efbg -> abcdef">("gdac,efbg->abcdef", 2 * std::pow(12., 7), of_order<6>(12, 12, 12, 12, 12, 12),
                                      of_order<4>(12, 12, 12, 12), of_order<4>(12, 12, 12, 12));
}

}  // namespace bench
