// One case of the oracle, without its types: operands as bytes, numbers, and what should come out. What is made for
// every function and its forms sees only this; reading and comparing are compiled once (driver.cpp).
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <ricci/ricci.hpp>

namespace oracle {

namespace rc = ricci;
using rc::index_t;

inline constexpr int max_order = 8;

// elements somewhere in memory, in any order; strides in elements
struct array {
  rc::dtype type = rc::dtype::none;
  int rank = 0;
  index_t extent[max_order]{}, stride[max_order]{};
  std::vector<char> memory;
  char* first = nullptr;

  index_t size() const {
    index_t n = 1;
    for (int k = 0; k < rank; ++k) n *= extent[k];
    return n;
  }
  // f(offset of the element in elements, its number), in row-major order
  template <class F>
  void for_each(F const& f) const {
    index_t at[max_order]{}, offset = 0;
    for (index_t k = 0, n = size(); k < n; ++k) {
      f(offset, k);
      for (int d = rank - 1; d >= 0; --d) {
        offset += stride[d];
        if (++at[d] < extent[d]) break;
        offset -= extent[d] * stride[d];
        at[d] = 0;
      }
    }
  }
};
// what came out, in row-major order
struct result {
  rc::dtype type;
  int rank;
  index_t const* extent;
  void const* data;
};
enum class bound : std::uint8_t { exact, ulps, absolute };
struct expectation {
  array value;
  bound kind = bound::exact;
  std::vector<float> bounds;  // of all elements, or of each
};

struct given {
  std::vector<array> operands;
  std::vector<index_t> numbers;
  std::vector<expectation> expected;
  std::vector<result> results;  // so far, of what runs now

  void compare(char const* way);  // with what is expected
};

// A function, and forms of its operands for which it is compiled.
struct form {
  std::string operands;
  void (*run)(given&);
};
struct entry {
  std::string file, name, arguments, spelling;  // arguments as NumPy has them: "axis=0"
  std::vector<form> forms;
};
struct registry {
  std::string file;  // of those that come
  std::vector<entry> entries;
};

}  // namespace oracle
