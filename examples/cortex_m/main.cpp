// Reads handwritten digits: a program that is the same on a PC and on a microcontroller without operating system, heap
// and exceptions. The net and the pictures are constants and stay in flash; what is computed lies on the stack.
#include "learned.hpp"
#include "net.hpp"
#include "output.hpp"
#include "pictures.hpp"

namespace {

// What the net takes a picture for, and how likely it thinks each digit.
constexpr auto reading = [](auto const& p, auto const& ink) {
  auto z = scores(p, ink);
  return std::pair(rc::argmax(z), rc::softmax(z, rc::axis<0>));
};

rc::tensor<float, pixels> ink_of(int picture) {
  rc::tensor<float, pixels> ink;
  for (int k = 0; k < pixels; ++k) ink(k) = static_cast<float>(pictures<examples>.ink(picture, k)) / most_ink;
  return ink;
}

void say_number(int n, int digits) {
  char text[12] = {};
  for (int k = digits - 1; k >= 0; --k, n /= 10) text[k] = static_cast<char>('0' + n % 10);
  say(text);
}

}  // namespace

int main() {
  int right = 0;
  for (int n = 0; n < shown; ++n) {
    int const label = pictures<examples>.labels(n);
    auto const [digit, likely] = rc::fn(reading)(learned<params<>>, ink_of(n));
    int const seen = static_cast<int>(digit.item());
    right += seen == label;
    say("digit "), say_number(label, 1), say(" taken for "), say_number(seen, 1), say(", ");
    say_number(static_cast<int>(likely(seen) * 1000 + 0.5f), 4), say("/1000 sure\n");
  }
  say_number(right, 2), say(" of "), say_number(shown, 2), say(" read right\n");
  return 0;
}
