// Graphs that are recorded while the program runs: their arrays grow, and each instruction's value is computed as soon
// as it has been recorded.
#pragma once

#include <ricci/core/bytes.hpp>
#include <ricci/core/owned_array.hpp>
#include <ricci/graph/graph.hpp>

namespace ricci::ir {
inline namespace RICCI_ABI {

template <class T>
class growing {
 public:
  constexpr growing() = default;
  constexpr T& operator[](int k) { return data_[k]; }
  constexpr T const& operator[](int k) const { return data_[k]; }
  // makes it hold n elements at least; new ones are zero
  constexpr void reserve(int n) {
    if (n <= capacity_) return;
    int const wanted = 2 * n > 64 ? 2 * n : 64;
    core::owned_array<T> larger(wanted);
    for (int k = 0; k < capacity_; ++k) larger[k] = data_[k];
    data_ = static_cast<core::owned_array<T>&&>(larger);
    capacity_ = wanted;
  }

 private:
  core::owned_array<T> data_;
  int capacity_ = 0;
};

struct growing_storage {
  template <class T, int>
  using array = growing<T>;
  template <class T>
  static constexpr void reserve(growing<T>& a, int n) {
    a.reserve(n);
  }
  template <class G>
  static constexpr void reserve(G& g, int operands, int attributes) {
    g.ins.reserve(g.size + 1);
    g.operands.reserve(g.operand_count + operands);
    g.attributes.reserve(g.attr_count + attributes);
  }
  static constexpr bool merges = false;
};

// Elements in row-major order; the pointer to those of one type is used.
template <class T>
struct array_of {
  T* p;
};
template <class List>
struct arrays_of;
template <class... T>
struct arrays_of<type_list<T...>> : array_of<T>... {
  bool owned;

  template <class U>
  constexpr U*& of() {
    return static_cast<array_of<U>&>(*this).p;
  }
  constexpr void release() { (delete[] array_of<T>::p, ...); }
};
using array_value = arrays_of<element_types>;

// What a rule of a graph that runs needs beside instructions: it is kept as long as the graph.
struct kept_object {
  kept_object* before = nullptr;
  int number = 0;
  constexpr virtual ~kept_object() = default;
};

class eager_graph : public basic_graph<growing_storage> {
 public:
  constexpr eager_graph() : basic_graph<growing_storage>{} { shapes.reserve(1); }
  constexpr ~eager_graph() {
    while (kept_objects_ != nullptr) {
      kept_object* const before = kept_objects_->before;
      delete kept_objects_;
      kept_objects_ = before;
    }
    for (int k = 0; k < value_count_; ++k)
      if (values_[k].owned) values_[k].release();
  }
  constexpr array_value& value(int id) {
    if (id >= value_count_) {
      values_.reserve(id + 1);
      value_count_ = id + 1;
    }
    return values_[id];
  }
  // memory for the elements of an instruction
  template <class T>
  constexpr T* allocate(int id) {
    auto& v = value(id);
    v.owned = true;
    index_t const n = core::bytes_of(shape(id).extent, shape(id).rank, sizeof(T)) / index_t(sizeof(T));
    return v.of<T>() = new T[static_cast<std::size_t>(n > 0 ? n : 1)]{};
  }
  // the elements of another one
  constexpr void share(int id, int of) {
    array_value const from = value(of);
    value(id) = from;
    value(id).owned = false;
  }
  template <class T>
  constexpr T const* elements(int id) {
    return value(id).of<T>();
  }
  // an object that it owns from now on; its number
  constexpr int keep(kept_object* object) {
    object->number = kept_objects_ != nullptr ? kept_objects_->number + 1 : 0;
    object->before = kept_objects_;
    kept_objects_ = object;
    return object->number;
  }
  constexpr kept_object const& kept(int number) const {
    kept_object const* object = kept_objects_;
    while (object->number != number) object = object->before;
    return *object;
  }

 private:
  kept_object* kept_objects_ = nullptr;
  growing<array_value> values_;
  int value_count_ = 0;
};

struct eager {
  using graph = basic_graph<growing_storage>;
  static constexpr bool derives = true, runs = true;
};

// the first element of a value
template <class V, class T>
constexpr T first_element(V v, T) {
  return *static_cast<eager_graph&>(*v.g).template elements<T>(v.id);
}

}  // namespace RICCI_ABI
}  // namespace ricci::ir
