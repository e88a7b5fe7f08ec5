// Transforms given arguments of the function, as `rc::grad(f, x)`, or axes as numbers, as `rc::vmap(f, 0)`; loops
// without one of their parts: compile errors that say how they are called.
#pragma once

#include <ricci/autodiff/cond.hpp>
#include <ricci/autodiff/control.hpp>
#include <ricci/autodiff/jacobian.hpp>
#include <ricci/autodiff/linearize.hpp>
#include <ricci/autodiff/loops.hpp>
#include <ricci/autodiff/vjp.hpp>
#include <ricci/autodiff/vmap.hpp>
#include <ricci/core/wrong_argument.hpp>

namespace ricci {

// The first parameter takes the numbers of arguments, if any are named.
#define RICCI_CALLED_AS(NAME, SAID)                                                                                    \
  template <auto... A>                                                                                                 \
  constexpr wrong::result NAME(wrong::argument = {}, wrong::argument = {}, wrong::argument = {}, wrong::argument = {}, \
                               wrong::argument = {}) {                                                                 \
    static_assert(always_false<std::integral_constant<std::size_t, sizeof...(A)>>, #NAME " is called as rc::" SAID);   \
    return {};                                                                                                         \
  }
RICCI_CALLED_AS(fn, "fn(f)(x...)")
RICCI_CALLED_AS(grad, "grad(f)(x...), by other arguments than the first as rc::grad<0, 1>(f)(x...)")
RICCI_CALLED_AS(value_and_grad,
                "value_and_grad(f)(x...), by other arguments than the first as "
                "rc::value_and_grad<0, 1>(f)(x...)")
RICCI_CALLED_AS(jvp, "jvp(f)(x...)(tangents...)")
RICCI_CALLED_AS(vjp, "vjp(f)(x...)")
RICCI_CALLED_AS(linearize, "linearize(f)(x...)")
RICCI_CALLED_AS(jacfwd, "jacfwd(f)(x...), by other arguments than the first as rc::jacfwd<0, 1>(f)(x...)")
RICCI_CALLED_AS(jacrev, "jacrev(f)(x...), by other arguments than the first as rc::jacrev<0, 1>(f)(x...)")
RICCI_CALLED_AS(jacobian, "jacobian(f)(x...), by other arguments than the first as rc::jacobian<0, 1>(f)(x...)")
RICCI_CALLED_AS(hessian, "hessian(f)(x...), by other arguments than the first as rc::hessian<0, 1>(f)(x...)")
RICCI_CALLED_AS(hvp, "hvp(f)(x..., v), the vector behind the arguments")
RICCI_CALLED_AS(vmap,
                "vmap(f)(x...), along other axes than the first as rc::vmap(f, rc::in_axes<0, 1>, "
                "rc::out_axes<1>)(x...)")
RICCI_CALLED_AS(cond, "cond(condition, f, g, x...)")
RICCI_CALLED_AS(
    scan,
    "scan(f, carry, xs), or a number in place of xs, with rc::checkpoint_every<k> or rc::unroll<k> behind it or "
    "without")
RICCI_CALLED_AS(fori_loop,
                "fori_loop(lower, upper, body, init), with rc::at_most<n> and rc::checkpoint_every<k> "
                "behind it or without")
RICCI_CALLED_AS(while_loop,
                "while_loop(condition, body, init), with rc::at_most<n> and rc::checkpoint_every<k> "
                "behind it or without")
#undef RICCI_CALLED_AS

}  // namespace ricci
