// Memory of the device context: blocks that are given back when their last owner is gone, kept for the next one of that
// size while there is use for them.
#pragma once

#include <array>
#include <bit>
#include <utility>

#include <ricci/core/buffer.hpp>
#include <ricci/exec/device/backend.hpp>

namespace ricci {
inline namespace RICCI_DEVICE_ABI {

// The memory of one device, to read and to set. Nothing is reserved ahead. A block that is given back is kept for
// reuse, as long as the unused ones together are no more than `keep` bytes, else those that were not used for longest
// go back to the system; so do all unused ones before a request fails.
class device_memory_pool {
 public:
  explicit device_memory_pool(int device) : device_(device) {}
  device_memory_pool(device_memory_pool const&) = delete;
  ~device_memory_pool() { trim(); }

  index_t in_use() const { return in_use_; }      // bytes that tensors and intermediate values have
  index_t reserved() const { return reserved_; }  // bytes from the system: in use, or kept
  index_t peak() const { return peak_; }          // the most that was in use at once
  void reset_peak() { peak_ = in_use_; }
  // at most so many bytes are taken from the system: else a device_error
  index_t limit() const { return limit_; }
  void set_limit(index_t bytes) { limit_ = bytes; }
  // how many unused bytes are kept
  index_t keep() const { return keep_; }
  void set_keep(index_t bytes) {
    guard g(*this);
    keep_ = bytes;
    release_unused(keep_);
  }
  // gives all unused blocks back to the system, and the memory of the host by way of which it is copied to the device
  void trim() {
    guard g(*this);
    release_unused(0);
    exec::device_backend::release_staging(device_);
  }

  char* allocate(index_t bytes) {
    index_t const size = rounded(bytes);
    int fault = 0;
    if (char* const p = take(size, fault)) return p;
    if (fault != 0) exec::device_backend::raise_allocation(fault, size);
    // not under the guard: without exceptions the program's handler may jump out of here
    core::raise<device_error>(core::text() << "device:" << device_ << " has no memory for " << size
                                           << " bytes: " << reserved_ << " are in use, the limit is " << limit_);
  }
  void deallocate(char* p, index_t bytes) {
    guard g(*this);
    index_t const size = rounded(bytes);
    in_use_ -= size;
    exec::device_backend::note_free(device_);
    if (auto* const b = new (std::nothrow) block{p, size, unused_}) {
      unused_ = b;
      unused_bytes_ += size;
    } else {
      reserved_ -= size;
      exec::device_backend::deallocate(device_, p);
    }
    release_unused(keep_);
  }

 private:
  struct block {
    char* memory;
    index_t size;
    block* next;
  };
  struct guard {
    device_memory_pool& pool;
    explicit guard(device_memory_pool& p) : pool(p) {
      while (__atomic_test_and_set(&pool.busy_, __ATOMIC_ACQUIRE)) {
      }
    }
    ~guard() { __atomic_clear(&pool.busy_, __ATOMIC_RELEASE); }
    guard(guard const&) = delete;
  };

  // few different sizes, so that blocks find users: an eighth of the power of two below
  static index_t rounded(index_t bytes) {
    index_t step = 256;
    while (step * 16 <= bytes) step *= 2;
    return bytes <= 0 ? 256 : (bytes + step - 1) / step * step;
  }
  // A block of that size, used before or new; null where there is none to be had. Of several the one with the lowest
  // address: then what a loop takes and gives back comes to lie where it lay two iterations before, whatever the order.
  char* take(index_t size, int& fault) {
    guard g(*this);
    char* p = nullptr;
    block** lowest = nullptr;
    for (block** at = &unused_; *at; at = &(*at)->next)
      if ((*at)->size == size && (!lowest || (*at)->memory < (*lowest)->memory)) lowest = at;
    if (lowest) {
      block* const b = *lowest;
      *lowest = b->next;
      p = b->memory;
      unused_bytes_ -= size;
      delete b;
    }
    if (!p) p = reserve(size, fault);
    if (!p) return nullptr;
    in_use_ += size;
    if (in_use_ > peak_) peak_ = in_use_;
    return p;
  }
  char* reserve(index_t size, int& fault) {
    if (size > limit_ - reserved_) release_unused(0);
    void* p = size > limit_ - reserved_ ? nullptr : exec::device_backend::allocate(device_, size, fault);
    if (!p && unused_ && fault == 0) {
      release_unused(0);
      p = exec::device_backend::allocate(device_, size, fault);
    }
    if (p) reserved_ += size;
    return static_cast<char*>(p);
  }
  // the first of the list was used last
  void release_unused(index_t but) {
    while (unused_bytes_ > but && unused_) {
      block** last = &unused_;
      while ((*last)->next) last = &(*last)->next;
      block* const b = *last;
      *last = nullptr;
      unused_bytes_ -= b->size;
      reserved_ -= b->size;
      exec::device_backend::deallocate(device_, b->memory);
      delete b;
    }
  }

  int device_;
  bool busy_ = false;
  block* unused_ = nullptr;
  index_t in_use_ = 0, reserved_ = 0, peak_ = 0, unused_bytes_ = 0;
  index_t limit_ = index_t(1) << 60, keep_ = index_t(1) << 60;
};

// The memory of a device: `rc::device_memory().in_use()`.
inline device_memory_pool& device_memory(int device = 0) {
  if (device < 0 || device >= exec::device_backend::max_devices)
    core::raise<context_error>(core::text() << "there is no device:" << device);
  static auto pools = []<int... D>(std::integer_sequence<int, D...>) {
    return std::array<device_memory_pool, sizeof...(D)>{{device_memory_pool(D)...}};
  }
  (std::make_integer_sequence<int, exec::device_backend::max_devices>{});
  return pools[static_cast<std::size_t>(device)];
}

}  // namespace RICCI_DEVICE_ABI

namespace exec {
inline namespace RICCI_DEVICE_ABI {

// How tensors of a device are computed.
constexpr core::execution on_device_number(int device) { return core::execution(1, 1u << device); }
// The only device of operands.
inline int device_of(core::execution how) {
  if (how.devices() == 0) return 0;
  int const device = std::countr_zero(how.devices());
  if (how.devices() >> device != 1)
    core::raise<context_error>(core::text() << "operands lie on device:" << device
                                            << " and on another one: rc::copy brings them together");
  return device;
}

// A block on the host whose elements are this.
struct device_block {
  char* memory;
  index_t bytes;
  int device;
};
inline device_block& device_block_of(core::shared_buffer const& b) {
  return *reinterpret_cast<device_block*>(b.data());
}

inline core::shared_buffer block_of_pool(index_t bytes, int device) {
  core::shared_buffer b(sizeof(device_block));
  device_block_of(b) = {device_memory(device).allocate(bytes), bytes, device};
  b.header().release = [](core::block_header& header) {
    auto const& block = *reinterpret_cast<device_block*>(core::elements_of(header));
    device_memory(block.device).deallocate(block.memory, block.bytes);
  };
  return b;
}

// Memory for the steps of a function that is called again and again: what one call had, a call that asks for the same
// has at the same addresses. One thread uses it at a time.
class memory_of_calls {
 public:
  memory_of_calls() = default;
  memory_of_calls(memory_of_calls const&) = delete;
  ~memory_of_calls() { clear(); }
  core::shared_buffer take(index_t bytes, int device) {
    for (piece* p = first_; p; p = p->next) {
      device_block const& b = device_block_of(p->block);
      if (p->block.use_count() == 1 && b.bytes == bytes && b.device == device) return p->block;
    }
    auto block = block_of_pool(bytes, device);
    first_ = new piece{static_cast<core::shared_buffer&&>(block), first_};
    return first_->block;
  }
  void clear() {
    while (first_) delete std::exchange(first_, first_->next);
  }

 private:
  struct piece {
    core::shared_buffer block;
    piece* next;
  };
  piece* first_ = nullptr;
};
// where this thread takes memory from; null: from the pool
inline constinit thread_local memory_of_calls* memory_of_thread = nullptr;
class taking_from {
 public:
  explicit taking_from(memory_of_calls& m) : before_(std::exchange(memory_of_thread, &m)) {}
  taking_from(taking_from const&) = delete;
  ~taking_from() { memory_of_thread = before_; }

 private:
  memory_of_calls* before_;
};

inline core::shared_buffer allocate_on_device(index_t bytes, core::execution how) {
  int const device = device_of(how);
  return memory_of_thread ? memory_of_thread->take(bytes, device) : block_of_pool(bytes, device);
}

// Memory for n elements while something is computed.
template <class T>
class device_array {
 public:
  device_array() = default;
  device_array(index_t n, int device) : memory_(allocate_on_device(n * index_t(sizeof(T)), on_device_number(device))) {}
  T* data() const { return reinterpret_cast<T*>(device_block_of(memory_).memory); }
  core::shared_buffer const& block() const { return memory_; }

 private:
  core::shared_buffer memory_;
};

}  // namespace RICCI_DEVICE_ABI
}  // namespace exec

}  // namespace ricci
