// What a call raises, as text: "shape_error: add: (2, 3) (4, 3)", or "" where it goes through. With exceptions it is
// caught; without, an error handler that jumps back stands in for the one that a program would install.
#pragma once

#include <ricci/ricci.hpp>

#include <string>

#if !RICCI_EXCEPTIONS
#include <csetjmp>
#endif

#if RICCI_EXCEPTIONS

template <class F>
std::string raised(F&& f) {
  try {
    f();
  } catch (ricci::shape_error const& e) {
    return std::string("shape_error: ") + e.what();
  } catch (ricci::index_error const& e) {
    return std::string("index_error: ") + e.what();
  } catch (ricci::value_error const& e) {
    return std::string("value_error: ") + e.what();
  } catch (ricci::io_error const& e) {
    return std::string("io_error: ") + e.what();
  } catch (ricci::context_error const& e) {
    return std::string("context_error: ") + e.what();
  } catch (ricci::tape_error const& e) {
    return std::string("tape_error: ") + e.what();
#if RICCI_CALLS_CUDA || defined(THRUST_VERSION)
  } catch (ricci::device_error const& e) {
    return std::string("device_error: ") + e.what();
#endif
  }
  return "";
}

#else

struct raised_error {
  static inline std::jmp_buf back;
  static inline char kind[32], text[256];
  static void copy(char* to, std::size_t n, char const* from) {
    std::size_t k = 0;
    for (; k + 1 < n && from[k]; ++k) to[k] = from[k];
    to[k] = 0;
  }
  static void handle(char const* the_kind, char const* the_text) {
    copy(kind, sizeof(kind), the_kind);
    copy(text, sizeof(text), the_text);
    std::longjmp(back, 1);
  }
  // nothing lives here across the jump
  static bool happens(void (*call)(void const*), void const* f) {
    if (setjmp(back)) return true;
    call(f);
    return false;
  }
};

template <class F>
std::string raised(F&& f) {
  auto const before = ricci::set_error_handler(&raised_error::handle);
  bool const did = raised_error::happens(
      [](void const* p) { (*static_cast<std::remove_reference_t<F>*>(const_cast<void*>(p)))(); }, &f);
  ricci::set_error_handler(before);
  return did ? std::string(raised_error::kind) + ": " + raised_error::text : "";
}

#endif
