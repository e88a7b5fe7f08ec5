// Contractions of tensors: the 24 of the suite of Springer and Bientinesi ("Design of a high-performance GEMM-like
// tensor-tensor multiplication", 2016) with their letters in row-major order, of sizes that one core does in a tenth of
// a second, and some more, in which letters of the result alternate between the operands.
#include <ricci/ricci.hpp>

#include <cstring>

#include "table.hpp"

namespace rc = ricci;

namespace bench {
namespace {

// an array of order N, of which each axis has the extent of its letter
template <int N>
rc::ndarray<float, N> of_letters(char const* letters, std::vector<rc::index_t> const& extent) {
  rc::index_t shape[N];
  for (int k = 0; k < N; ++k) shape[k] = extent[std::size_t(letters[k] - 'a')];
  return [&]<std::size_t... K>(std::index_sequence<K...>) { return rc::ndarray<float, N>(shape[K]...); }
  (std::make_index_sequence<N>{});
}
constexpr int letters_before(char const* s, char end) {
  int n = 0;
  while (s[n] != end) ++n;
  return n;
}

// `subscripts` as in "ab,bc->ac", of which letter k has extent[k]
template <rc::pattern Spec>
void contraction(char const* subscripts, std::vector<rc::index_t> const& extent) {
  std::string const name = std::string("einsum ") + subscripts;
  if (!wanted(name)) return;
  constexpr char const* spec = Spec.text;
  constexpr int a_order = letters_before(spec, ','), b_order = letters_before(spec + a_order + 2, ' '),
                c_order = letters_before(spec + a_order + b_order + 6, '\0');
  auto const a = with_noise(of_letters<a_order>(subscripts, extent), 1),
             b = with_noise(of_letters<b_order>(subscripts + a_order + 1, extent), 2);
  auto c = of_letters<c_order>(subscripts + a_order + b_order + 3, extent);
  double operations = 2;
  for (auto const n : extent) operations *= double(n);
  bind("a", a), bind("b", b);
  std::string const of = std::string("torch.einsum('") + subscripts + "', a, b)",
                    with = std::string("jnp.einsum('") + subscripts + "', a, b)",
                    plain = std::string("numpy.einsum('") + subscripts + "', a, b, optimize=True)";
  contest(name, {work::operations, operations}, {1, .85},
          contestant_of("ricci", [&] { return c = rc::einsum<Spec>(a, b), &c; }),
          together(python("torch", "a b", of.c_str()), python("jax", "a b", with.c_str()),
                   python("numpy", "a b", plain.c_str())));
}

}  // namespace

void contractions() {
  title("contractions");
  // coupled clusters
  contraction<"cb, ac -> ab">("cb,ac->ab", {1000, 1008, 1008});
  contraction<"cdb, dac -> ab">("cdb,dac->ab", {160, 168, 168, 160});
  contraction<"cbd, adc -> ab">("cbd,adc->ab", {160, 168, 168, 168});
  contraction<"dac, bd -> abc">("dac,bd->abc", {160, 160, 168, 168});
  contraction<"adc, db -> abc">("adc,db->abc", {160, 168, 168, 160});
  contraction<"adec, ebd -> abc">("adec,ebd->abc", {44, 44, 48, 48, 44});
  contraction<"ecfd, fbea -> abcd">("ecfd,fbea->abcd", {48, 44, 44, 48, 44, 44});
  contraction<"ecfd, bfae -> abcd">("ecfd,bfae->abcd", {44, 44, 44, 48, 48, 44});
  contraction<"aedf, bfce -> abcd">("aedf,bfce->abcd", {44, 44, 44, 48, 48, 48});
  // a tensor times a matrix
  contraction<"cdb, ad -> abc">("cdb,ad->abc", {24, 168, 168, 168});
  contraction<"cad, db -> abc">("cad,db->abc", {160, 24, 168, 168});
  contraction<"deca, be -> abcd">("deca,be->abcd", {48, 24, 44, 48, 48});
  contraction<"dbea, ec -> abcd">("dbea,ec->abcd", {48, 44, 24, 48, 44});
  contraction<"adce, eb -> abcd">("adce,eb->abcd", {44, 24, 44, 48, 48});
  contraction<"bedfa, fc -> abcde">("bedfa,fc->abcde", {24, 20, 24, 20, 24, 20});
  contraction<"efdca, bf -> abcde">("efdca,bf->abcde", {24, 24, 20, 20, 24, 24});
  contraction<"becfa, fd -> abcde">("becfa,fd->abcde", {24, 20, 20, 24, 24, 20});
  // a change of basis
  contraction<"de, abce -> abcd">("de,abce->abcd", {44, 44, 44, 48, 48});
  contraction<"ce, abed -> abcd">("ce,abed->abcd", {44, 44, 44, 48, 48});
  contraction<"be, aecd -> abcd">("be,aecd->abcd", {44, 44, 44, 48, 48});
  // triples of coupled clusters
  contraction<"fgbc, deag -> abcdef">("fgbc,deag->abcdef", {12, 12, 24, 12, 12, 24, 24});
  contraction<"egbc, dfag -> abcdef">("egbc,dfag->abcdef", {12, 12, 24, 12, 12, 24, 24});
  contraction<"dgbc, efag -> abcdef">("dgbc,efag->abcdef", {12, 12, 24, 12, 12, 24, 24});
  contraction<"egac, dfbg -> abcdef">("egac,dfbg->abcdef", {12, 12, 24, 12, 12, 24, 24});
  // others
  contraction<"bda, dc -> abc">("bda,dc->abc", {96, 96, 96, 96});
  contraction<"dca, bd -> abc">("dca,bd->abc", {96, 96, 96, 96});
  contraction<"acd, db -> abc">("acd,db->abc", {96, 96, 96, 96});
  contraction<"aebf, fdec -> abcd">("aebf,fdec->abcd", {32, 32, 32, 32, 32, 32});
  contraction<"gdac, efbg -> abcdef">("gdac,efbg->abcdef", {12, 12, 12, 12, 12, 12, 12});
}

}  // namespace bench
