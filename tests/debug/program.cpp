// What a debugger is to show: see printers.cmake. At each call of `stop` it prints variables of the caller.
#include <cstring>
#include <ricci/ricci.hpp>

namespace rc = ricci;

struct parameters {
  rc::tensor<float, 2> weight;
  rc::ndarray<double, 1> bias;
};

[[gnu::noinline]] void stop() { asm volatile(""); }

// An object that no constructor has seen.
template <class X>
struct uninitialised {
  alignas(64) unsigned char bytes[sizeof(X)];
  explicit uninitialised(int byte) { std::memset(bytes, byte, sizeof bytes); }
  X* object() { return reinterpret_cast<X*>(bytes); }
};

int main() {
  rc::tensor<float, 2, 3> place{{1, 2, 3}, {4, 5, 6.5}};
  rc::ndarray<double, 2> heap{{1, 2}, {3, -0.125}};
  rc::tensor<std::int32_t, rc::dim<"batch">> named(4);
  rc::tensor<bool, 2> flags{true, false};
  rc::tensor<std::int64_t, 1> wide{-9007199254740993};
  rc::tensor<std::uint8_t, 3> bytes{65, 0, 255};
  rc::tensor<rc::float16, 3> halves{0.1, -65504, 1e9};
  rc::tensor<std::complex<float>, 2> phases{{0.5f, -1.f}, {2.f, 0.25f}};
  rc::tensor<double> third = 1. / 3;
  rc::ndarray<float, 2> large(20, 30);
  large += rc::arange<float>(0, 30, 1);
  rc::ndarray<double, 2> empty(3, 0);
  parameters record{{1, 2}, {3, 4, 5}};

  auto column = heap(rc::all, 1);
  auto row = place(1);
  auto backwards = heap(rc::range(-1, -3, -1));
  rc::view<double, rc::extents<0>, rc::layout::row_major, false> nothing(nullptr, {});

  auto sum = 2. * heap + rc::exp(-column);
  auto rows = rc::sum(place * place, rc::axis<1>);
  auto const* recorded = &decltype(sum)::graph;

  uninitialised<rc::ndarray<double, 2>> bits(0xa5), zeros(0);
  uninitialised<decltype(column)> view_bits(0x11);
  uninitialised<decltype(sum)> node_bits(0x7f);
  auto *bad_tensor = bits.object(), *null_tensor = zeros.object();
  auto* bad_view = view_bits.object();
  auto* bad_node = node_bits.object();
  stop();

  auto const f = [](auto a, auto b) {
    auto product = a * rc::exp(b);
    auto total = rc::sum(product + 0.5f);
    stop();
    return total;
  };
  auto const value = rc::interpret(f)(place, 0.f);
  return value.item() > 0 ? 0 : 1;
}
