// The calls that go up: functions of higher floors that argument-dependent lookup finds when what calls them is
// instantiated. These are all that there are (tests/structure/calls.cmake refuses others), each with who defines it, as
// overloads in this namespace. Here they are deleted, so that a program without the floor that is meant is told its
// name.
#pragma once

namespace ricci {

// ---- what symbols of traced functions do (graph/symbol.hpp) ----

void index_symbol() = delete;       // ops/index.hpp: x(i, ...) as a symbol; others in ops/gather.hpp, value_windows.hpp
void transposed_symbol() = delete;  // ops/reshaping.hpp: x.T()
void rebound() = delete;            // ops/call.hpp: what `x = y` binds the name x to

// ---- what an operation becomes, by what it is called with (ops/) ----

void make_node() = delete;         // expr/node.hpp: of tensors, a lazy expression
void constant_of() = delete;       // autodiff/trace.hpp: of a tensor beside symbols, a value of their graph
void call_function() = delete;     // autodiff/functions.hpp: of a call with several results, computed at once
void call_at_run_time() = delete;  // any/call.hpp: of tensors of any type and order, one of these
void call_with_axis() = delete;    // tensor/deferred.hpp: of an axis that shows at run time, a reduction over the last
void call_along_axis() = delete;   // tensor/axis_values.hpp: of such an axis, what has it in its result
void repeat_at_run_time() = delete;  // any/searching.hpp: of such tensors, each element as often as a count says
void call_with_list() = delete;      // any/joins.hpp: of a list of such tensors, a join
void join_list() = delete;           // tensor/joins.hpp: of a list of tensors of one type, a join
void reduced_by_name() = delete;     // tensor/named.hpp: of tensors whose axes have names, a reduction
void along_axis_by_name() = delete;  // tensor/named.hpp: of such tensors, what runs along an axis and keeps the shape
void applied_by_name() = delete;     // tensor/named.hpp: of such tensors, an operation element by element

// ---- what expressions and views do when they meet memory (expr/) ----

void folded_key() = delete;           // random/key.hpp: of a random key, another one
void eval() = delete;                 // tensor/assign.hpp: an expression as a tensor
void evaluate_item() = delete;        // tensor/assign.hpp: an expression without axes as a number
void shape_of_expression() = delete;  // tensor/deferred.hpp: the extents that an expression will have
void assign() = delete;               // tensor/assign.hpp: `x = e` of a view
void assign_masked() = delete;        // tensor/masked.hpp: `x(mask) = e`

}  // namespace ricci
