// From an instruction back to its operation's type. An instruction holds the address of `descriptor<Op>::facts`; since
// an address of an object with linkage is a template argument, one friend function per operation leads from it to the
// type, for any operation, also one defined outside the library. `op_of<P>` is the operation with descriptor P.
#pragma once

#include <ricci/core/hash.hpp>
#include <ricci/graph/instruction.hpp>
#include <ricci/shape/rules.hpp>

namespace ricci::ir {

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif

template <op_facts const* P>
struct descriptor_key {
  friend constexpr auto operation_of(descriptor_key);
};

// A number for a type: the hash of its name, which the compiler writes into this function's own.
template <class Op>
constexpr std::uint64_t id_of_type() {
#if defined(_MSC_VER) && !defined(__clang__)
  char const* s = __FUNCSIG__;
#else
  char const* s = __PRETTY_FUNCTION__;
#endif
  return core::hash_of_text(s, __builtin_strlen(s));
}

// Which array of a call is of its type, whatever that is: by `types<T>`, or all of them.
template <class Op>
constexpr int first_of_its_type() {
  if constexpr (requires { typename Op::template types<float>; }) {
    int first = -1, k = 0;
    [&]<class... F, class... D>(type_list<F...>, type_list<D...>) {
      static_assert(sizeof...(F) == std::size_t(Op::core.arrays()),
                    "a call's types<T> are those of all operands and results of its core signature");
      ((first = first < 0 && !std::is_same_v<F, D> ? k : first, ++k), ...);
    }(typename Op::template types<float>{}, typename Op::template types<double>{});
    return first;
  } else {
    return 0;
  }
}
template <class Op>
constexpr call_facts facts_of_call() {
  constexpr int of_its_type = first_of_its_type<Op>();
  static_assert(of_its_type >= 0, "one operand or result of a call at least is of type T: see its types<T>");
  call_facts facts{Op::core, of_its_type, Op::along_axis, Op::dense_axes, nullptr, false, nullptr};
  constexpr index_t const* extents = nullptr;
  if constexpr (requires { Op::refuses(extents); }) facts.refuses = &Op::refuses, facts.may_refuse = true;
  if constexpr (requires { Op::operations(extents); }) facts.operations = &Op::operations;
  if constexpr (requires { Op::checked; }) facts.checked = Op::checked;
  if constexpr (requires { Op::refuses_empty_batches; }) facts.refuses_empty_batches = Op::refuses_empty_batches;
  if constexpr (requires { Op::scan; }) facts.scan = Op::scan;
  if constexpr (requires { Op::takes_rows; }) facts.takes_rows = Op::takes_rows;
  return facts;
}
template <class Op>
inline constexpr call_facts call_of_operation = facts_of_call<Op>();

// Whether a view computes where it starts from its extents; the starts are attributes of its instructions.
template <class Op>
concept has_starts = requires(shapes::type_context& c, shape_t const& s, index_t* starts) {
  Op::starts(c, s, s, starts);
};
template <class Op>
constexpr affine_map map_with_starts(index_t const* starts, shape_t const& x, shape_t const& y) {
  affine_map m = Op::map(nullptr, x, y);
  for (int k = 0; k < m.rank; ++k) m.start[k] = starts[k];
  return m;
}

template <class Op>
constexpr op_facts facts_of_operation() {
  op_facts facts{Op::name, id_of_type<Op>(), Op::kind, Op::cost, Op::commutative};
  if constexpr (Op::kind == op_kind::view) {
    static_assert(
        requires { &Op::map; },
        "a view says which element of its operand it shows, by map(attributes, operand's shape, its own)");
    if constexpr (has_starts<Op>)
      facts.map = &map_with_starts<Op>;
    else
      facts.map = &Op::map;
  }
  if constexpr (Op::kind == op_kind::assemble) {
    static_assert(
        requires { &Op::part, Op::parts_overlap; },
        "what is assembled says where its parts lie, by part(attributes, operand's shape, number of the operand), "
        "and by parts_overlap whether they have to be written in their order");
    facts.part = &Op::part;
    facts.parts_overlap = Op::parts_overlap;
  }
  if constexpr (Op::kind == op_kind::call) facts.call = &call_of_operation<Op>;
  return facts;
}

template <class Op>
struct descriptor {
  static constexpr op_facts facts = facts_of_operation<Op>();
  friend constexpr auto operation_of(descriptor_key<&descriptor<Op>::facts>) { return Op{}; }
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

template <class Op>
constexpr op_facts const* facts_of() {
  return (void)sizeof(descriptor<Op>), &descriptor<Op>::facts;
}
template <op_facts const* P>
using op_of = decltype(operation_of(descriptor_key<P>{}));

}  // namespace ricci::ir
