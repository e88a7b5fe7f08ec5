// a name for the rows that an index tensor names is not assigned to
// What is read by an index tensor is a copy: a name for it does not write to the table.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> table{1, 2, 3};
  rc::tensor<int, 2> rows{2, 0};
  auto const f = [](auto table, auto rows) {
#ifdef FIXED
    auto h = rc::eval(table(rows));
#else
    auto h = table(rows);
#endif
    h = h + 1.f;
    return rc::sum(h) + rc::sum(table);
  };
  rc::fn(f)(table, rows);
}
