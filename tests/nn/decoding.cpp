// Sequences that are read piece by piece, with keys and values kept: the same as at once, at every place.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include <ricci/nn/attention.hpp>
#include <ricci/nn/init.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

using plain = nn::multi_head_attention<8, 2, double, nn::head_options{.causal = true}>;
using turned = nn::multi_head_attention<8, 2, double, nn::head_options{.causal = true, .rotary = true}>;

template <class Layer>
auto made() {
  auto p = nn::init<typename Layer::template params<>>(nn::key(4));
  p.query_bias = rc::linspace<double>(-1., 1., 8), p.key_bias = .3, p.value_bias = rc::linspace<double>(0., 2., 8);
  return p;
}
rc::tensor<double, 2, 7, 8> const x =
    rc::sin(rc::reshape(rc::arange<double>(0., 112.) * rc::arange<double>(1., 113.), rc::shape(2, 7, 8)));

template <class Y>
bool is_part(Y const& y, rc::ndarray<double, 3> const& all, rc::index_t from, rc::index_t to) {
  rc::ndarray<double, 3> const part = all(rc::all, rc::range(from, to));
  return numbers(y).near(numbers(part), 1e-13);
}

template <class Layer>
void compare() {
  auto const layer = made<Layer>();
  rc::ndarray<double, 3> const all = layer(x);
  // one place a time, in a cache of more places than there are
  typename Layer::template cache<9, 2>::template state<> one{};
  for (int k = 0; k < 7; ++k) {
    rc::tensor<double, 2, 1, 8> const now = x(rc::all, rc::slice<1>(k));
    rc::tensor<double, 2, 1, 8> const y = layer.decoded(now, one, k);
    CHECK(is_part(y, all, k, k + 1));
  }
  // pieces of three, one and three, of dynamic extents, in a cache that is full then
  typename Layer::template cache<7, rc::dyn>::template state<> pieces{rc::zeros<double>(rc::shape(2, 2, 7, 4)),
                                                                      rc::zeros<double>(rc::shape(2, 2, 7, 4))};
  for (rc::index_t from = 0, to = 3; from < 7; from = to, to = to == 3 ? 4 : 7) {
    rc::ndarray<double, 3> const now = x(rc::all, rc::range(from, to));
    rc::ndarray<double, 3> const y = layer.decoded(now, pieces, from);
    CHECK(is_part(y, all, from, to));
  }
  rc::tensor<double, 2, 1, 8> const more = x(rc::all, rc::slice<1>(0));
  CHECK(raised([&] { (void)layer.decoded(more, pieces, 7); }).starts_with("index_error: "));
}

}  // namespace

TEST_CASE("pieces of a sequence") { compare<plain>(); }
TEST_CASE("pieces of a sequence, turned by their places") { compare<turned>(); }
TEST_CASE("in a traced function, with the place as an argument") {
  auto const layer = made<turned>();
  rc::ndarray<double, 3> const all = layer(x);
  auto const step = rc::fn([](auto const& now, auto const& p, auto kept, auto const& place) {
    auto const y = p.decoded(now, kept, place);
    return std::pair(y, kept);
  });
  turned::cache<7, 2>::state<> kept{};
  for (rc::index_t k = 0; k < 7; ++k) {
    rc::tensor<double, 2, 1, 8> const now = x(rc::all, rc::slice<1>(k));
    auto const [y, next] = step(now, layer, kept, k);
    kept = next;
    CHECK(is_part(y, all, k, k + 1));
  }
  // by interpretation, and the derivative with respect to the last piece alone
  rc::tensor<double, 2, 1, 8> const last = x(rc::all, rc::slice<1>(6));
  auto const loss = [](auto const& now, auto const& p, auto old) {
    return rc::eval(rc::sum(rc::square(p.decoded(now, old, 6))));
  };
  CHECK(rc::check_grads(loss, last, layer, kept));
}
TEST_CASE("floats") {
  using layer_t = nn::multi_head_attention<8, 2, float, nn::head_options{.causal = true, .rotary = true}>;
  auto const layer = nn::init<layer_t::params<>>(nn::key(5));
  rc::tensor<float, 2, 7, 8> const z = rc::astype<float>(x);
  rc::tensor<float, 2, 7, 8> const all = layer(z);
  layer_t::cache<7, 2>::state<> kept{};
  for (int k = 0; k < 7; ++k) {
    rc::tensor<float, 2, 1, 8> const now = z(rc::all, rc::slice<1>(k)), y = layer.decoded(now, kept, k);
    rc::tensor<float, 2, 1, 8> const part = all(rc::all, rc::slice<1>(k));
    CHECK(numbers(y).near(numbers(part), 2e-6));
  }
  auto const before = kept.keys;
  rc::tensor<float, 2, 1, 8> const now = z(rc::all, rc::slice<1>(0));
  CHECK(raised([&] { (void)layer.decoded(now, kept, -1); }).find("index_error") == 0);
  CHECK(bool(rc::all(kept.keys == before)));
}
