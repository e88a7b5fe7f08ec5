// Elements that integer tensors and masks name.
#include "ricci.hpp"

namespace bench {

void indexing() {
  auto& v = x();
  auto const &a = v.a, &b = v.b;
  auto const &aa = v.aa, &bb = v.bb;
  auto const& at = v.at;
  auto const& o = data();
  float const *const fa = o.a.data(), *const fb = o.b.data();
  std::int64_t const* const places = o.at.data();
  unsigned char const* const mask = o.c.data();
  static vector<std::int64_t> const i = rc::astype<std::int64_t>(at / 1000.), k = rc::remainder(at, 1000);
  static std::vector<std::int64_t> const ni(i.begin(), i.end()), nk(k.begin(), k.end());
  std::int64_t const *const pi = ni.data(), *const pk = nk.data();
  static vector<std::int64_t> const few = rc::remainder(at(rc::range(0, 1000)), 1000);
  static matrix<std::int64_t> const along = rc::reshape(k, rc::shape(side, side));
  static vector<float> y = a;
  static std::vector<float> z(static_cast<std::size_t>(size));
  float* const to = z.data();
  auto const line = [](char const* name, contestant r, char const* np, auto... more_peers) {
    contest(name, size, std::move(r), peers(numpy(np), more_peers...));
  };
  // statements that write y; those of the peers write z and NumPy's o
  auto const statement = [](auto f) {
    return contestant_of("ricci", [f] {
      f();
      return &y;
    });
  };
  auto const loop_over = [=](auto f) {
    return loop([f] {
      for (long e = 0; e < size; ++e) f(e);
      return &z;
    });
  };
  auto const gather = loop_of<float>([=](long e) { return fa[places[e]]; });
  line("take", ricci([&] { return rc::take(a, at, rc::axis<0>); }), "np.take(a, t, out=o, mode='clip')", gather);
  line("a(at)", ricci([&] { return a(at); }), "a[t]", gather);
  line("take rows of 1000 x 1000", ricci([&] { return rc::take(aa, few, rc::axis<0>); }),
       "np.take(aa, t[:1000] % 1000, 0)");
  line("take columns of 1000 x 1000", ricci([&] { return rc::take(aa, few, rc::axis<1>); }),
       "np.take(aa, t[:1000] % 1000, 1)");
  line("take_along_axis", ricci([&] { return rc::take_along_axis(aa, along, rc::axis<1>); }),
       "np.take_along_axis(aa, tt % 1000, 1)", loop_of<float>([=](long e) { return fa[e / side * side + pk[e]]; }));
  auto const pairs = loop_of<float>([=](long e) { return fa[pi[e] * side + pk[e]]; });
  line("aa(i, k)", ricci([&] { return aa(i, k); }), "", pairs);
  line("fn: aa(i, k)", ricci([&] { return rc::fn([](auto x, auto r, auto c) { return x(r, c); })(aa, i, k); }), "",
       pairs);
  line("aa(i, k) + 1", ricci([&] { return aa(i, k) + 1.f; }), "",
       loop_of<float>([=](long e) { return fa[pi[e] * side + pk[e]] + 1; }));
  line("y = 0; y(at) = b", statement([&] {
         y = 0.f;
         y(at) = b;
       }),
       "o.fill(0) or o.__setitem__(t, b) or o", loop([=] {
         for (long e = 0; e < size; ++e) to[e] = 0;
         for (long e = 0; e < size; ++e) to[places[e]] = fb[e];
         return &z;
       }));
  line("y = 0; y(at).add(b)", statement([&] {
         y = 0.f;
         y(at).add(b);
       }),
       "o.fill(0) or np.add.at(o, t, b) or o", loop([=] {
         for (long e = 0; e < size; ++e) to[e] = 0;
         for (long e = 0; e < size; ++e) to[places[e]] += fb[e];
         return &z;
       }));
  line("a(c), a mask", ricci([&] { return a(v.c); }), "a[c]", loop([=] {
         static std::vector<float> found(static_cast<std::size_t>(size));
         found.resize(std::size_t(size));
         float* p = found.data();
         for (long e = 0; e < size; ++e) *p = fa[e], p += mask[e];
         found.resize(std::size_t(p - found.data()));
         return &found;
       }));
  line("a(a > .5)", ricci([&] { return a(a > .5f); }), "a[a > .5]", loop([=] {
         static std::vector<float> found(static_cast<std::size_t>(size));
         found.resize(std::size_t(size));
         float* p = found.data();
         for (long e = 0; e < size; ++e) *p = fa[e], p += fa[e] > .5f;
         found.resize(std::size_t(p - found.data()));
         return &found;
       }));
  line("y = a; y(c) = 2", statement([&] {
         y = a;
         y(v.c) = 2.f;
       }),
       "np.copyto(o, a) or o.__setitem__(c, 2) or o", loop_over([=](long e) { to[e] = mask[e] ? 2 : fa[e]; }));
  line("y = a; y(y > .5) = 2", statement([&] {
         y = a;
         y(y > .5f) = 2.f;
       }),
       "np.copyto(o, a) or o.__setitem__(o > .5, 2) or o", loop_over([=](long e) { to[e] = fa[e] > .5f ? 2 : fa[e]; }));
  line("y = a; y(c) += 1", statement([&] {
         y = a;
         y(v.c) += 1.f;
       }),
       "", loop_over([=](long e) { to[e] = mask[e] ? fa[e] + 1 : fa[e]; }));
  line("y = a; y(c) = b(c)", statement([&] {
         y = a;
         y(v.c) = b(v.c);
       }),
       "np.copyto(o, a) or o.__setitem__(c, b[c]) or o", loop_over([=](long e) { to[e] = mask[e] ? fb[e] : fa[e]; }));
  line("aa(rows of a mask)", ricci([&] { return aa(v.c(rc::range(0, side))); }), "aa[c[:1000]]");
  line("compress", ricci([&] { return rc::compress(v.c, a); }), "np.compress(c, a)");
  line("y(2:) = a(:-2)", statement([&] { y(rc::range(2, rc::end)) = a(rc::range(0, -2)); }), "", loop_over([=](long e) {
         if (e >= 2) to[e] = fa[e - 2];
       }));
  line("bb(rows, columns), ix_", ricci([&] { return bb(few(rc::all, rc::newaxis), few); }),
       "bb[(t[:1000] % 1000)[:, None], t[:1000] % 1000]");
}

}  // namespace bench
