// ricci: tensors, lazy expressions and their derivatives. This header is the whole CPU library.
//
// All floors are listed, lowest first, and what others of a floor include before them, so that a compiler that reports
// an error in one of them names it without a long chain of inclusions.
#pragma once

#include <ricci/core/abi.hpp>
#include <ricci/core/buffer.hpp>
#include <ricci/core/data_types.hpp>
#include <ricci/core/errors.hpp>
#include <ricci/core/heap.hpp>
#include <ricci/core/label.hpp>
#include <ricci/core/pattern.hpp>
#include <ricci/core/quotients.hpp>
#include <ricci/core/radix_sort.hpp>
#include <ricci/core/scalar.hpp>
#include <ricci/core/text.hpp>
#include <ricci/core/types.hpp>

#include <ricci/shape/axes.hpp>
#include <ricci/shape/axis_names.hpp>
#include <ricci/shape/concepts.hpp>
#include <ricci/shape/contraction_order.hpp>
#include <ricci/shape/einops_pattern.hpp>
#include <ricci/shape/einops_problems.hpp>
#include <ricci/shape/extents.hpp>
#include <ricci/shape/operand_ref.hpp>
#include <ricci/shape/rules.hpp>
#include <ricci/shape/shape.hpp>
#include <ricci/shape/shape_argument.hpp>
#include <ricci/shape/slices.hpp>
#include <ricci/shape/strided.hpp>
#include <ricci/shape/subscripts.hpp>

#include <ricci/graph/descriptor.hpp>
#include <ricci/graph/dims.hpp>
#include <ricci/graph/graph.hpp>
#include <ricci/graph/growing.hpp>
#include <ricci/graph/hooks.hpp>
#include <ricci/graph/instruction.hpp>
#include <ricci/graph/leaves.hpp>
#include <ricci/graph/record.hpp>
#include <ricci/graph/symbol.hpp>
#include <ricci/graph/symbolic_extent.hpp>
#include <ricci/graph/value.hpp>

#include <ricci/ops/arithmetic.hpp>

#include <ricci/ops/accumulate.hpp>
#include <ricci/ops/arg_reduce.hpp>
#include <ricci/ops/bitwise.hpp>
#include <ricci/ops/call.hpp>
#include <ricci/ops/closeness.hpp>
#include <ricci/ops/complex.hpp>
#include <ricci/ops/composite.hpp>
#include <ricci/ops/composite_functions.hpp>
#include <ricci/ops/contraction.hpp>
#include <ricci/ops/convolve.hpp>
#include <ricci/ops/core_call.hpp>
#include <ricci/ops/cumulative.hpp>
#include <ricci/ops/diagonals.hpp>
#include <ricci/ops/differences.hpp>
#include <ricci/ops/divmod.hpp>
#include <ricci/ops/einops.hpp>
#include <ricci/ops/einsum.hpp>
#include <ricci/ops/elementwise.hpp>
#include <ricci/ops/flat_index.hpp>
#include <ricci/ops/floating.hpp>
#include <ricci/ops/fold.hpp>
#include <ricci/ops/gather.hpp>
#include <ricci/ops/histogram.hpp>
#include <ricci/ops/index.hpp>
#include <ricci/ops/interp.hpp>
#include <ricci/ops/join.hpp>
#include <ricci/ops/masked.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/ops/movement.hpp>
#include <ricci/ops/nan_arg_reduce.hpp>
#include <ricci/ops/nan_to_num.hpp>
#include <ricci/ops/padding.hpp>
#include <ricci/ops/partition.hpp>
#include <ricci/ops/products.hpp>
#include <ricci/ops/put.hpp>
#include <ricci/ops/quantiles.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/reduce.hpp>
#include <ricci/ops/reshaping.hpp>
#include <ricci/ops/running_extrema.hpp>
#include <ricci/ops/search.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/ops/sort.hpp>
#include <ricci/ops/stacks.hpp>
#include <ricci/ops/statistics.hpp>
#include <ricci/ops/take_along_axis.hpp>
#include <ricci/ops/take_at.hpp>
#include <ricci/ops/together.hpp>
#include <ricci/ops/told.hpp>
#include <ricci/ops/top_k.hpp>
#include <ricci/ops/trigonometry.hpp>

#include <ricci/transform/derivatives.hpp>
#include <ricci/transform/forward.hpp>
#include <ricci/transform/plan/alias.hpp>
#include <ricci/transform/plan/build.hpp>
#include <ricci/transform/reverse.hpp>
#include <ricci/transform/simplify.hpp>

#include <ricci/expr/deferred.hpp>
#include <ricci/expr/element.hpp>
#include <ricci/expr/foreign.hpp>
#include <ricci/expr/gather.hpp>
#include <ricci/expr/index.hpp>
#include <ricci/expr/lazy_view.hpp>
#include <ricci/expr/leaf.hpp>
#include <ricci/expr/node.hpp>
#include <ricci/expr/reify.hpp>
#include <ricci/expr/view.hpp>

#include <ricci/kernel/lower.hpp>

#include <ricci/exec/context.hpp>
#include <ricci/exec/cpu/run.hpp>
#include <ricci/exec/cpu/statement.hpp>
#include <ricci/exec/cpu/threads.hpp>
#include <ricci/exec/interpret/run.hpp>

#include <ricci/tensor/assign.hpp>
#include <ricci/tensor/contexts.hpp>
#include <ricci/tensor/create.hpp>
#include <ricci/tensor/deferred.hpp>
#include <ricci/tensor/grids.hpp>
#include <ricci/tensor/histogram.hpp>
#include <ricci/tensor/index_loops.hpp>
#include <ricci/tensor/joins.hpp>
#include <ricci/tensor/like.hpp>
#include <ricci/tensor/masked.hpp>
#include <ricci/tensor/named.hpp>
#include <ricci/tensor/nested.hpp>
#include <ricci/tensor/picked.hpp>
#include <ricci/tensor/print.hpp>
#include <ricci/tensor/put_rows.hpp>
#include <ricci/tensor/rearranging.hpp>
#include <ricci/tensor/rows.hpp>
#include <ricci/tensor/searching.hpp>
#include <ricci/tensor/sets.hpp>
#include <ricci/tensor/storage.hpp>
#include <ricci/tensor/tensor.hpp>
#include <ricci/tensor/top_k.hpp>

#include <ricci/autodiff/call.hpp>
#include <ricci/autodiff/contexts.hpp>
#include <ricci/autodiff/control.hpp>
#include <ricci/autodiff/derivative.hpp>
#include <ricci/autodiff/functions.hpp>
#include <ricci/autodiff/interpret.hpp>
#include <ricci/autodiff/jacobian.hpp>
#include <ricci/autodiff/jacobian_types.hpp>
#include <ricci/autodiff/trace.hpp>
#include <ricci/autodiff/traceable.hpp>
#include <ricci/autodiff/transforms.hpp>
#include <ricci/autodiff/tree.hpp>
#include <ricci/autodiff/tree_map.hpp>
#include <ricci/autodiff/vjp.hpp>
#include <ricci/autodiff/vmap.hpp>

#include <ricci/inspect/count.hpp>
#include <ricci/inspect/explain.hpp>
