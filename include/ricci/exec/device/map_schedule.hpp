// Which maps of a plan are launched together, found when it is compiled: a map waits, behind others that do not depend
// on it, for the first step that does, or for the end.
#pragma once

#include <ricci/exec/device/row_program.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// A map, or a product with a map behind it. (Of a product that is stored as it is there may be no map; then there is
// one step less in the group.)
constexpr bool ends_in_map(plan::step_kind kind) {
  return kind == plan::step_kind::map || kind == plan::step_kind::contract;
}
// Whether it touches its operands as they are described, so that maps may wait while it runs.
template <class Plan>
constexpr bool lets_maps_wait(Plan const& p, int step) {
  auto const kind = p.kernels[p.steps[step].kernel].kind;
  return (ends_in_map(kind) || kind == plan::step_kind::reduce) && !has_checks_before(p, p.steps[step]);
}

template <class Plan>
constexpr bool depend(Plan const& p, int a, int b) {
  return !for_all_conflicts(p, p.steps[a], p.steps[b],
                            [](plan::operand_t const&, plan::operand_t const&) { return false; });
}

template <int Steps>
struct map_schedule {
  int groups = 0;
  int group[Steps > 0 ? Steps : 1]{};                                 // of a step; -1: none
  int size[Steps > 0 ? Steps : 1]{}, slots[Steps > 0 ? Steps : 1]{};  // of a group: steps, and operands of the largest
};
template <class P>
constexpr auto map_schedule_of() {
  constexpr int n = P::plan.step_count;
  map_schedule<n> s;
  int waiting[n > 0 ? n : 1]{}, count = 0;
  auto const kernel = [](int k) { return P::plan.kernels[P::plan.steps[k].kernel]; };
  auto const larger = [](int a, int b) { return a > b ? a : b; };
  // those of the steps that wait of which this is so are launched
  auto const launch = [&](auto const& chosen) {
    int left = 0, members = 0, bytes = 0;
    for (int k = 0; k < count; ++k) {
      int const w = waiting[k];
      if (!chosen(w)) {
        waiting[left++] = w;
        continue;
      }
      if (members == 0 || members == most_grouped ||
          (members + 1) * larger(bytes, bytes_in_table(kernel(w))) > most_group_bytes)
        members = 0, bytes = 0, ++s.groups;
      bytes = larger(bytes, bytes_in_table(kernel(w)));
      ++members;
      s.group[w] = s.groups - 1;
      ++s.size[s.groups - 1];
      s.slots[s.groups - 1] = larger(s.slots[s.groups - 1], kernel(w).slots);
    }
    count = left;
  };
  for (int k = 0; k < n; ++k) {
    s.group[k] = -1;
    if (plan::is_frame(kernel(k).kind) || !lets_maps_wait(P::plan, k))
      launch([](int) { return true; });
    else
      launch([&](int w) { return depend(P::plan, w, k); });
    if (ends_in_map(kernel(k).kind) && lets_maps_wait(P::plan, k) && row_groups<P>::schedule.group[k] < 0)
      waiting[count++] = k;
  }
  launch([](int) { return true; });
  // one step is no group
  int to = 0, renamed[n > 0 ? n : 1]{};
  for (int g = 0; g < s.groups; ++g) {
    renamed[g] = s.size[g] > 1 ? to : -1;
    if (s.size[g] > 1) s.size[to] = s.size[g], s.slots[to] = s.slots[g], ++to;
  }
  s.groups = to;
  for (int k = 0; k < n; ++k)
    if (s.group[k] >= 0) s.group[k] = renamed[s.group[k]];
  return s;
}

// Most programs are a statement of one step.
template <class P>
constexpr bool has_map_groups() {
  int maps = 0;
  for (int k = 0; k < P::plan.step_count; ++k)
    if (ends_in_map(P::plan.kernels[P::plan.steps[k].kernel].kind)) ++maps;
  if (maps < 2) return false;
  return map_schedule_of<P>().groups > 0;
}
template <class P>
struct map_groups {
  static constexpr auto schedule = map_schedule_of<P>();
  static constexpr int count = schedule.groups;

  // the different kernels of group G
  template <int G>
  static constexpr auto kernels = [] {
    table<int, schedule.size[G]> t{};
    int n = 0;
    for (int k = 0; k < P::plan.step_count; ++k) {
      if (schedule.group[k] != G) continue;
      int at = 0;
      while (at < n && t.at[at] != P::plan.steps[k].kernel) ++at;
      if (at == n) t.at[n++] = P::plan.steps[k].kernel;
    }
    struct {
      int count;
      table<int, schedule.size[G]> kernel;
    } r{n, t};
    return r;
  }();
  template <int G, int... I>
  static constexpr map_group_type const* type_of(std::integer_sequence<int, I...>) {
    return &map_group_as<schedule.size[G], typename kernel::lowered<P, kernels<G>.kernel.at[I]>::type...>::type;
  }
  template <int... G>
  static constexpr auto types_of(std::integer_sequence<int, G...>) {
    return table<map_group_type const*, count>{{type_of<G>(std::make_integer_sequence<int, kernels<G>.count>{})...}};
  }
  static constexpr auto types = types_of(std::make_integer_sequence<int, count>{});
  // of each step: its group, and which of the kernels of that it is
  struct place {
    int group, kernel;
  };
  template <int... G>
  static constexpr auto places_of(std::integer_sequence<int, G...>) {
    table<place, P::plan.step_count> t{};
    for (int k = 0; k < P::plan.step_count; ++k) t.at[k] = {-1, 0};
    [[maybe_unused]] auto const note = [&](int g, auto const& kernels) {
      for (int k = 0; k < P::plan.step_count; ++k)
        for (int i = 0; i < kernels.count && schedule.group[k] == g; ++i)
          if (kernels.kernel.at[i] == P::plan.steps[k].kernel) t.at[k] = {g, i};
    };
    (note(G, kernels<G>), ...);
    return t;
  }
  static constexpr auto places = places_of(std::make_integer_sequence<int, count>{});
};

// The groups of a plan while it runs.
template <class P>
class pending_maps {
 public:
  explicit pending_maps(int device) : device_(device) {
    index_t bytes = 0;
    for (int g = 0; g < count; ++g) bytes += bytes_of(g);
    if (bytes == 0) return;
    memory_ = core::shared_buffer(bytes);
    char* at = memory_.data();
    __builtin_memset(at, 0, static_cast<std::size_t>(bytes));
    for (int g = 0; g < count; ++g) {
      auto const& type = *groups::types.at[g];
      group_[g].begin(type, at, reinterpret_cast<accessed_bytes*>(at + table_bytes(g)));
      at += bytes_of(g);
    }
  }
  // Before something runs: what it depends on, or may, is launched.
  void make_way(accessed_bytes const* ranges, int n) {
    for (int g = 0; g < count; ++g)
      if (!group_[g].is_apart_from(ranges, n)) group_[g].launch(device_);
  }
  // the same for a step; where it is in a group, its call says so
  void make_way(int number, device_call& c) {
    auto const place = groups::places.at[number];
    make_way(c.ranges, c.range_count);
    if (place.group >= 0 && group_[place.group].is_full()) group_[place.group].launch(device_);
    if (place.group >= 0) c.group = &group_[place.group], c.kernel_in_group = place.kernel;
  }
  void launch() {
    for (int g = 0; g < count; ++g) group_[g].launch(device_);
  }

 private:
  using groups = map_groups<P>;
  static constexpr int count = groups::count;
  static index_t table_bytes(int g) { return (groups::types.at[g]->bytes + 15) / 16 * 16; }
  static index_t bytes_of(int g) {
    index_t const ranges = groups::types.at[g]->room * groups::schedule.slots[g];
    return table_bytes(g) + (ranges * index_t(sizeof(accessed_bytes)) + 15) / 16 * 16;
  }
  int device_;
  pending_group group_[count > 0 ? count : 1];
  core::shared_buffer memory_;
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
