// Batching of elementwise operations (batching.hpp).
#include "batching.hpp"
#include "list.hpp"

TEST_CASE("a batch of elementwise operations is as a loop over them") {
  operations::for_each_elementwise([]<class Op>(Op) {
    if constexpr (Op::operand_type(ricci::dtype::float64) == ricci::dtype::float64) {
      bool positive = false;  // where some negative operands have no result
      if constexpr (Op::arity == 2 && Op::result_type(ricci::dtype::float64) == ricci::dtype::float64)
        positive = std::isnan(double(Op::kernel(-1.3, 0.7)));
      using checker = batching::checker<derivatives::elementwise_case<Op>>;
      checker::against_a_loop(Op::domain.low, Op::domain.high, positive);
    }
  });
}
TEST_CASE("operands of other orders, some of them the same for all") {
  batching::checker<derivatives::elementwise_case<ricci::subtract_t>>::run("subtract", -2, 2, false);
  batching::checker<derivatives::elementwise_case<ricci::clip_t>>::run("clip", -2, 2, false);
}
