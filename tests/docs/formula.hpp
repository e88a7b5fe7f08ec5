// Values of a graph as formulas for people, to stand in a cell of a table: `g * (1 - y * y)`.
#pragma once

#include <ricci/ricci.hpp>

#include <cstdio>
#include <cstring>
#include <string>

namespace formula {

namespace ir = ricci::ir;

inline std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", x);
  return text;
}

// What a value is called that is not to be taken apart.
struct name {
  int id;
  char const* text;
};
struct infix {
  char const *operation, *sign;
  int strength;  // of binding: what binds less is put in parentheses
  bool commutative = false;
};
inline constexpr infix infixes[] = {
    {"logical_or", " \\| ", 1, true},
    {"logical_and", " & ", 2, true},
    {"equal", " == ", 3},
    {"not_equal", " != ", 3},
    {"less", " < ", 4},
    {"less_equal", " <= ", 4},
    {"greater", " > ", 4},
    {"greater_equal", " >= ", 4},
    {"add", " + ", 5, true},
    {"subtract", " - ", 5},
    {"multiply", " * ", 6, true},
    {"divide", " / ", 6},
};
constexpr int of_sums = 5, of_signs = 7;

// The formula of value `id`, to stand where `strength` is what binds at least.
template <std::size_t N>
std::string of(ir::graph const& g, int id, name const (&names)[N], int strength = 0) {
  for (auto const& n : names)
    if (n.id == id) return n.text;
  if (ir::is_literal(g, id)) {
    double const x = ir::literal_number(g, id);
    return x < 0 && strength > of_signs ? "(" + number(x) + ")" : number(x);
  }
  auto const& i = g.ins[id];
  auto const operand = [&](int k, int at_least) { return of(g, g.in(id, k), names, at_least); };
  std::string const operation = i.op->name;
  for (auto const& f : infixes)
    if (operation == f.operation) {
      int left = 0, right = 1;
      if (f.commutative) {  // in an order that does not depend on when the compiler evaluates which argument
        std::string const a = operand(0, f.strength), b = operand(1, f.strength);
        if (b.size() < a.size() || (b.size() == a.size() && b < a)) left = 1, right = 0;
      }
      std::string const text = operand(left, f.strength) + f.sign + operand(right, f.strength + 1);
      return f.strength < strength ? "(" + text + ")" : text;
    }
  if (operation == "negative") {
    std::string const text = "-" + operand(0, of_signs);
    return strength > of_sums ? "(" + text + ")" : text;
  }
  if (operation == "astype") return operand(0, strength);
  std::string text = operation + "(";
  for (int k = 0; k < i.count; ++k) text += (k ? ", " : "") + operand(k, 0);
  return text + ")";
}

}  // namespace formula
