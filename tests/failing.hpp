// The n-th allocation fails, for every n: replaces the global allocation functions of the test that includes it.
#pragma once

#include <vector>

#include "counted_memory.hpp"

namespace {
thread_local long countdown = -1;
bool is_to_fail(std::size_t) { return countdown >= 0 && countdown-- == 0; }
}  // namespace

#include <doctest/doctest.h>

namespace {

// Runs `program` until none of its allocations is left to fail, and says how many have failed.
template <class Program, class... Targets>
int fails_cleanly(Program const& program, Targets const&... targets) {
  std::vector<double> const before = [&] {
    std::vector<double> all;
    (all.insert(all.end(), targets.begin(), targets.end()), ...);
    return all;
  }();
  for (int n = 0;; ++n) {
    bool threw = false;
    live = 0, countdown = n, counts = true;
    try {
      program();
    } catch (std::bad_alloc const&) {
      threw = true;
    }
    counts = false;
    bool const failed = countdown < 0;
    INFO("allocation ", n);
    if (threw) {
      CHECK(live == 0);
      std::vector<double> after;
      (after.insert(after.end(), targets.begin(), targets.end()), ...);
      CHECK(after == before);
    }
    if (!failed) return n;
    if (!threw && sizeof...(targets) > 0) return n + 1;  // it went on without that memory, and the targets are new
  }
}

}  // namespace
