// One step of a kernel by rows (row_program.hpp): what it is passed, and what it does with the row of a team of
// threads.
#pragma once

#include <ricci/exec/device/map_group.hpp>
#include <ricci/exec/device/row_line.hpp>
#if RICCI_CALLS_CUDA
#include <ricci/exec/device/cuda_teams.hpp>
#endif

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// `Moves`: it has a loop along rows, else it is one element for each. Bits of its operands: those that may lie in
// memory of the block, and those that may be numbers of the call.
template <class Code, bool Moves, std::uint64_t Local, std::uint64_t Numbers>
struct row_step;

// Whether rows that lie so far apart are found by 32 bits.
inline bool may_go_by(index_t stride) { return stride == static_cast<int>(stride); }

// The row of a team; `Kept`: loops that count the rows.
template <int Kept>
struct row_of_team {
  int lane, team, of_block;  // threads of a team are a power of two; which team of its block it is
  bool any;
  unsigned number[Kept];  // of the row, in each of the loops
  char *shares, *memory;  // one share for each warp of the block; what the row has there

  RICCI_HD void find(unsigned n, int const* extent) {
    for (int l = Kept - 1; l > 0; --l) {
      unsigned const of = static_cast<unsigned>(extent[l]), rest = n / of;
      number[l] = n - rest * of;
      n = rest;
    }
    number[0] = n;
  }
#if RICCI_CALLS_CUDA
  // strides: of less than 2^31 bytes (may_go_by)
  __device__ char* moved(char* p, index_t const* stride, int step) const {
    for (int l = 0; l < Kept; ++l)
      p = device_backend::moved_by(p, static_cast<int>(number[l]), static_cast<int>(stride[l * step]));
    return p;
  }
  __device__ void wait() const {
    if (team <= 32)
      __syncwarp();
    else
      __syncthreads();
  }
  // what the threads of the team have, added up, to all of them; what warps share is not used again before `wait`
  template <class V>
  __device__ V total(V v) const {
    return total_of_team(v, team, reinterpret_cast<V*>(shares), of_block * team + lane);
  }
#endif
};

template <int I, class Step>
struct row_part;
template <int I, class Code, bool Moves, std::uint64_t Local, std::uint64_t Numbers>
struct row_part<I, row_step<Code, Moves, Local, Numbers>> {
  using element = element_of_kernel<Code>;
  using values = typename element::values;
  static constexpr int share = element::reducing > 0 ? int(sizeof(values)) : 0;
  using step = device_step<element::slots, Code::scalars, group_loops>;
  static constexpr int room = element::room;

  step s;
  int place[room];        // in the memory of a row; -1: the operand lies in memory of the device
  bool is_aligned[room];  // so that packs of it may be accessed there
  bool all_local;         // all that may be lie in the memory of a row
  int packs, length;      // of a row

  // false where rows lie too far apart
  bool put(device_geometry const& g, device_call const& c) {
    s = passed<element::slots, Code::scalars, group_loops>(g, c);
    length = Moves ? static_cast<int>(g.extent[g.kept]) : 1;
    for (int slot = 0; slot < element::slots; ++slot) {
      index_t const pack = element::pack_bytes(slot);
      bool aligned = pack > 0 && reinterpret_cast<std::uintptr_t>(g.p[slot]) % static_cast<std::uintptr_t>(pack) == 0;
      for (int l = 0; l < g.kept && aligned; ++l) aligned = g.extent[l] <= 1 || g.stride[l][slot] % pack == 0;
      is_aligned[slot] = aligned || pack == 0;
    }
    bool near = true;
    for (int l = 0; l < g.kept; ++l)
      for (int slot = 0; slot < element::slots; ++slot) near = near && may_go_by(g.stride[l][slot]);
    return near;
  }
  void put_places(int const*& next) {
    bool packed = Moves && element::width > 1;
    all_local = true;
    for (int slot = 0; slot < element::slots; ++slot) {
      place[slot] = *next++;
      packed = packed && (place[slot] >= 0 || is_aligned[slot]);
      all_local = all_local && (place[slot] >= 0 || !(Local >> slot & 1));
    }
    packs = packed ? length / element::width : 0;
  }
#if RICCI_CALLS_CUDA
  template <int Kept>
  __device__ void run(row_of_team<Kept> const& row) const {
    row_line<Code> line;
    for (int slot = 0; slot < element::slots; ++slot) {
      if (!(Local >> slot & 1)) line.at[slot] = in_device(row, slot);
      line.unit[slot] = Moves ? s.stride[Kept][slot] : 0;
    }
    if (all_local) {
      for (int slot = 0; slot < element::slots; ++slot)
        if (Local >> slot & 1) line.at[slot] = row.memory + place[slot];
    } else {
      for (int slot = 0; slot < element::slots; ++slot)
        if (Local >> slot & 1) line.at[slot] = place[slot] >= 0 ? row.memory + place[slot] : in_device(row, slot);
    }
    values total = values::identity();
    if constexpr (!Moves) {
      if (row.any && row.lane == 0) line.template run<1>(total, s.scalars, 0, 1, 1);
    } else if (row.any) {
      if constexpr (element::width > 1) line.template run<element::width>(total, s.scalars, row.lane, packs, row.team);
      line.template run<1>(total, s.scalars, packs * element::width + row.lane, length, row.team);
    }
    if constexpr (element::reducing > 0) {
      total = row.total(total);
      if (row.any && row.lane == 0) total.write(line.at);
    }
    row.wait();
  }

 private:
  template <int Kept>
  __device__ char* in_device(row_of_team<Kept> const& row, int slot) const {
    char* p = s.p[slot];
    if ((Numbers >> slot & 1) && (s.is_number >> slot & 1)) p = const_cast<char*>(s.numbers[slot].bytes);
    return row.moved(p, &s.stride[0][slot], room);
  }
#endif
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
