// Calls on the CPU: the loop of the operation, once for every combination of the loops before it; threads share these.
#pragma once

#include <ricci/exec/cpu/cores_in_lanes.hpp>
#include <ricci/exec/cpu/map.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr index_t call_scratch = RICCI_SMALL_STACK ? 256 : 32768;

// The workspace of one thread that runs cores: on the stack, or one of those in g.memory, each behind a byte that says
// whether it is taken. There are as many as threads, so one is free.
class call_workspace {
 public:
  static constexpr index_t flag_bytes = 64;
  // how far it is from one to the next
  static constexpr index_t distance(index_t bytes) { return flag_bytes + core::whole_lines(bytes); }

  call_workspace(geometry const& g, index_t bytes) {
    if (bytes <= call_scratch) return;
    taken_ = g.memory;
    if constexpr (RICCI_HAS_THREADS)
      while (__atomic_test_and_set(taken_, __ATOMIC_ACQUIRE)) taken_ += distance(bytes);
  }
  call_workspace(call_workspace const&) = delete;
  ~call_workspace() {
    if constexpr (RICCI_HAS_THREADS)
      if (taken_) __atomic_clear(taken_, __ATOMIC_RELEASE);
  }
  char* data() { return taken_ ? taken_ + flag_bytes : stack_; }

 private:
  alignas(64) char stack_[call_scratch];
  char* taken_ = nullptr;
};

// Pieces of a call that its threads share, in any order, and a workspace for each thread: of so many bytes, on the
// stack or in g.memory.
struct shared_units {
  index_t units, bytes;
  bool are_alone;  // one thread runs all

  index_t workspaces(geometry const& g) const { return are_alone ? 1 : units < g.threads ? units : g.threads; }
  // how large g.memory is to be
  index_t memory(geometry const& g) const {
    return units == 0 || bytes <= call_scratch ? 0 : workspaces(g) * call_workspace::distance(bytes);
  }
  // f(from, to, workspace) for parts of them that are all of them together
  template <class F>
  void run(geometry const& g, F const& f) const {
    if (units == 0) return;
    if (bytes > call_scratch)
      for (index_t k = 0; k < workspaces(g); ++k) g.memory[k * call_workspace::distance(bytes)] = 0;
    auto const part = [&](index_t from, index_t to) {
      call_workspace own(g, bytes);
      f(from, to, own.data());
    };
    if (are_alone)
      part(0, units);
    else
      parallel_parts(g.threads, units, part);
  }
};

// A routine that knows better, as one of a library, is a specialization for its operation and element type. Where it
// needs memory, its `memory(g)` says how much g.memory is to be: an allocation within it would fail behind results that
// other steps and threads have written.
template <class Op, class T>
struct host_routine {
  using loop = core_loop<Op, T>;
  static constexpr bool runs_core_by_core = !takes_rows<Op>;
  static bool is_run_alone(geometry const& g) { return is_alone(g.threads, product_of(g, 0, g.loops)); }
  static shared_units cores_of(geometry const& g) {
    return {product_of(g, 0, g.kept),
            core::bytes_of(calls::workspace<Op>(g.extent + g.kept), sizeof(typename loop::work)), is_run_alone(g)};
  }
  static index_t memory(geometry const& g) requires(calls::has_workspace<Op>) { return cores_of(g).memory(g); }
  // whether a row of so many cores is computed side by side
  static bool run_in_lanes([[maybe_unused]] geometry const& g, [[maybe_unused]] index_t row) {
    if constexpr (has_cores_in_lanes<Op, T>())
      return cores_in_lanes<Op, T>::takes(row, g.extent + g.kept);
    else
      return false;
  }
  static void run(geometry const& g) {
    attributes_of_call<Op> const attributes(g.scalars);
    cores_of(g).run(g, [&](index_t from, index_t to, char* own) {
      auto* const memory = reinterpret_cast<typename loop::work*>(own);
      odometer at(g);
      int const outer = g.kept > 0 ? g.kept - 1 : 0;
      index_t const row = g.kept > 0 ? g.extent[outer] : 1;
      if (takes_rows<Op> || run_in_lanes(g, row)) {
        at.seek(g, 0, outer, from / row);
        for (index_t first = from % row; from < to; first = 0, at.next(g, 0, outer)) {
          index_t const n = row - first < to - from ? row - first : to - from;
          char* p[loop::slots];
          for (int k = 0; k < loop::slots; ++k) p[k] = at.p[k] + (first > 0 ? first * g.stride[outer][k] : 0);
          if constexpr (takes_rows<Op>)
            loop::run_row(g, g.kept, p, n, attributes.at, memory);
          else if constexpr (has_cores_in_lanes<Op, T>())
            cores_in_lanes<Op, T>::run_any(g, p, n);
          from += n;
        }
        return;
      }
      at.seek(g, 0, g.kept, from);
      for (; from < to; ++from, at.next(g, 0, g.kept)) loop::run(g, g.kept, at.p, attributes.at, memory);
    });
  }
};
template <class Op, class T>
inline constexpr bool call_takes_memory = requires(geometry const& g) {
  host_routine<Op, T>::memory(g);
};

template <class Op, class T>
void run_call(kernel_info const&, geometry& g) {
  host_routine<Op, T>::run(g);
}
// Alone, as an object that is named keeps the functions that it names.
template <class Op>
inline constexpr core_signature core_of_call = ir::call_of_operation<Op>.core;
template <class Op, class T>
constexpr kernel_info call_kernel() {
  kernel_info k{};
  k.run = &run_call<Op, T>;
  k.slots = Op::core.arrays();
  k.scalars = calls::attributes<Op>();
  k.core = &core_of_call<Op>;
  if constexpr (is_checked<Op>) k.check = &check_call<Op>;
  if constexpr (call_takes_memory<Op, T>) k.memory = &host_routine<Op, T>::memory;
  return k;
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
