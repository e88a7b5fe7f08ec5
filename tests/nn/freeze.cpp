// A run as a header of constants: its text is that of frozen_net.hpp, and what that gives is the same bit for bit.
#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <ricci/nn/freeze.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/step.hpp>

#include "../raised.hpp"
#include "frozen_net.hpp"
#include "small_net.hpp"

namespace {

using namespace small_net;

auto example() {
  nn::key const key{7};
  auto run = nn::start(nn::init<net<>>(key), nn::init<net_state<>>(key), nn::sgd{}, key);
  run.params.in.b = rc::tensor<float, 4>{-0.f, 1e-40f, 3.4028235e38f, 1.f / 3};
  run.params.in.b(2) = 1e10f;
  run.params.temperature = .1;
  run.state.bn.mean = run.params.in.b * .5f;
  run.state.bn.variance(1) = 7e-4f;
  return run;
}
std::string contents(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream s;
  s << file.rdbuf();
  return s.str();
}
struct odd {
  std::int8_t least;
  std::int64_t wide;
  bool yes;
  rc::tensor<std::uint64_t> key;
  rc::tensor<rc::bfloat16, 2> halves;
  std::tuple<rc::tensor<int, 2, 1, 2>, double> pair;
};

}  // namespace

TEST_CASE("a run is written as a header, which gives the same bits") {
  auto const run = example();
  auto const path = (std::filesystem::temp_directory_path() / "ricci_nn_frozen.hpp").string();
  nn::freeze(path, run, {.name = "small"});
  CHECK(contents(path) == contents((std::filesystem::path(__FILE__).parent_path() / "frozen_net.hpp").string()));
  std::filesystem::remove(path);
  static_assert(small<net<>>.temperature.item() == .1);
  CHECK(std::memcmp(&small<net<>>, &run.params, sizeof run.params) == 0);
  CHECK(std::memcmp(&small_state<net_state<>>, &run.state, sizeof run.state) == 0);
  auto const a = rc::eval(rc::fn(scores)(run.params, run.state, input));
  auto const b = rc::eval(rc::fn(scores)(small<net<>>, small_state<net_state<>>, input));
  CHECK(std::memcmp(a.data(), b.data(), sizeof(float) * 8) == 0);
}

TEST_CASE("numbers of all types") {
  odd const x{-128,
              std::numeric_limits<std::int64_t>::min(),
              true,
              std::uint64_t(1) << 63,
              {rc::bfloat16(1.5f), rc::bfloat16(-3e-3f)},
              {{{{1, 2}}, {{3, -4}}}, 2.}};
  CHECK(nn::frozen_source(x).substr(std::strlen("// Written by nn::freeze of the tensor library ricci.\n")) ==
        "// clang-format off\n#pragma once\n\ntemplate <class Model>\ninline constexpr Model learned{\n"
        "    .least = (-127 - 1),\n    .wide = (-9223372036854775807ll - 1),\n    .yes = true,\n"
        "    .key = {9223372036854775808ull},\n"
        "    .halves = {ricci::bfloat16(1.5f), ricci::bfloat16(-0.0030059814f)},\n"
        "    .pair = {{{{1, 2}}, {{3, -4}}}, 2.0}};\n");
}

TEST_CASE("what is no constant is refused") {
  rc::tensor<float, 2> const bad{1, std::numeric_limits<float>::infinity()};
  auto const pair = std::pair(1, bad);
  CHECK(raised([&] { (void)nn::frozen_source(pair); }) ==
        "value_error: nn::freeze: 1 has an element that is not finite");
  CHECK(raised([&] { (void)nn::frozen_source(1.f, {.name = "a net"}); }) ==
        "value_error: nn::freeze: \"a net\" is no name of a constant");
  CHECK_THROWS_AS(nn::freeze("/nowhere/x.hpp", 1.f), rc::io_error);
}
