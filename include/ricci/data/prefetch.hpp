// Values made in advance by a thread: at most so many at a time, in their order. What making one throws comes out where
// that one is asked for. The thread ends with the object, after the value that it is making. Without threads
// (RICCI_NO_THREADS, or where the system has none left) each value is made when it is asked for.
#pragma once

#include <exception>
#include <optional>
#include <vector>

#include <ricci/data/records.hpp>

#if RICCI_HAS_THREADS
#include <pthread.h>
#endif

namespace ricci::data {

template <class T>
class sequence;

template <class T>
class ahead {
 public:
  ahead(sequence<T> const& all, index_t most);
  ahead(ahead const&) = delete;
  ahead& operator=(ahead const&) = delete;
  ~ahead();

  // the next value; none behind the last
  std::optional<T> next();

  // for the range-based `for`, once
  struct end_t {};
  struct iterator {
    ahead* all;
    std::optional<T> value;
    T& operator*() { return *value; }
    iterator& operator++() { return value = all->next(), *this; }
    bool operator!=(end_t) const { return value.has_value(); }
  };
  iterator begin() { return {this, next()}; }
  end_t end() { return {}; }

 private:
  sequence<T> all_;
  index_t taken_ = 0;
#if RICCI_HAS_THREADS
  struct lock {
    pthread_mutex_t& m;
    explicit lock(pthread_mutex_t& mutex) : m(mutex) { pthread_mutex_lock(&m); }
    ~lock() { pthread_mutex_unlock(&m); }
    lock(lock const&) = delete;
  };
  void work();

  std::vector<std::optional<T>> slots_;  // value k in slot k modulo their number
  index_t made_ = 0;
  bool stops_ = false, has_thread_ = false;
  std::exception_ptr error_;  // of value number made_
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t is_made_ = PTHREAD_COND_INITIALIZER, is_taken_ = PTHREAD_COND_INITIALIZER;
  pthread_t thread_{};
#endif
};

template <class T>
ahead<T>::ahead(sequence<T> const& all, index_t most) : all_(all) {
  if (most < 1)
    core::raise<value_error>(core::text() << "data: prefetch of " << most << " values, where 1 or more was expected");
#if RICCI_HAS_THREADS
  index_t const needed = all_.size() > 1 ? all_.size() : 1;
  slots_.resize(std::size_t(most < needed ? most : needed));
  has_thread_ =
      pthread_create(
          &thread_, nullptr, [](void* a) -> void* { return static_cast<ahead*>(a)->work(), nullptr; }, this) == 0;
#endif
}
template <class T>
ahead<T>::~ahead() {
#if RICCI_HAS_THREADS
  if (!has_thread_) return;
  {
    lock l(mutex_);
    stops_ = true;
    pthread_cond_signal(&is_taken_);
  }
  pthread_join(thread_, nullptr);
#endif
}
template <class T>
std::optional<T> ahead<T>::next() {
  if (taken_ == all_.size()) return {};
#if RICCI_HAS_THREADS
  if (has_thread_) {
    lock l(mutex_);
    while (made_ == taken_ && !error_) pthread_cond_wait(&is_made_, &mutex_);
    if (made_ == taken_) std::rethrow_exception(error_);
    auto& slot = slots_[std::size_t(taken_) % slots_.size()];
    std::optional<T> value = static_cast<std::optional<T>&&>(slot);
    slot.reset();
    ++taken_;
    pthread_cond_signal(&is_taken_);
    return value;
  }
#endif
  return all_[taken_++];
}
#if RICCI_HAS_THREADS
template <class T>
void ahead<T>::work() {
  auto const make_all = [&] {
    for (index_t k = 0; k < all_.size(); ++k) {
      {
        lock l(mutex_);
        while (made_ - taken_ == index_t(slots_.size()) && !stops_) pthread_cond_wait(&is_taken_, &mutex_);
        if (stops_) return;
      }
      std::optional<T> value(all_[k]);
      lock l(mutex_);
      slots_[std::size_t(k) % slots_.size()] = static_cast<std::optional<T>&&>(value);
      ++made_;
      pthread_cond_signal(&is_made_);
    }
  };
#if RICCI_EXCEPTIONS
  try {
    make_all();
  } catch (...) {
    lock l(mutex_);
    error_ = std::current_exception();
    pthread_cond_signal(&is_made_);
  }
#else
  make_all();
#endif
}
#endif

}  // namespace ricci::data
