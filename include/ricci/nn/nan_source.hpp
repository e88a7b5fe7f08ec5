// Where a NaN comes from: `nn::nan_source(f, x...)` interprets f, one operation after the other, and says which made
// the first one, and which an infinity before it; an empty text where there is no NaN.
//
//   if (std::isnan(step(run, images, labels)))
//     std::puts(nn::nan_source_of<loss>(optimiser, before, images, labels).c_str());   // before: a copy of the run
#pragma once

#include <string>

#include <ricci/autodiff/interpret.hpp>
#include <ricci/autodiff/leaf_names.hpp>
#include <ricci/nn/step.hpp>

namespace ricci::nn {

namespace nans {

struct found {
  bool nan = false, infinite = false;
};
template <class T>
found in_elements(T const* x, index_t n) {
  found f;
  for (index_t k = 0; k < n; ++k) {
    auto const v = static_cast<double>(x[k]);
    f.nan = f.nan || __builtin_isnan(v);
    f.infinite = f.infinite || __builtin_isinf(v);
  }
  return f;
}
// of value `id` of an interpreted graph, where it is of a floating-point type
inline found in_value(ir::eager_graph& g, int id) {
  index_t const n = size_of(g.shape(id));
  found f;
  [&]<class... T>(type_list<T...>) {
    (
        [&] {
          if constexpr (is_floating(dtype_of<T>))
            if (g.ins[id].type == dtype_of<T>) f = in_elements(g.template elements<T>(id), n);
        }(),
        ...);
  }(element_types{});
  return f;
}

}  // namespace nans

template <class F, class... A>
std::string nan_source(F const& f, A const&... a) {
  using tracing::give_elements;
  ir::eager_graph g;
  std::tuple<tree::symbolic_t<ir::eager, A>...> args{};
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (tree::for_each_leaf([&](auto& s, auto const& x) { give_elements(g, s, x); }, std::get<I>(args), a), ...);
  }
  (std::make_index_sequence<sizeof...(A)>{});
  int const begin = g.size;
  std::string infinity;
  int leaf = 0;
  std::string of_argument;
  tree::for_each_leaf(
      [&](auto const& s) {
        if (of_argument.empty() && nans::in_value(g, s.v.id).nan) {
          core::text t;
          t << tree::name_of_leaf<A...>(leaf) << " has a NaN";
          of_argument = t.c_str();
        }
        ++leaf;
      },
      args);
  if (!of_argument.empty()) return of_argument;
  (void)tracing::applied(f, args);
  auto const place = [&](int id) {
    shape_t const& s = g.shape(id);
    std::string t = std::string(g.ins[id].op->name) + ", value " + std::to_string(id) + ", (";
    for (int k = 0; k < s.rank; ++k) t += (k ? ", " : "") + std::to_string(s.extent[k]);
    return t + ")";
  };
  for (int id = begin; id < g.size; ++id) {
    if (g.ins[id].op == nullptr) continue;
    auto const in = nans::in_value(g, id);
    if (in.nan) return place(id) + " made a NaN" + (infinity.empty() ? "" : "; before it " + infinity);
    if (in.infinite && infinity.empty()) infinity = place(id) + " made an infinity";
  }
  return {};
}
// The same of a step: of the loss, its derivatives and the optimiser, for a run as it was before that step.
template <auto Loss, class O, class Run, class... Batch>
std::string nan_source_of(O const& optimiser, Run const& r, Batch const&... batch) {
  using links = decltype(links_of(optimiser));
  return nan_source(traced_step<std::remove_cvref_t<decltype(Loss)>, links>{}, links_of(optimiser), r.params, r.state,
                    r.optimiser, r.key, r.step, rows_of_first(batch...), batch...);
}

}  // namespace ricci::nn
