// Two apples at 100 with a tax of a tenth: what they cost, and by how much that would change with each of the numbers.
// The first example of K. Saitoh, Deep Learning from Scratch, 2016, chapter 5, by a function and by statements.
#include <cstdio>

#include <ricci/ricci.hpp>

namespace rc = ricci;

constexpr auto price = [](auto apple, auto count, auto tax) { return apple * count * tax; };

int main() {
  auto const [cost, by] = rc::value_and_grad<0, 1, 2>(price)(100., 2., 1.1);
  auto const [by_apple, by_count, by_tax] = by;
  std::printf("%g: %g by an apple's price, %g by their number, %g by the tax\n", double(cost), double(by_apple),
              double(by_count), double(by_tax));

  rc::tape tape;
  auto apple = tape.variable(rc::tensor<double>(100)), count = tape.variable(rc::tensor<double>(2)),
       tax = tape.variable(rc::tensor<double>(1.1));
  rc::variable all = apple * count;
  rc::variable taxed = all * tax;
  taxed.backward();
  std::printf("%g: %g by an apple's price, %g by their number, %g by the tax\n", double(taxed), double(apple.grad()),
              double(count.grad()), double(tax.grad()));
}
