// The threads behind `rc::cpu{.threads = n}`: started when they are first needed, then waiting for work. Chunks of a
// job are handed out one by one, so that a slow core holds up nobody; the result does not depend on who does which. An
// exception in a chunk comes out where the job was given, the first if there are several; no more chunks are begun
// then. On x86 who helps rounds as the thread that gave the job, and does as it does with subnormal numbers.
#pragma once

#include <exception>

#include <ricci/core/subnormals.hpp>
#include <ricci/exec/context.hpp>
#include <ricci/exec/cpu/parallel.hpp>

#if RICCI_HAS_THREADS
#include <pthread.h>

namespace ricci::exec {
inline namespace RICCI_ABI {

class thread_pool {
 public:
  static void run(int threads, index_t chunks, void (*work)(void*, index_t), void* context) {
    static thread_pool pool;
    pool.submit(threads, chunks, work, context);
  }

 private:
  struct lock {
    pthread_mutex_t& m;
    explicit lock(pthread_mutex_t& mutex) : m(mutex) { pthread_mutex_lock(&m); }
    ~lock() { pthread_mutex_unlock(&m); }
    lock(lock const&) = delete;
  };

  // One job at a time; a second caller, or a job inside a job, does its chunks itself.
  void submit(int threads, index_t chunks, void (*work)(void*, index_t), void* context) {
    if (pthread_mutex_trylock(&busy_) != 0) {
      for (index_t k = 0; k < chunks; ++k) work(context, k);
      return;
    }
    int const helpers = threads - 1 < chunks - 1 ? threads - 1 : static_cast<int>(chunks - 1);
    {
      lock l(mutex_);
      while (workers_ < helpers && start_worker()) {
      }
      work_ = work;
      context_ = context;
      control_ = core::floating_point_control();
      chunks_ = chunks;
      next_ = 0;
      wanted_ = helpers;
      ++job_;
      pthread_cond_broadcast(&wake_);
    }
    take_chunks();
    {
      lock l(mutex_);
      wanted_ = 0;  // who has not begun by now need not
      while (working_ > 0) pthread_cond_wait(&done_, &mutex_);
    }
    std::exception_ptr const error = static_cast<std::exception_ptr&&>(error_);
    error_ = nullptr;
    pthread_mutex_unlock(&busy_);
    if (error) std::rethrow_exception(error);
  }
  bool start_worker() {
    pthread_t t;
    if (pthread_create(
            &t, nullptr, [](void* pool) -> void* { return static_cast<thread_pool*>(pool)->serve(), nullptr; }, this) !=
        0)
      return false;
    pthread_detach(t);
    ++workers_;
    return true;
  }
  void take_chunks() {
#if RICCI_EXCEPTIONS
    try {
      take_chunks_until_one_throws();
    } catch (...) {
      lock l(mutex_);
      if (!error_) error_ = std::current_exception();
      __atomic_store_n(&next_, chunks_, __ATOMIC_RELAXED);
    }
#else
    take_chunks_until_one_throws();
#endif
  }
  void take_chunks_until_one_throws() {
    for (;;) {
      index_t const k = __atomic_fetch_add(&next_, 1, __ATOMIC_RELAXED);
      if (k >= chunks_) return;
      work_(context_, k);
    }
  }
  void serve() {
    std::uint64_t seen = 0;
    pthread_mutex_lock(&mutex_);
    for (;;) {
      while (job_ == seen || wanted_ == 0) {
        if (job_ != seen) seen = job_;
        pthread_cond_wait(&wake_, &mutex_);
      }
      seen = job_;
      --wanted_;
      ++working_;
      core::set_floating_point_control(control_);
      pthread_mutex_unlock(&mutex_);
      take_chunks();
      pthread_mutex_lock(&mutex_);
      if (--working_ == 0) pthread_cond_signal(&done_);
    }
  }

  pthread_mutex_t busy_ = PTHREAD_MUTEX_INITIALIZER, mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake_ = PTHREAD_COND_INITIALIZER, done_ = PTHREAD_COND_INITIALIZER;
  void (*work_)(void*, index_t) = nullptr;
  void* context_ = nullptr;
  unsigned control_ = 0;
  index_t chunks_ = 0, next_ = 0;
  int workers_ = 0, wanted_ = 0, working_ = 0;
  std::uint64_t job_ = 0;
  std::exception_ptr error_;
};

template <>
struct thread_support<cpu> {
  static void install() { __atomic_store_n(&installed_runner, &thread_pool::run, __ATOMIC_RELEASE); }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
#endif
