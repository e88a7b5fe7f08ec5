// Plans on the device: the same steps in the same order, each a kernel of the library's own (on hosts a loop of
// Thrust's) or a call of cuBLAS.
#pragma once

#include <ricci/exec/backend.hpp>
#include <ricci/exec/control.hpp>
#include <ricci/exec/destination.hpp>
#include <ricci/exec/device/contract.hpp>
#include <ricci/exec/device/map_schedule.hpp>
#include <ricci/exec/device/prepared.hpp>
#include <ricci/expr/reify.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

struct device_kernel {
  void (*run)(device_geometry&, device_call const&);
  int slots, scalars;
  void (*check)(device_geometry const&, device_call const&) = nullptr;  // as in kernel_info
};

template <class Op, class T>
constexpr device_kernel device_call_kernel() {
  device_kernel k{&device_call_of<Op, T>, Op::core.arrays(), calls::attributes<Op>()};
  if constexpr (is_checked<Op>) k.check = &check_device_call<Op>;
  return k;
}

// A step on the device (exec/step.hpp).
template <plan::step_kind Kind, class Code, dtype Type, class Op, int Variant>
struct device_step_as {
  static constexpr device_kernel kernel = [] {
    using enum plan::step_kind;
    using T = number_of_step<Type>;
    constexpr bool own = (Variant & plan::own_indices) != 0;
    if constexpr (Kind == take)
      return device_kernel{&device_take<Op, T, own>, 3, 0,
                           kernels_see_outside ? nullptr : &check_device_indices<Op, own, 1>};
    else if constexpr (Kind == scatter)
      return device_kernel{&device_scatter<Op, T, (Variant & plan::adds_rows) != 0, own>, 3, 0,
                           &check_device_indices<Op, own, 2>};
    else if constexpr (Kind == table)
      return device_kernel{&device_table<T>, 1, 0};
    else if constexpr (Kind == call)
      return device_call_kernel<Op, T>();
    else if constexpr (plan::is_frame(Kind))
      return device_kernel{};  // exec/control.hpp
    else if constexpr (Kind == accumulate)
      return device_kernel{&device_accumulate<Op, T>, 2, 0};
    else if constexpr (Kind == contract)
      return device_kernel{&device_contract<Code, T, type_of<plan::type_of_factor(Variant, 0, Type)>,
                                            type_of<plan::type_of_factor(Variant, 1, Type)>>,
                           Code::slots - 1, Code::scalars};
    else if constexpr (Kind == reduce)
      return device_kernel{&device_reduce<Code, Variant>, Code::slots, Code::scalars};
    else if constexpr (Kind == map)
      return device_kernel{[](device_geometry& g, device_call const& c) { device_map<Code>(g, c); }, Code::slots,
                           Code::scalars};
    else
      static_assert(always_false<Code>, "a kind of step that the device does not know");
  }();
};
template <class P, int... K>
constexpr table<device_kernel, sizeof...(K)> device_kernels_of(std::integer_sequence<int, K...>) {
  return {{kernel_as<device_step_as, P, K>().kernel...}};
}

template <class P>
inline constexpr auto step_facts = [] {
  struct {
    table<bool, P::plan.step_count> is_checked_first, lets_maps_wait;
  } t{};
  for (int k = 0; k < P::plan.step_count; ++k) {
    t.is_checked_first.at[k] = is_checked_first(P::plan, k);
    t.lets_maps_wait.at[k] = lets_maps_wait(P::plan, k);
  }
  return t;
}();

// `numbers_are_there`: those among the arguments lie on the device, not in the call. `numbers_here`: the same arguments
// with numbers that the host may read, or null.
template <class P>
void run_steps_on_device(index_t const* dims, operand_ref const* arguments, operand_ref const* outputs, int device,
                         bool numbers_are_there, operand_ref const* numbers_here) {
  index_t offsets[P::plan.buffer_count > 0 ? P::plan.buffer_count : 1]{};
  index_t const bytes = resolve_buffers<P>(dims, offsets);
  auto const workspace = P::plan.buffer_count > 0 ? device_array<char>(bytes, device) : device_array<char>();
  bindings const b{arguments, outputs, P::plan.buffer_count > 0 ? workspace.data() : nullptr, dims, offsets, 1};
  static constexpr auto kernels = device_kernels_of<P>(std::make_integer_sequence<int, P::plan.kernel_count>{});
  static constexpr auto in = tables::exact<P::plan.argument_count>(P::plan.argument_in);
  static constexpr plan_view v = view_of<P>();
  // `f(kernel, geometry, call)` with those of a step
  auto const with_step = [&](plan::step_t const& s, bindings const& now, auto const& f) {
    device_kernel const& kernel = kernels.at[s.kernel];
    device_geometry g;
    prepare(g, s, v, now, kernel.slots, kernel.scalars);
    device_call c{device, 0, nullptr};
    core::any_element numbers[max_slots];
    c.numbers = numbers;
    for (int slot = 0; slot < kernel.slots; ++slot) {
      plan::operand_t const& o = v.operands[s.first_operand + slot];
      if (numbers_are_there || o.where != plan::home::argument || in.at[o.index] != plan::argument_memory::expression)
        continue;
      c.is_number |= std::uint64_t(1) << slot;
      __builtin_memcpy(numbers[slot].bytes, g.p[slot], static_cast<std::size_t>(size_of(o.type)));
    }
    f(kernel, g, c);
  };
  auto const run_step = [&](plan::step_t const& s, bindings const& now, auto const& before) {
    for (int checked = s.first_check; checked != 0; checked = v.steps[checked].next_check)
      if (step_facts<P>.is_checked_first.at[checked])
        with_step(v.steps[checked], now, [](device_kernel const& kernel, device_geometry& g, device_call const& c) {
          if (kernel.check) kernel.check(g, c);
        });
    with_step(s, now, [&](device_kernel const& kernel, device_geometry& g, device_call& c) {
      before(kernel, g, c);
      if (kernel.check && !s.checked_early && step_facts<P>.is_checked_first.at[&s - v.steps]) kernel.check(g, c);
      kernel.run(g, c);
    });
  };
  auto const read = [&](char const* p) {
    std::int64_t n = 0;
    device_backend::meet_host();
    for (int k = 0; k < P::plan.argument_count && numbers_here; ++k)
      if (in.at[k] == plan::argument_memory::expression && arguments[k].p == p) {
        __builtin_memcpy(&n, numbers_here[k].p, sizeof n);
        return index_t(n);
      }
    device_backend::copy_out(device, &n, p, sizeof n);
    return index_t(n);
  };
  if constexpr (!has_map_groups<P>() && row_groups<P>::count == 0) {
    for_each_step<P>(
        b,
        [&](plan::step_t const& s, bindings const& now) {
          run_step(s, now, [](device_kernel const&, device_geometry const&, device_call&) {});
        },
        read);
  } else {
    pending_maps<P> pending(device);
    auto const run_alone = [&](plan::step_t const& s, bindings const& now) {
      if (!step_facts<P>.lets_maps_wait.at[&s - v.steps]) {
        pending.launch();
        return run_step(s, now, [](device_kernel const&, device_geometry const&, device_call&) {});
      }
      accessed_bytes ranges[max_slots];
      run_step(s, now, [&](device_kernel const& kernel, device_geometry const& g, device_call& c) {
        for (int slot = 0; slot < kernel.slots; ++slot) {
          plan::operand_t const& o = v.operands[s.first_operand + slot];
          ranges[slot] = accessed_by(g, slot, size_of(o.type), o.written);
        }
        c.ranges = ranges, c.range_count = kernel.slots;
        pending.make_way(int(&s - v.steps), c);
      });
    };
    [[maybe_unused]] auto const launch_rows = [&](int group, bindings const& now) {
      using groups = row_groups<P>;
      constexpr auto const& schedule = groups::schedule;
      rows_of_call<P> rows;
      for (int part = 0; part < schedule.count[group]; ++part) {
        plan::step_t const& s = v.steps[schedule.step(group, part)];
        with_step(s, now, [&](device_kernel const&, device_geometry& g, device_call const& c) {
          rows.put(group, part, g, c, v.operands + s.first_operand);
        });
      }
      if (!rows.may_launch(group)) return false;
      for (int k = schedule.first[group]; k < schedule.first[group] + schedule.span[group]; ++k)
        if (schedule.group[k] != group) run_alone(v.steps[k], now);
      pending.make_way(rows.range, rows.count);
      rows.launch(group, device);
      return true;
    };
    int launched = 0;  // so many of the next steps are
    for_each_step<P>(
        b,
        [&](plan::step_t const& s, bindings const& now) {
          if (launched > 0) return void(--launched);
          if constexpr (row_groups<P>::count > 0) {
            int const number = int(&s - v.steps), group = row_groups<P>::schedule.group[number];
            if (group >= 0 && row_groups<P>::schedule.first[group] == number && launch_rows(group, now)) {
              launched = row_groups<P>::schedule.span[group] - 1;
              return;
            }
          }
          run_alone(s, now);
        },
        [&](char const* p) {
          pending.launch();
          return read(p);
        });
    pending.launch();
  }
}
// The numbers of the call are brought to the device where a step wants them there.
template <class P>
void run_call_on_device(index_t const* dims, operand_ref const* arguments, operand_ref const* outputs, int device) {
  if constexpr (!needs_numbers_there<P>) {
    run_steps_on_device<P>(dims, arguments, outputs, device, false, arguments);
  } else {
    static constexpr auto in = tables::exact<P::plan.argument_count>(P::plan.argument_in);
    operand_ref there[P::plan.argument_count];
    core::any_element numbers[P::plan.argument_count]{};
    auto const memory = device_array<char>(index_t(sizeof numbers), device);
    for (int k = 0; k < P::plan.argument_count; ++k) {
      there[k] = arguments[k];
      if (in.at[k] != plan::argument_memory::expression) continue;
      __builtin_memcpy(numbers[k].bytes, arguments[k].p,
                       static_cast<std::size_t>(plan_tables<P>::arguments.at[k].size));
      there[k].p = memory.data() + k * index_t(sizeof(core::any_element));
    }
    bring_numbers(device, numbers, P::plan.argument_count, memory.data());
    run_steps_on_device<P>(dims, there, outputs, device, true, arguments);
  }
}
template <class P>
void run_on_device(index_t const* dims, operand_ref const* arguments, operand_ref const* outputs, core::execution how,
                   core::shared_buffer* keep) {
  int const device = device_of(how);
  if (!keep) {
    device_backend::use_device(device);
    return run_call_on_device<P>(dims, arguments, outputs, device);
  }
  static constexpr auto in = tables::exact<P::plan.argument_count>(P::plan.argument_in);
  prepared_in(*keep).run({device, dims_of<P>(), plan_tables<P>::arguments.at, in.at, P::plan.argument_count,
                          P::plan.output_count, P::plan.output_count > 0 ? P::plan.output_shapes[0] : 0, dims,
                          arguments, outputs,
                          [](call_on_device const& c, operand_ref const* now, bool numbers_are_there) {
                            if (numbers_are_there)
                              run_steps_on_device<P>(c.dims, now, c.outputs, c.device, true, nullptr);
                            else
                              run_call_on_device<P>(c.dims, now, c.outputs, c.device);
                          }});
}

}  // namespace RICCI_DEVICE_LOOPS

template <>
struct backend_of<expr::device_memory> {
  static core::shared_buffer allocate(index_t bytes, core::execution how) { return allocate_on_device(bytes, how); }
  static char* data(core::shared_buffer const& b) { return device_block_of(b).memory; }
  static constexpr index_t most_on_stack = -1;
  static constexpr bool may_fail_in_any_step = true;  // steps take memory, and are started one by one
  static void copy_back(operand_ref const& to, char const* from, int rank, int size, core::execution how) {
    copy_on_device(to, from, rank, size, device_of(how));
  }
  template <Program P>
  using statement = program_on<backend_of, P>;
  template <Program P>
  static void run(index_t const* dims, operand_ref const* arguments, operand_ref const* outputs, core::execution how,
                  core::shared_buffer* keep = nullptr) {
    run_on_device<P>(dims, arguments, outputs, how, keep);
  }
};
static_assert(Backend<backend_of<expr::device_memory>>);

}  // namespace ricci::exec
