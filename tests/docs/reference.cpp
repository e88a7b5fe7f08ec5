// The tables in docs/reference.md that follow from the operations' own structs. Reads the page and prints it with these
// tables made anew: they stand between `<!-- begin NAME -->` and `<!-- end -->`. What is between others is kept by
// hand.
//
//   reference docs/reference.md > new.md
#include <ricci/ricci.hpp>

#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "formula.hpp"
#include "names.hpp"
#include "ops/list.hpp"

namespace rc = ricci;
namespace ir = rc::ir;
using rc::dtype;

namespace {

using V = ir::value<ir::traced>;
constexpr unsigned count = rc::element_types::size;
constexpr dtype type_at(unsigned k) { return static_cast<dtype>(k + 1); }

// Element types as bits, in words.
template <class Is>
unsigned set_of(Is const& is) {
  unsigned set = 0;
  for (unsigned k = 0; k < count; ++k) set |= unsigned(is(type_at(k))) << k;
  return set;
}
std::string set_text(unsigned set) {
  auto const is = [&](auto const& f) { return set == set_of(f); };
  if (is([](dtype t) { return !rc::is_complex(t); })) return "all";
  if (is([](dtype t) { return t != dtype::boolean && !rc::is_complex(t); })) return "numbers";
  if (is([](dtype t) { return rc::is_floating(t); })) return "floats";
  if (is([](dtype t) { return rc::is_integer(t) || t == dtype::boolean; })) return "integers, bool";
  if (is([](dtype t) { return rc::is_integer(t); })) return "integers";
  std::string text;
  for (unsigned k = 0; k < count; ++k)
    if (set >> k & 1) text += (text.empty() ? "" : ", ") + std::string(rc::name_of(type_at(k)));
  return text;
}
// "floats; others as float64": what `of` makes of every element type, of complex ones apart
template <class Op, class Of>
std::string types_text(Op, Of const& of_any) {
  auto const is_taken = [](dtype t) {
    return !rc::is_complex(t) && !(requires { Op::takes_integers_alone; } && rc::is_floating(t));
  };
  auto const of = [&](dtype t) { return is_taken(t) ? of_any(t) : dtype::none; };
  unsigned const same = set_of([&](dtype t) { return of(t) == t; }), all = set_of(is_taken);
  std::string text = set_text(same);
  for (unsigned k = 0; k < count; ++k) {
    dtype const to = type_at(k);
    unsigned const from = set_of([&](dtype t) { return of(t) == to && t != to; });
    if (from) text += "; " + ((same | from) == all ? "others" : set_text(from)) + " as " + rc::name_of(to);
  }
  if (ir::takes_complex<Op>) text += "; complex";
  return text;
}
std::string bound(double x) { return formula::number(x); }
std::string domain_text(rc::interval d) {
  bool const low = d.low == -rc::largest_number, high = d.high == rc::largest_number;
  if (low && high) return "all";
  if (high) return "from " + bound(d.low);
  return bound(d.low) + " to " + bound(d.high);
}

// The cotangent of every operand, where that of the result y is g.
template <class Op>
std::string cotangents() {
  auto const graph = std::make_unique<ir::graph>();
  constexpr int n = Op::arity;
  char const* const letters[][3] = {{"x"}, {"a", "b"}, {"x", "low", "high"}, {"condition", "a", "b"}};
  auto const& letter = letters[n == 3 && Op::first_numeric == 1 ? 3 : n - 1];
  V x[n];
  for (int k = 0; k < n; ++k)
    x[k] = ir::argument<ir::traced>(*graph, k < Op::first_numeric ? dtype::boolean : Op::operand_type(dtype::float64),
                                    {0, {}}, k);
  V const y = [&]<std::size_t... K>(std::index_sequence<K...>) { return Op{}(x[K]...); }
  (std::make_index_sequence<n>{});
  if (y.type() == dtype::boolean) return "";
  V const g = ir::argument<ir::traced>(*graph, y.type(), {0, {}}, n);
  V out[n]{};
  Op::vjp(ir::application<V>{y}, g, out);
  formula::name names[n + 2] = {{y.id, "y"}, {g.id, "g"}};
  for (int k = 0; k < n; ++k) names[k + 2] = {x[k].id, letter[k]};
  std::string text;
  bool zero = true;
  for (int k = Op::first_numeric; k < n; ++k) {
    text += (text.empty() ? "`" : ", `") + (out[k] ? formula::of(*graph, out[k].id, names) : "0") + "`";
    zero = zero && !out[k];
  }
  return zero ? "0" : text;
}

void elementwise_rows(std::ostream& out) {
  out << "| | as operator | NumPy, JAX | enters as | domain | ulp | cotangents | "
         "|\n|---|---|---|---|---|---|---|---|\n";
  auto const row = [&]<class Op>(Op) {
    auto const of = names::of(Op::name);
    constexpr bool condition = Op::result_type(dtype::float64) == dtype::boolean;
    out << "| `rc::" << Op::name << "` | " << of.operators << " | " << of.numpy << " | "
        << types_text(Op{}, [](dtype t) { return Op::operand_type(t); }) << (condition ? "; gives bool" : "") << " | "
        << domain_text(Op::domain) << " | " << (Op::ulp == 0 ? "exact" : formula::number(Op::ulp)) << " | "
        << cotangents<Op>() << " | " << of.remark << " |\n";
  };
  operations::for_each_elementwise(row);
  operations::for_each_further(row);
  operations::for_each(operations::bits{}, row);
}

template <class... Ops>
void reduction_rows(std::ostream& out) {
  out << "| | NumPy, JAX | result | derivative | |\n|---|---|---|---|---|\n";
  auto const row = [&]<class Op>(Op) {
    auto const of = names::of(Op::name);
    out << "| `rc::" << Op::name << "` | " << of.numpy << " | "
        << types_text(Op{}, [](dtype t) { return Op::type_of_result(t); }) << " | " << of.operators << " | "
        << of.remark << " |\n";
  };
  (row(Ops{}), ...);
}

// what two tensors of these types give, and a tensor of the one beside a number of the other
void promotion_rows(std::ostream& out) {
  out << "| |";
  for (unsigned k = 0; k < count; ++k) out << " " << rc::name_of(type_at(k)) << " |";
  out << "\n|---|";
  for (unsigned k = 0; k < count; ++k) out << "---|";
  out << "\n";
  for (unsigned r = 0; r < count; ++r) {
    out << "| " << rc::name_of(type_at(r)) << " |";
    for (unsigned k = 0; k < count; ++k) out << " " << rc::name_of(rc::promote(type_at(r), type_at(k))) << " |";
    out << "\n";
  }
}

void table(std::string const& name, std::ostream& out) {
  if (name == "promotion") return promotion_rows(out);
  if (name == "elementwise") return elementwise_rows(out);
  if (name == "reductions")
    return reduction_rows<rc::sum_t, rc::prod_t, rc::max_t, rc::min_t, rc::mean_t, rc::var_t, rc::std_t,
                          rc::logsumexp_t, rc::softmax_t, rc::log_softmax_t, rc::cumulative_sum_t,
                          rc::cumulative_prod_t, rc::sort_t, rc::argsort_t, rc::norm_t, rc::any_t, rc::all_t,
                          rc::argmax_t, rc::argmin_t>(out);
  std::cerr << "no table is called " << name << "\n";
  std::exit(1);
}

}  // namespace

int main(int, char** argv) {
  std::ifstream page(argv[1]);
  std::string line;
  bool generated = false;
  while (std::getline(page, line)) {
    if (line == "<!-- end -->") generated = false;
    if (!generated) std::cout << line << "\n";
    if (line.rfind("<!-- begin ", 0) == 0) {
      generated = true;
      std::ostringstream text;
      table(line.substr(11, line.size() - 11 - 4), text);
      std::cout << text.str();
    }
  }
}
