// The interpreter: one plain loop per operation, on arrays in row-major order, run as soon as the instruction is
// recorded. It shares nothing with the compiled way but the operations' own structs, and so is the oracle of the tests.
// Being constexpr, it is also how statements are evaluated in constant expressions.
#pragma once

#include <ricci/exec/interpret/moves.hpp>
#include <ricci/exec/interpret/reduce.hpp>
#include <ricci/ops/index.hpp>
#include <ricci/ops/matmul.hpp>

namespace ricci::ir {
inline namespace RICCI_ABI {

template <class Op>
struct interpreter {
  static constexpr void run(eager_graph& g, int id) {
    using enum op_kind;
    if constexpr (Op::kind == elementwise)
      run_elementwise(g, id);
    else if constexpr (Op::kind == alias || Op::kind == reshape)
      g.share(id, g.in(id, 0));
    else if constexpr (Op::kind == literal)
      run_literal(g, id);
    else if constexpr (Op::kind == reduce)
      run_reduce(g, id);
    else if constexpr (Op::kind == call)
      call_interpreter<Op>::run(g, id);
    else if constexpr (Op::kind == contract)
      run_contract(g, id);
    else if constexpr (Op::kind == view || Op::kind == assemble || Op::kind == index || Op::kind == scatter)
      run_move(g, id);
    else
      static_assert(Op::kind == argument || Op::kind == number || Op::kind == part,
                    "the interpreter has no rule for this kind");
  }

  static constexpr void run_literal(eager_graph& g, int id) {
    with_type(g.ins[id].type, [&](auto x) {
      using T = decltype(x);
      T* const y = g.allocate<T>(id);
      index_t const n = size_of(g.shape(id));
      T const value = core::literal_as<T>(g.attr(id, 0));
      for (index_t k = 0; k < n; ++k) y[k] = value;
    });
  }

  // ---- elementwise ----

  static constexpr void run_elementwise(eager_graph& g, int id) {
    index_t const n = size_of(g.shape(id));
    if constexpr (requires { Op::converts; }) {
      // by way of the type of their sums, which holds them: a loop for each type, not for each two
      with_type(g.ins[id].type, [&](auto to) { g.allocate<decltype(to)>(id); });
      with_type(g.ins[g.in(id, 0)].type, [&](auto from) {
        using T = decltype(from);
        using wide = type_of<arithmetic_type(type_of_sum(dtype_of<T>))>;
        T const* x = g.elements<T>(g.in(id, 0));
        if constexpr (std::is_same_v<T, wide>) {
          run_conversion(g, id, x, 0, n);
        } else {
          constexpr index_t block = 64;
          wide copy[block]{};
          for (index_t k = 0; k < n; k += block) {
            index_t const here = n - k < block ? n - k : block;
            for (index_t i = 0; i < here; ++i) copy[i] = static_cast<wide>(x[k + i]);
            run_conversion(g, id, copy, k, here);
          }
        }
      });
    } else {
      with_type(g.ins[g.in(id, Op::first_numeric)].type, [&](auto x) {
        using T = decltype(x);
        if constexpr (takes<Op>(dtype_of<T>)) {
          using R = type_of<Op::result_type(dtype_of<T>)>;
          R* const y = g.allocate<R>(id);
          if constexpr (Op::arity == 1) {
            T const* a = g.elements<T>(g.in(id, 0));
            for (index_t k = 0; k < n; ++k) y[k] = static_cast<R>(Op::kernel(a[k]));
          } else if constexpr (Op::arity == 2) {
            T const *a = g.elements<T>(g.in(id, 0)), *b = g.elements<T>(g.in(id, 1));
            for (index_t k = 0; k < n; ++k) y[k] = static_cast<R>(Op::kernel(a[k], b[k]));
          } else {
            using C = std::conditional_t<Op::first_numeric == 1, bool, T>;
            C const* a = g.elements<C>(g.in(id, 0));
            T const *b = g.elements<T>(g.in(id, 1)), *c = g.elements<T>(g.in(id, 2));
            for (index_t k = 0; k < n; ++k) y[k] = static_cast<R>(Op::kernel(a[k], b[k], c[k]));
          }
        } else {
          raise_type_is_not_taken(Op::name, dtype_of<T>);
        }
      });
    }
  }

  // n elements, which are element `first` of the result and those behind it
  template <class T>
  static constexpr void run_conversion(eager_graph& g, int id, T const* x, index_t first, index_t n) {
    with_type(g.ins[id].type, [&](auto to) {
      auto* y = g.value(id).of<decltype(to)>() + first;
      for (index_t k = 0; k < n; ++k) y[k] = Op::template kernel<decltype(to)>(x[k]);
    });
  }

  // ---- reductions ----

  static constexpr void run_reduce(eager_graph& g, int id) {
    int const x_id = g.in(id, 0);
    with_type(g.ins[id].type, [&](auto zero) {
      using T = decltype(zero);
      constexpr dtype type = dtype_of<T>;
      // (half precision is never computed in, and what enters as conditions is nothing else)
      constexpr bool enters =
          arithmetic_type(type) == type && (type == dtype::boolean || Op::operand_type(dtype::int8) != dtype::boolean);
      if constexpr (takes<Op>(type) && enters)
        reduction_interpreter<Op, T>::run(g.allocate<T>(id), g.elements<T>(x_id), g.shape(x_id), int(g.attr(id, 0)));
      else
        raise_type_is_not_taken(Op::name, type);
    });
  }

  // ---- products, views, parts, rows ----

  static constexpr void run_contract(eager_graph& g, int id) {
    shape_t const shape = g.shape(id);
    index_t const rows = shape.extent[shape.rank - 2], columns = shape.extent[shape.rank - 1];
    index_t const depth = g.shape(g.in(id, 0)).extent[shape.rank - 1],
                  batches = rows * columns == 0 ? 0 : size_of(shape) / (rows * columns);
    with_type(g.ins[id].type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (takes<Op>(dtype_of<T>)) {
        T* const y = g.allocate<T>(id);
        T const *a = g.elements<T>(g.in(id, 0)), *b = g.elements<T>(g.in(id, 1));
        for (index_t p = 0; p < batches; ++p)
          for (index_t i = 0; i < rows; ++i)
            for (index_t j = 0; j < columns; ++j) {
              T sum{};
              for (index_t k = 0; k < depth; ++k)
                sum =
                    scalar::add(sum, scalar::multiply(a[(p * rows + i) * depth + k], b[(p * depth + k) * columns + j]));
              y[(p * rows + i) * columns + j] = sum;
            }
      } else {
        raise_type_is_not_taken(Op::name, dtype_of<T>);
      }
    });
  }
  // (of any graph: a call on a type that is known would be instantiated wherever this header is read)
  template <class G>
  static constexpr void run_move(G& g, int id) {
    allocate_elements(g, id);
    if constexpr (Op::kind == op_kind::view) {
      move_elements(g, id, g.in(id, 0), ir::map_of(g, id), false);
    } else if constexpr (Op::kind == op_kind::assemble) {
      for (int k = 0; k < g.ins[id].count; ++k) {
        auto [map, axis] = ir::part_of(g, id, k);
        for (int before = 0; axis >= 0 && before < k; ++before)
          map.start[axis] += g.shape(g.in(id, before)).extent[axis];
        move_elements(g, id, g.in(id, k), map, true);
      }
    } else {
      static_assert(Op::kind == op_kind::index || Op::kind == op_kind::scatter);
      constexpr bool takes_rows = Op::kind == op_kind::index;
      auto const how = takes_rows ? rows_are::taken : g.attr(id, 1) != 0 ? rows_are::added : rows_are::written;
      move_rows(g, Op::name, id, g.in(id, 0), g.in(id, 1), g.in(id, takes_rows ? 0 : 2), int(g.attr(id, 0)),
                g.attr(id, takes_rows ? 1 : 2) != 0, how);
    }
  }
};

}  // namespace RICCI_ABI

template <class Op>
struct runner_of<Op, eager> {
  static constexpr void run(basic_graph<growing_storage>& g, int id) {
    interpreter<Op>::run(static_cast<eager_graph&>(g), id);
  }
};

}  // namespace ricci::ir
