// The engine of rc::check_grads: the comparison of forward and reverse mode with finite differences, in random
// directions, and, where they differ, in directions of single elements.
#pragma once

#include <ricci/autodiff/finite_differences.hpp>
#include <ricci/autodiff/leaf_derivatives.hpp>
#include <ricci/autodiff/leaf_names.hpp>
#include <ricci/core/data_types.hpp>

namespace ricci {

// Of rc::check_grads. What is 0 is chosen by the element types: rtol 1e-8 for double, 2e-4 for float, and so on.
struct check_options {
  int order = 1;                        // derivatives up to this one
  bool forward = true, reverse = true;  // modes
  double rtol = 0, atol = 0;            // a difference that is allowed: atol + rtol times the numbers compared
  double eps = 0;                       // the largest step, in sizes of the arguments
  std::uint64_t seed = 0;               // of the directions
  int directions = 2;                   // for each order
};

// What rc::check_grads finds: true where all agree, else where they differ most.
class gradient_check {
 public:
  explicit operator bool() const { return order == 0; }
  // "reverse mode, order 1: argument 0, element (1,): 6, by finite differences 4; they differ by 2"
  char const* text() const { return message.c_str(); }
  template <class Stream>
  friend Stream& operator<<(Stream& s, gradient_check const& c) {
    s << c.text();
    return s;
  }

  core::text message;
  int order = 0;                           // of the derivative that is wrong, 0: none
  bool is_reverse = false;                 // which mode is
  int argument = -1, leaf = -1;            // by which argument; -1: by a cotangent
  shape_t element{};                       // by which element of it
  double by_mode = 0, by_differences = 0;  // derivatives by that element
};

namespace tracing {
inline namespace RICCI_ABI {

inline core::text& add_number(core::text& t, double x) {
  char digits[32];
  __builtin_snprintf(digits, sizeof digits, "%.9g", x);
  return t << digits;
}

template <class Mode>
class gradient_checker {
  using array = core::owned_array<double>;

  struct sizes {
    double epsilon, rtol, step;
    int levels;
  };
  static sizes of_type(dtype t) {
    double epsilon = 0;
    with_type(t, [&]<class T>(T) {
      if constexpr (is_inexact(dtype_of<T>)) epsilon = scalar::convert<double>(finfo<T>().eps);
    });
    if (epsilon < 1e-12) return {epsilon, 1e-8, 0.125, 15};
    if (epsilon < 1e-5) return {epsilon, 2e-4, 0.25, 8};
    return {epsilon, 0.05, 0.5, 3};
  }

 public:
  gradient_checker(function_of_leaves f, ir::eager_graph& base, leaf_ids const& leaves, check_options const& o)
      : f_(f, base, leaves), options_(o), random_(o.seed), arguments_(leaves.count) {}

  // What is wrong first, by `name` of leaves.
  gradient_check run(tree::leaf_name const* names) {
    if (options_.order < 1 || options_.order > f_.most_orders)
      core::raise<value_error>(core::text() << "check_grads: order " << options_.order << " is not from 1 to 7");
    if (options_.directions < 1 || (!options_.forward && !options_.reverse))
      core::raise<value_error>(
          core::text() << "check_grads: nothing is compared without a direction and without forward or reverse mode");
    gradient_check c;
    for (order_ = 1; order_ <= options_.order && c; ++order_) {
      prepare();
      for (int k = 0; k < options_.directions && c; ++k) compare(c, names);
      if (c && order_ < options_.order) {
        array ct(f_.out.size());
        for (index_t i = 0; i < f_.out.size(); ++i) ct[i] = random();
        f_.add_cotangents(ct);
      }
    }
    if (c) {
      c.message << "derivatives up to order " << options_.order << " agree with finite differences";
      if (options_.forward != options_.reverse) c.message << (options_.forward ? " (forward mode)" : " (reverse mode)");
    }
    return c;
  }

 private:
  // Inputs, outputs and sizes at this order.
  void prepare() {
    f_.begin(order_, scale_, value_);
    sizes_ = of_type(dtype::float64);
    auto const note = [&](layout_of_leaves const& l) {
      for (int k = 0; k < l.count; ++k)
        if (sizes const s = of_type(l.type[k]); is_inexact(l.type[k]) && s.epsilon > sizes_.epsilon) sizes_ = s;
    };
    note(f_.in), note(f_.out);
    if (options_.rtol > 0) sizes_.rtol = options_.rtol;
    if (options_.eps > 0) sizes_.step = options_.eps;
    for (int k = 0; k < f_.in.count; ++k) {  // each number moves by its own size, 0 by that of its tensor
      double largest = 0;
      for (index_t i = f_.in.first[k]; i < f_.in.first[k + 1]; ++i) largest = larger(largest, scale_[i]);
      if (!(largest > 0 && largest - largest == 0)) largest = 1;
      for (index_t i = f_.in.first[k]; i < f_.in.first[k + 1]; ++i)
        scale_[i] = magnitude(scale_[i]) > 1e-12 * largest ? magnitude(scale_[i]) : largest;
    }
  }
  void differences(double const* d, double* to) const {
    auto const along = [&](double t, double* y) { f_.values(t, d, y); };
    differentiate(along, f_.out.size(), sizes_.step, sizes_.levels, sizes_.rtol / 256, sizes_.epsilon, to);
  }
  static double magnitude(double x) { return x < 0 ? -x : x; }
  static double larger(double a, double x) { return magnitude(x) > a ? magnitude(x) : a; }
  // one of sign and size, never near 0: splitmix64
  double random() {
    random_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = random_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    double const x = 0.5 + static_cast<double>(z >> 12) / 4503599627370496.;
    return z & 1 ? x : -x;
  }
  // Whether two numbers differ by more than is allowed, where terms of this size made them, of values of that size.
  bool differ(double a, double b, double terms, double of_values) const {
    return !(magnitude(a - b) <= options_.atol + sizes_.rtol * terms + 1024 * sizes_.epsilon * of_values);
  }
  // a direction, of the size of the inputs
  array direction() {
    array d(f_.in.size());
    for (index_t i = 0; i < f_.in.size(); ++i) d[i] = random() * scale_[i];
    return d;
  }
  // of the result's elements in one leaf of the outputs
  bool is_wrong(double const* a, double const* b) const {
    for (int k = 0; k < f_.out.count; ++k) {
      double terms = 0, of_values = 0;
      for (index_t i = f_.out.first[k]; i < f_.out.first[k + 1]; ++i)
        terms = larger(larger(terms, a[i]), b[i]), of_values = larger(of_values, value_[i]);
      for (index_t i = f_.out.first[k]; i < f_.out.first[k + 1]; ++i)
        if (differ(a[i], b[i], terms, of_values)) return true;
    }
    return false;
  }
  struct pairing {
    double value = 0, terms = 0;
  };
  static pairing pair(layout_of_leaves const& l, double const* a, double const* b) {
    pairing p;
    for (index_t i = 0; i < l.size(); ++i) p.value += l.sign(i) * a[i] * b[i], p.terms += magnitude(a[i] * b[i]);
    return p;
  }

  void compare(gradient_check& c, tree::leaf_name const* names) {
    array const d = direction();
    array by_differences(f_.out.size());
    differences(&d[0], &by_differences[0]);
    if (options_.forward) {
      array by_mode(f_.out.size());
      f_.push(&d[0], &by_mode[0]);
      if (is_wrong(&by_mode[0], &by_differences[0])) return localise(c, false, d, names);
    }
    if (options_.reverse) {
      array ct(f_.out.size()), by_mode(f_.in.size());
      for (index_t i = 0; i < f_.out.size(); ++i) ct[i] = random();
      f_.pull(&ct[0], &by_mode[0]);
      pairing const a = pair(f_.in, &by_mode[0], &d[0]), b = pair(f_.out, &ct[0], &by_differences[0]);
      if (differ(a.value, b.value, a.terms + b.terms, pair(f_.out, &ct[0], &value_[0]).terms))
        localise(c, true, d, names);
    }
  }

  // ---- where they differ most ----

  // Of directions with numbers in [first, last) alone: how much mode and differences differ there.
  double mismatch(bool is_reverse, array const& d, index_t first, index_t last) const {
    array part(f_.in.size()), by_differences(f_.out.size());
    for (index_t i = first; i < last; ++i) part[i] = d[i];
    differences(&part[0], &by_differences[0]);
    double worst = 0;
    if (is_reverse) {
      array ct(f_.out.size()), by_mode(f_.in.size());
      for (index_t i = 0; i < f_.out.size(); ++i) ct[i] = 1;
      f_.pull(&ct[0], &by_mode[0]);
      worst = magnitude(pair(f_.in, &by_mode[0], &part[0]).value - pair(f_.out, &ct[0], &by_differences[0]).value);
    } else {
      array by_mode(f_.out.size());
      f_.push(&part[0], &by_mode[0]);
      for (index_t i = 0; i < f_.out.size(); ++i) worst = larger_difference(worst, by_mode[i], by_differences[i]);
    }
    return worst == worst ? worst : std::numeric_limits<double>::max();
  }
  static double larger_difference(double worst, double a, double b) {
    return magnitude(a - b) <= worst ? worst : a - b == a - b ? magnitude(a - b) : std::numeric_limits<double>::max();
  }
  void localise(gradient_check& c, bool is_reverse, array const& d, tree::leaf_name const* names) {
    constexpr index_t few = 256;
    index_t first = 0, last = f_.in.size();
    while (last - first > few) {
      index_t const middle = first + (last - first) / 2;
      if (mismatch(is_reverse, d, first, middle) >= mismatch(is_reverse, d, middle, last))
        last = middle;
      else
        first = middle;
    }
    index_t worst = first;
    for (double most = -1; first < last; ++first)
      if (double const here = mismatch(is_reverse, d, first, first + 1); here > most) most = here, worst = first;
    describe(c, is_reverse, worst, names);
  }
  // By this number: the result that differs most.
  void describe(gradient_check& c, bool is_reverse, index_t at, tree::leaf_name const* names) {
    int const leaf = f_.in.leaf_of(at);
    array one(f_.in.size()), by_differences(f_.out.size()), by_mode(f_.out.size());
    one[at] = scale_[at];
    differences(&one[0], &by_differences[0]);
    if (is_reverse) {
      array ct(f_.out.size()), g(f_.in.size());
      for (index_t k = 0; k < f_.out.size(); ++k) {
        ct[k] = 1;
        for (index_t i = 0; i < f_.in.size(); ++i) g[i] = 0;
        f_.pull(&ct[0], &g[0]);
        by_mode[k] = f_.out.sign(k) * f_.in.sign(at) * g[at] * scale_[at];
        ct[k] = 0;
      }
    } else {
      f_.push(&one[0], &by_mode[0]);
    }
    index_t result = 0;
    double most = -1;
    for (index_t k = 0; k < f_.out.size(); ++k)
      if (double const here = larger_difference(0, by_mode[k], by_differences[k]); here > most) most = here, result = k;
    c.order = order_, c.is_reverse = is_reverse;
    c.by_mode = by_mode[result] / scale_[at], c.by_differences = by_differences[result] / scale_[at];
    c.element = coordinates(f_.in, at);
    c.message << (is_reverse ? "reverse" : "forward") << " mode, order " << order_ << ": ";
    if (leaf < arguments_) {
      c.argument = names[leaf].argument, c.leaf = names[leaf].leaf;
      c.message << names[leaf];
    } else {
      c.message << "cotangent " << leaf - arguments_;
    }
    add_element(c.message, f_.in, at);
    if (f_.out.size() > 1) {
      c.message << ", result " << f_.out.leaf_of(result);
      add_element(c.message, f_.out, result);
    }
    add_number(add_number(c.message << ": ", c.by_mode) << ", by finite differences ", c.by_differences);
    add_number(c.message << "; they differ by ", magnitude(c.by_mode - c.by_differences));
  }
  static shape_t coordinates(layout_of_leaves const& l, index_t at) {
    int const k = l.leaf_of(at);
    shape_t c = l.shape[k];
    index_t flat = (at - l.first[k]) / l.parts(k);
    for (int d = c.rank - 1; d >= 0; --d) {
      index_t const n = l.shape[k].extent[d];
      c.extent[d] = flat % n, flat /= n;
    }
    return c;
  }
  static void add_element(core::text& t, layout_of_leaves const& l, index_t at) {
    shape_t const c = coordinates(l, at);
    if (c.rank > 0) (t << ", element ").shape(c.extent, c.rank);
    if (l.parts(l.leaf_of(at)) == 2) t << (l.sign(at) < 0 ? ", imaginary part" : ", real part");
  }

  leaf_derivatives<Mode> f_;
  check_options options_;
  std::uint64_t random_;
  int arguments_, order_ = 1;
  sizes sizes_{};
  array value_, scale_;
};

}  // namespace RICCI_ABI
}  // namespace tracing

}  // namespace ricci
