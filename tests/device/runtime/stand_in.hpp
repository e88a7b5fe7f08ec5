// What stands behind the runtime that stands in for CUDA's, and what tests ask it: how often something was called, what
// is allocated, and that the n-th call fails.
#pragma once

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define STAND_IN_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STAND_IN_ASAN 1
#endif
#endif
#if defined(STAND_IN_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif

namespace stand_in {

// What was recorded, in order: a graph, and what is made of it to be launched.
using work = std::vector<std::function<void()>>;

// What is queued, in order. Positions count from the start of the program. While it records, nothing is queued.
class stream {
 public:
  long executed() const { return done_; }
  long queued() const { return done_ + long(work_.size()); }
  void queue(std::function<void()> f) {
    if (recorded)
      recorded->push_back(std::move(f));
    else
      work_.push_back(std::move(f));
  }
  std::unique_ptr<work> recorded;
  bool is_spoiled = false;  // something was called that cannot be recorded
  void execute_until(long position) {
    while (done_ < position && !work_.empty()) {
      auto const f = std::move(work_.front());
      work_.pop_front();
      ++done_;
      f();
    }
  }

 private:
  std::deque<std::function<void()>> work_;
  long done_ = 0;
};
struct event {
  stream* where = nullptr;
  long position = 0;
};
struct place {
  unsigned x = 0, y = 0, z = 0;
};

class state {
 public:
  // 0, or the fault that is wanted at this call
  int enter(char const* call) {
    ++count_[call];
    if (++calls_ != failing_) return 0;
    failed_ = call;
    return fault_;
  }
  // the n-th call from here on fails, once
  void fail_at(long n, int fault) {
    failing_ = calls_ + n, fault_ = fault;
    failed_.clear();
  }
  void fail_no_more() { failing_ = 0; }
  // the call that failed: "" where none did
  std::string const& failed() const { return failed_; }

  std::map<std::string, long> const& counts() const { return count_; }
  long count(std::string const& call) const {
    auto const at = count_.find(call);
    return at == count_.end() ? 0 : at->second;
  }
  void forget_counts() {
    count_.clear();
    launches_.clear();
  }
  struct launch {
    unsigned blocks, threads;
  };
  std::vector<launch> const& launches() const { return launches_; }
  void note_launch(unsigned blocks, unsigned threads) { launches_.push_back({blocks, threads}); }

  std::size_t allocated() const { return blocks_.size(); }  // blocks
  void* allocate(std::size_t bytes) {
    void* const p = ::operator new(bytes, std::align_val_t(256));
    __builtin_memset(p, 0xcd, bytes);  // no number that a test would take for right
    blocks_.push_back(p);
    return p;
  }
  bool free(void* p) {
    auto const at = std::find(blocks_.begin(), blocks_.end(), p);
    if (at == blocks_.end()) return false;
    blocks_.erase(at);
    ::operator delete(p, std::align_val_t(256));
    return true;
  }
  // ---- graphs ----

  // the stream that records; the library records one at a time
  stream* recording = nullptr;
  std::size_t graphs() const { return graphs_.size(); }  // those that were not destroyed, launchable or not
  std::shared_ptr<work>* new_graph(std::shared_ptr<work> of) {
    return graphs_.emplace_back(std::make_unique<std::shared_ptr<work>>(std::move(of))).get();
  }
  bool free_graph(std::shared_ptr<work> const* g) {
    auto const at = std::find_if(graphs_.begin(), graphs_.end(), [&](auto const& x) { return x.get() == g; });
    if (at == graphs_.end()) return false;
    graphs_.erase(at);
    return true;
  }

  stream* new_stream() { return streams_.emplace_back(std::make_unique<stream>()).get(); }
  event* new_event() { return events_.emplace_back(std::make_unique<event>()).get(); }
  void execute_all() {
    for (auto const& s : streams_) s->execute_until(s->queued());
  }

 private:
  long calls_ = 0, failing_ = 0;
  int fault_ = 0;
  std::string failed_;
  std::map<std::string, long> count_;
  std::vector<launch> launches_;
  std::vector<void*> blocks_;
  std::vector<std::unique_ptr<stream>> streams_;
  std::vector<std::unique_ptr<event>> events_;
  std::vector<std::unique_ptr<std::shared_ptr<work>>> graphs_;
};
// never destroyed: pools of the device context give their memory back when the program ends
inline state& runtime() {
  static state& s = *new state;
  return s;
}

// ---- threads of a block ----

// What a launch gives each block, with nothing in it that a test would take for right; of its own size, so that a
// sanitizer sees what goes beyond.
inline constexpr int most_memory_of_block = 64 * 1024;
inline std::unique_ptr<char[]>& held_memory_of_block() {
  static auto& p = *new std::unique_ptr<char[]>;
  return p;
}
inline char* memory_of_block() { return held_memory_of_block().get(); }
inline void give_memory(std::size_t bytes) {
  held_memory_of_block().reset(bytes > 0 ? new char[bytes] : nullptr);
  for (std::size_t k = 0; k < bytes; ++k) memory_of_block()[k] = char(0xcd);
}

inline constexpr std::size_t threads_of_warp = 32;
// A stack of its own, and where it was left. swapcontext asks the system for the mask of signals, which took most of
// the time of these tests.
#if defined(__x86_64__)
class stack_place {
 public:
  static void change(stack_place& from, stack_place& to) { change(&from.at_, to.at_); }
  void begin(char* stack, std::size_t bytes, void (*f)()) {
    // as `change` leaves it, called by f, which nothing called; registers are zero
    std::uintptr_t const top = (reinterpret_cast<std::uintptr_t>(stack) + bytes) / 16 * 16;
    auto const words = reinterpret_cast<std::uintptr_t*>(top) - 8;
    for (int k = 0; k < 8; ++k) words[k] = 0;
    words[6] = reinterpret_cast<std::uintptr_t>(f);
    at_ = words;
  }

 private:
  [[gnu::naked, gnu::noinline]] static void change(void**, void*) {
    asm("pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n"
        "movq %rsp, (%rdi)\n movq %rsi, %rsp\n"
        "popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n ret");
  }
  void* at_ = nullptr;
};
#else
class stack_place {
 public:
  static void change(stack_place& from, stack_place& to) { swapcontext(&from.at_, &to.at_); }
  void begin(char* stack, std::size_t bytes, void (*f)()) {
    getcontext(&at_);
    at_.uc_stack.ss_sp = stack;
    at_.uc_stack.ss_size = bytes;
    at_.uc_link = nullptr;
    makecontext(&at_, f, 0);
  }

 private:
  ucontext_t at_;
};
#endif

// One of them runs until it waits for the others or ends; each has a stack of its own, which runs one body after
// another.
struct block_thread {
  stack_place at;
  std::unique_ptr<char[]> stack;
  bool ended = true, waits_for_warp = false;
};
struct block {
  static constexpr std::size_t stack_bytes = 256 * 1024;  // a pack of bytes has 16 frames of registers
  std::vector<block_thread> threads;
  stack_place caller;
  std::function<void()> const* body = nullptr;
  std::size_t running = 0;
  bool in_thread = false;
  void const* caller_stack = nullptr;
  std::size_t caller_stack_bytes = 0;
};
inline block& current_block() {
  static block& b = *new block;
  return b;
}
// To the caller, from a thread that waits or has ended.
inline void leave_thread() {
  block& b = current_block();
#if defined(STAND_IN_ASAN)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, b.caller_stack, b.caller_stack_bytes);
#endif
  stack_place::change(b.threads[b.running].at, b.caller);
#if defined(STAND_IN_ASAN)
  __sanitizer_finish_switch_fiber(fake, &b.caller_stack, &b.caller_stack_bytes);
#endif
}
inline void start_thread() {
  block& b = current_block();
#if defined(STAND_IN_ASAN)
  __sanitizer_finish_switch_fiber(nullptr, &b.caller_stack, &b.caller_stack_bytes);
#endif
  for (;;) {
    (*b.body)();
    b.threads[b.running].ended = true;
    leave_thread();
  }
}
inline void wait_for(bool warp) {
  block& b = current_block();
  if (!b.in_thread) std::abort();  // the first thread did not wait
  b.threads[b.running].waits_for_warp = warp;
  leave_thread();
}
inline void wait_for_block() { wait_for(false); }
inline void wait_for_warp() { wait_for(true); }
inline void resume_thread(std::size_t k) {
  block& b = current_block();
  b.running = k;
  b.in_thread = true;
#if defined(STAND_IN_ASAN)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, b.threads[k].stack.get(), block::stack_bytes);
#endif
  stack_place::change(b.caller, b.threads[k].at);
#if defined(STAND_IN_ASAN)
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  b.in_thread = false;
}
// All threads until their first barrier; then each warp by itself until it waits for the block, and all until their
// next: in this order, and, that no order is relied on, backwards every other time. That some have ended where others
// wait, or wait for something else, is a fault of the kernel. Where the first thread waits for none, the others need no
// stacks of their own.
inline void run_block(std::size_t threads, place& index, std::function<void()> const& body) {
  block& b = current_block();
  if (b.threads.size() < threads) b.threads.resize(threads);
  b.body = &body;
  auto const start = [&](std::size_t k) {
    block_thread& t = b.threads[k];
    if (!t.stack) {
      t.stack = std::make_unique_for_overwrite<char[]>(block::stack_bytes);
      t.at.begin(t.stack.get(), block::stack_bytes, &start_thread);
    }
    t.ended = false;
    index.x = unsigned(k);
    resume_thread(k);
  };
  start(0);
  if (b.threads[0].ended) {
    for (std::size_t k = 1; k < threads; ++k) {
      index.x = unsigned(k);
      body();
    }
    return;
  }
  for (std::size_t k = 1; k < threads; ++k) {
    start(k);
    if (b.threads[k].ended) std::abort();
  }
  bool backwards = true;
  auto const resume = [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      std::size_t const at = backwards ? last - 1 - (k - first) : k;
      index.x = unsigned(at);
      b.threads[at].waits_for_warp = false;
      resume_thread(at);
    }
    backwards = !backwards;
  };
  auto const how_many = [&](std::size_t first, std::size_t last, bool block_thread::*is) {
    std::size_t n = 0;
    for (std::size_t k = first; k < last; ++k) n += b.threads[k].*is ? 1 : 0;
    if (n != 0 && n != last - first) std::abort();
    return n;
  };
  for (bool last_first = true, done = false; !done; last_first = !last_first) {
    std::size_t const warps = (threads + threads_of_warp - 1) / threads_of_warp;
    for (std::size_t n = 0; n < warps; ++n) {
      std::size_t const warp = last_first ? warps - 1 - n : n, first = warp * threads_of_warp,
                        last = std::min(first + threads_of_warp, threads);
      // some are ahead of others
      for (std::size_t k = 0; k <= 2 * (warp % 3) && how_many(first, last, &block_thread::waits_for_warp) != 0; ++k)
        resume(first, last);
    }
    bool const wait_for_block = std::none_of(b.threads.begin(), b.threads.begin() + std::ptrdiff_t(threads),
                                             [](auto const& t) { return t.waits_for_warp; });
    if (!wait_for_block) continue;
    done = how_many(0, threads, &block_thread::ended) != 0;
    if (!done) resume(0, threads);
  }
}

}  // namespace stand_in
