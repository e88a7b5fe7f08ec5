// Tensors whose element type and order are known at run time alone, for files, scripts and plugins:
//
//   rc::any_tensor a = x, b(rc::dtype::int32, std::vector{2, 3}, elements);
//   rc::any_tensor c = rc::sum(a + b, rc::axis<0>);           // as with other tensors, one operation after another
//   rc::visit([](auto const& view) { use(view); }, c);         // as a view of its type and order
#pragma once

#include <ricci/ricci.hpp>

#include <ricci/any/functions.hpp>
#include <ricci/any/index.hpp>
#include <ricci/any/joins.hpp>
#include <ricci/any/searching.hpp>
#include <ricci/any/types.hpp>
