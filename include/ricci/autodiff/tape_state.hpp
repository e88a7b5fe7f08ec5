// What a tape holds (autodiff/tape.hpp): a list of the statements that a program has run, and the way back through
// them. It knows no types: a variable is a counted object with elements, a gradient and a number of changes; a record
// is a counted object that says which variables it reads, and whose function adds to their cotangents. There are no
// globals: a tape belongs to one thread at a time, and several threads have one each.
#pragma once

#include <ricci/core/buffer.hpp>
#include <ricci/graph/eager_graph.hpp>
#include <ricci/shape/operand_ref.hpp>

namespace ricci {

// What cannot be derived by the statements on a tape: one whose operands have been changed or that has been released,
// variables of two tapes, a gradient that is not kept. The text names statement and variable.
struct tape_error : error {
  using error::error;
};
namespace core {
template <>
inline constexpr char const* error_name<tape_error> = "tape_error";
}

// `x.backward(rc::retain)` leaves the statements on the tape, for another backward.
struct retain_t {};
inline constexpr retain_t retain{};

namespace taped {
inline namespace RICCI_ABI {

// An object in counted memory, as tensors' elements are.
template <class T>
class shared {
 public:
  shared() = default;
  template <class... X>
  static shared made(X&&... x) {
    shared s;
    s.memory_ = core::shared_buffer(index_t(sizeof(T)));
    new (static_cast<void*>(s.memory_.data())) T{static_cast<X&&>(x)...};
    s.memory_.header().release = [](core::block_header& h) { reinterpret_cast<T*>(core::elements_of(h))->~T(); };
    return s;
  }
  // of one that is held as bytes
  explicit shared(core::shared_buffer const& memory) : memory_(memory) {}
  explicit operator bool() const { return memory_.bytes() > 0; }
  T* operator->() const { return reinterpret_cast<T*>(memory_.data()); }
  T& operator*() const { return *operator->(); }
  bool operator==(shared const& other) const { return memory_.data() == other.memory_.data(); }
  core::shared_buffer const& memory() const { return memory_; }

 private:
  core::shared_buffer memory_;
};

// Elements that contributions are summed up in; without memory they are zero.
struct sum_of_contributions {
  core::shared_buffer memory;
  bool is_there = false;
};

struct tape_state;

// How elements of a type are added to others.
struct arithmetic {
  // all of as many bytes, computed as `how` says
  void (*add)(char* to, char const* from, index_t bytes, core::execution how);
  // elements in row-major order to those that lie as a part does
  void (*add_to_part)(char* to, char const* from, operand_ref const& part, int rank);
};

// A variable, which all copies of a `ricci::variable` share.
struct variable_state {
  core::shared_buffer value;  // its extents stand before its elements, also those that the type knows
  int rank;
  arithmetic const* elements;
  shared<tape_state> tape;
  bool requires_grad;
  char const* name = nullptr;                // which the program gave
  index_t label = 0;                         // of one that is no result: its number among those of the tape
  index_t statement = 0;                     // whose result it is; 0: of none
  index_t changes = 0;                       // how often its elements were written to
  bool keeps_grad = false;                   // of a result
  index_t reached_by = 0;                    // the last backward that did, by its number on the tape
  shared<variable_state> origin{};           // what it was detached from, whose elements it has
  sum_of_contributions grad{}, cotangent{};  // the second one of a result, while backward goes

  index_t& version() { return origin ? origin->changes : changes; }
  bool is_result() const { return statement > 0; }

  sum_of_contributions& sum() { return is_result() ? cotangent : grad; }
  // memory for elements like these
  core::shared_buffer allocate() const {
    core::shared_buffer b(value.bytes());
    b.header().how = value.header().how;
    for (int k = 0; k < rank; ++k) b.header().extents[k] = value.header().extents[k];
    return b;
  }
  RICCI_NOINLINE void make_zeros(sum_of_contributions& s) const {
    s.memory = allocate();
    __builtin_memset(s.memory.data(), 0, static_cast<std::size_t>(value.bytes()));
    s.is_there = true;
  }
  // a contribution in memory of its own, which becomes the sum where it is the first one
  void accumulate(sum_of_contributions& s, core::shared_buffer&& x) const {
    if (s.is_there) return elements->add(s.memory.data(), x.data(), value.bytes(), value.header().how);
    s.memory = static_cast<core::shared_buffer&&>(x);
    s.is_there = true;
  }
  // one to the elements that `part` shows of the value
  void accumulate(sum_of_contributions& s, core::shared_buffer const& x, operand_ref const& part, int part_rank) const {
    if (!s.is_there) make_zeros(s);
    elements->add_to_part(s.memory.data() + (part.p - value.data()), x.data(), part, part_rank);
  }
};

struct record;
// What a record is by its statement's type.
struct record_type {
  char const* operation;  // the outermost one
  bool const* reads;      // of each variable: whether its elements are read on the way back
  bool reads_result;
  void (*run)(record&);  // the cotangents of the operands from that of the result
};
struct operand_record {
  shared<variable_state> of;
  index_t version;
};
struct record {
  record_type const* type;
  shared<variable_state> result;
  operand_record* operands;
  int count;
  index_t number = 0, version = 0;
};

struct tape_state {
  ir::growing<core::shared_buffer> records{};
  int size = 0;
  index_t statements = 0, labels = 0, backwards = 0;  // so far
  int paused = 0;
  bool is_gone = false;

  record& at(int k) { return *reinterpret_cast<record*>(records[k].data()); }
  bool has(int k) { return records[k].bytes() > 0; }
  // where the record of a statement is; -1 where it is no longer
  int position(index_t number) {
    int first = 0, last = size;
    while (first < last) {
      int const middle = (first + last) / 2;
      if (at(middle).number < number)
        first = middle + 1;
      else
        last = middle;
    }
    return first < size && at(first).number == number ? first : -1;
  }
  void clear() {
    while (size > 0) records[--size] = core::shared_buffer();
  }
  // without those that were released
  void close_up() {
    int n = 0;
    for (int k = 0; k < size; ++k)
      if (has(k)) {
        if (n != k) records[n] = static_cast<core::shared_buffer&&>(records[k]);
        ++n;
      }
    size = n;
  }
};

// ---- what errors say ----

// `statement 4, mean of (3,) () that gives ()`
RICCI_COLD inline core::text& describe(core::text& t, record const& r) {
  t << "statement " << r.number << ", " << r.type->operation << " of";
  for (int k = 0; k < r.count && k < 4; ++k) {
    t << ' ';
    t.shape(r.operands[k].of->value.header().extents, r.operands[k].of->rank);
  }
  if (r.count > 4) t << " ...";
  t << " that gives ";
  return t.shape(r.result->value.header().extents, r.result->rank);
}
RICCI_COLD inline core::text& describe(core::text& t, variable_state const& v) {
  if (v.name)
    t << "the variable " << v.name;
  else if (v.is_result())
    t << "the result of statement " << v.statement;
  else if (v.label > 0)
    t << "variable " << v.label << " of the tape";
  else
    t << "a result that was not recorded";
  t << ", of shape ";
  return t.shape(v.value.header().extents, v.rank);
}
[[noreturn]] RICCI_COLD inline void raise_changed(record const& r, variable_state& v, index_t version) {
  core::text t;
  t << "backward: ";
  describe(t, r) << " reads ";
  describe(t, v) << ", which has been written to " << v.version() - version << " time(s) since";
  core::raise<tape_error>(t);
}
[[noreturn]] RICCI_COLD inline void raise_released(variable_state const& v) {
  core::text t;
  t << "backward: ";
  describe(t, v) << ": its statement is no longer on the tape, released by backward() or clear(); "
                 << "backward(ricci::retain) keeps statements for another one";
  core::raise<tape_error>(t);
}

// ---- the way back ----

// Takes away what a backward leaves behind, also where an error ends it.
struct end_of_backward {
  tape_state& t;
  int last;
  ~end_of_backward() {
    for (int k = 0; k <= last; ++k)
      if (t.has(k)) t.at(k).result->cotangent = {};
    t.close_up();
  }
};

// Marks what the result reaches. All that can be wrong is found here, before a gradient has changed.
RICCI_NOINLINE inline void reach(tape_state& t, variable_state& from, int last) {
  index_t const now = ++t.backwards;
  from.reached_by = now;
  for (int k = last; k >= 0; --k) {
    record& r = t.at(k);
    if (r.result->reached_by != now) continue;
    if (r.type->reads_result && r.result->version() != r.version) raise_changed(r, *r.result, r.version);
    for (int i = 0; i < r.count; ++i) {
      variable_state& x = *r.operands[i].of;
      if (r.type->reads[i] && x.version() != r.operands[i].version) raise_changed(r, x, r.operands[i].version);
      if (!x.requires_grad || x.reached_by == now) continue;
      if (x.is_result() && t.position(x.statement) < 0) raise_released(x);
      x.reached_by = now;
    }
  }
}
RICCI_NOINLINE inline void backward(variable_state& from, core::shared_buffer&& seed, bool retains) {
  if (!from.requires_grad) {
    core::text t;
    t << "backward: ";
    describe(t, from) << " depends on nothing that requires a gradient";
    core::raise<tape_error>(t);
  }
  if (!from.is_result()) return from.accumulate(from.grad, static_cast<core::shared_buffer&&>(seed));
  shared<tape_state> const tape = from.tape;
  tape_state& t = *tape;
  int const last = t.position(from.statement);
  if (last < 0) raise_released(from);
  end_of_backward const end{t, last};
  reach(t, from, last);
  from.accumulate(from.cotangent, static_cast<core::shared_buffer&&>(seed));
  for (int k = last; k >= 0; --k) {
    record& r = t.at(k);
    variable_state& y = *r.result;
    if (y.reached_by != t.backwards) continue;
    if (y.cotangent.is_there) r.type->run(r);
    if (y.keeps_grad && y.cotangent.is_there)
      y.accumulate(y.grad, static_cast<core::shared_buffer&&>(y.cotangent.memory));
    y.cotangent = {};
    if (!retains) t.records[k] = core::shared_buffer();
  }
}

}  // namespace RICCI_ABI
}  // namespace taped

}  // namespace ricci
