// What a prepared function keeps on a device from one call to the next: the memory of its steps, and under CUDA what
// its steps queue, as graphs. A call whose operands lie where those of an earlier call lay is one launch of a graph
// then. Numbers are copied to the device before it, so they may change.
#pragma once

#include <ricci/exec/device/maps.hpp>
#include <ricci/exec/device/numbers.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// A call of a plan, without the type of its program.
struct call_on_device {
  int device;
  dim_tables dims_of;
  argument_entry const* arguments_of;
  plan::argument_memory const* in;
  int argument_count, output_count, first_output_shape;
  index_t const* dims;
  operand_ref const *arguments, *outputs;
  // Runs the steps. `numbers_are_there`: numbers among the arguments lie on the device.
  void (*run)(call_on_device const&, operand_ref const* arguments, bool numbers_are_there);

  bool is_number(int argument) const { return in[argument] == plan::argument_memory::expression; }
};

// All that the steps of a call depend on but the elements of its operands, and numbers: which program it is, values of
// dimensions, addresses and strides.
class call_key {
 public:
  explicit call_key(call_on_device const& c) {
    count_ = 0;
    add(c, [this](index_t) { ++count_; });
    words_ = core::shared_buffer(count_ * index_t(sizeof(index_t)));
    auto* to = reinterpret_cast<index_t*>(words_.data());
    add(c, [&to](index_t x) { *to++ = x; });
  }
  call_key() = default;
  bool operator==(call_key const& other) const {
    return count_ == other.count_ && __builtin_memcmp(words_.data(), other.words_.data(),
                                                      static_cast<std::size_t>(count_) * sizeof(index_t)) == 0;
  }

 private:
  template <class Note>
  static void add(call_on_device const& c, Note const& note) {
    note(reinterpret_cast<index_t>(c.run));
    note(c.device);
    for (int k = 0; k < c.dims_of.used_count; ++k) note(c.dims[c.dims_of.used[k]]);
    auto const note_operand = [&](operand_ref const& x, int rank) {
      note(reinterpret_cast<index_t>(x.p));
      for (int k = 0; k < rank && x.strides; ++k) note(x.strides[k]);
    };
    for (int k = 0; k < c.argument_count; ++k)
      if (!c.is_number(k)) note_operand(c.arguments[k], c.dims_of.shapes[c.arguments_of[k].shape].rank);
    for (int k = 0; k < c.output_count; ++k)
      note_operand(c.outputs[k], c.dims_of.shapes[c.first_output_shape + k].rank);
  }

  core::shared_buffer words_;
  index_t count_ = 0;
};

class prepared_on_device {
 public:
  static constexpr int most_graphs = 16;  // with other addresses it begins anew then

  void run(call_on_device const& c) {
    device_backend::use_device(c.device);
    taking_from const here(memory_);
#if RICCI_CALLS_CUDA
    run_with_graphs(c);
#else
    c.run(c, c.arguments, false);
#endif
  }

 private:
#if RICCI_CALLS_CUDA
  struct numbers_on_device {
    core::shared_buffer there, here;  // where they are, and what they were at last
    bool are_equal = false;           // both
  };
  struct known_call {
    call_key key;
    bool multiplies, meets_host;
    device_backend::recorded_work graph;
    numbers_on_device numbers;
    core::shared_buffer room_of_products;
  };

  // The first call of its kind is executed step by step: then all memory is there, and it is known whether its steps
  // ask the host. The second one is recorded.
  void run_with_graphs(call_on_device const& c) {
    call_key key(c);
    known_call* const known = find(key);
    if (known && !known->meets_host) {
      if (!known->graph.is_there() && !record(c, *known)) known->meets_host = true;
      if (known->graph.is_there()) {
        bring_changed_numbers(c, known->numbers);
        return known->graph.launch();
      }
    }
    if (!known && count_ == most_graphs) clear();
    device_backend::noted = {};
    c.run(c, c.arguments, false);
    if (known) return;
    calls_[count_].key = static_cast<call_key&&>(key);
    calls_[count_].multiplies = device_backend::noted.multiplies;
    calls_[count_].meets_host = device_backend::noted.meets_host;
    ++count_;
  }
  known_call* find(call_key const& key) {
    for (int k = 0; k < count_; ++k)
      if (calls_[k].key == key) return &calls_[k];
    return nullptr;
  }
  bool record(call_on_device const& c, known_call& known) {
    struct {
      call_on_device const& call;
      core::shared_buffer arguments;
    } with{c, core::shared_buffer((c.argument_count + 1) * index_t(sizeof(operand_ref)))};
    auto* const arguments = reinterpret_cast<operand_ref*>(with.arguments.data());
    int numbers = 0;
    for (int k = 0; k < c.argument_count; ++k) numbers += c.is_number(k) ? 1 : 0;
    if (numbers > 0) {
      index_t const bytes = numbers * index_t(sizeof(core::any_element));
      known.numbers.there = block_of_pool(bytes, c.device);
      known.numbers.here = core::shared_buffer(bytes);
      known.numbers.are_equal = false;
    }
    numbers = 0;
    for (int k = 0; k < c.argument_count; ++k) {
      arguments[k] = c.arguments[k];
      if (c.is_number(k))
        arguments[k].p = device_block_of(known.numbers.there).memory + numbers++ * index_t(sizeof(core::any_element));
    }
    using device_backend::recorded_work;
    index_t const room = known.multiplies ? recorded_work::room_of_products(c.device) : 0;
    if (room > 0 && (room_of_products_.bytes() == 0 || device_block_of(room_of_products_).device != c.device))
      room_of_products_ = block_of_pool(room, c.device);
    if (room > 0) known.room_of_products = room_of_products_;
    auto const queue = [](void const* p) {
      auto const& w = *static_cast<decltype(with) const*>(p);
      w.call.run(w.call, reinterpret_cast<operand_ref const*>(w.arguments.data()), true);
    };
    return known.graph.record(c.device, room > 0 ? device_block_of(room_of_products_).memory : nullptr, room, queue,
                              &with);
  }
  // what is not there yet, by launches before that of the graph
  static void bring_changed_numbers(call_on_device const& c, numbers_on_device& numbers) {
    if (numbers.there.bytes() == 0) return;
    auto* at = reinterpret_cast<core::any_element*>(numbers.here.data());
    for (int k = 0; k < c.argument_count; ++k) {
      if (!c.is_number(k)) continue;
      core::any_element x{};
      __builtin_memcpy(x.bytes, c.arguments[k].p, static_cast<std::size_t>(c.arguments_of[k].size));
      if (!numbers.are_equal || __builtin_memcmp(at->bytes, x.bytes, sizeof x) != 0) *at = x, numbers.are_equal = false;
      ++at;
    }
    if (numbers.are_equal) return;
    exec::bring_numbers(c.device, reinterpret_cast<core::any_element const*>(numbers.here.data()),
                        numbers.here.bytes() / index_t(sizeof(core::any_element)),
                        device_block_of(numbers.there).memory);
    numbers.are_equal = true;
  }
  void clear() {
    for (; count_ > 0; --count_) {
      known_call& c = calls_[count_ - 1];
      c.graph.clear();
      c.key = call_key(), c.numbers = numbers_on_device(), c.room_of_products = core::shared_buffer();
    }
    memory_.clear();
  }

  int count_ = 0;
  core::shared_buffer room_of_products_;
#endif
  memory_of_calls memory_;
#if RICCI_CALLS_CUDA
  known_call calls_[most_graphs];
#endif
};

// The one that `keep` holds, made where it holds none.
inline prepared_on_device& prepared_in(core::shared_buffer& keep) {
  constexpr auto release = [](core::block_header& header) {
    reinterpret_cast<prepared_on_device*>(core::elements_of(header))->~prepared_on_device();
  };
  void (*const of_device)(core::block_header&) = release;
  if (keep.header().release != of_device) {
    core::shared_buffer b(sizeof(prepared_on_device));
    new (b.data()) prepared_on_device;
    b.header().release = of_device;
    b.header().bytes = 0;  // none that another backend might use
    keep = static_cast<core::shared_buffer&&>(b);
  }
  return *reinterpret_cast<prepared_on_device*>(keep.data());
}

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
