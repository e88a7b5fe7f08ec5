// The oracle's driver:
//
//   driver list                     functions and their forms as JSON, for oracle.py
//   driver run cases [least]        runs the cases of a file, and fails if one does, or if a function has fewer than
//   `least` cases of a
//                                   kind of extents
//   driver table folder exports     docs/array_api.md from the lists in that folder (standard.txt, elsewhere.txt,
//   not_yet.txt); fails
//                                   if a function of the standard is in none, or is not yet but in the file of exports
#include "given.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace oracle {

void elementwise_of_one(registry&);
void elementwise_of_two(registry&);
void beyond_the_standard(registry&);
void creation(registry&);
void statistics(registry&);
void manipulation(registry&);
void products(registry&);
void rearranging(registry&);
void searching(registry&);

namespace {

registry all_entries() {
  registry r;
  struct part {
    char const* file;
    void (*add)(registry&);
  };
  for (auto const [file, add] :
       {part{"creation", creation}, part{"elementwise_unary", elementwise_of_one},
        part{"elementwise_binary", elementwise_of_two}, part{"searching", searching}, part{"reductions", statistics},
        part{"shapes", manipulation}, part{"products", products}, part{"rearranging", rearranging},
        part{"beyond", beyond_the_standard}}) {
    r.file = file;
    add(r);
  }
  return r;
}

// ---- reading ----

std::vector<char> data;
std::size_t at = 0;
std::vector<rc::dtype> type_numbers;

void read(void* to, std::size_t bytes) {
  if (at + bytes > data.size()) std::printf("the cases end early\n"), std::exit(3);
  if (bytes > 0) std::memcpy(to, data.data() + at, bytes);
  at += bytes;
}
template <class T>
T number() {
  T n{};
  read(&n, sizeof n);
  return n;
}
std::string text() {
  std::string s(number<std::uint16_t>(), ' ');
  read(s.data(), s.size());
  return s;
}
rc::dtype type_named(std::string const& name) {
  for (int k = 1; k <= rc::element_types::size; ++k)
    if (name == rc::element_names[k]) return static_cast<rc::dtype>(k);
  return rc::dtype::none;
}
// type, extents; for a view the axes in the order in which they lie in memory, and their steps; then the elements in
// row-major order
void read_array(array& a, bool strides) {
  a.type = type_numbers[number<std::uint8_t>()];
  a.rank = number<std::uint8_t>();
  int order[max_order];
  index_t step[max_order];
  for (int k = 0; k < a.rank; ++k) a.extent[k] = number<std::uint16_t>(), order[k] = k, step[k] = 1;
  for (int k = 0; strides && k < a.rank; ++k) order[k] = number<std::uint8_t>(), step[k] = number<std::int8_t>();
  index_t n = 1, offset = 0;
  for (int p = a.rank - 1; p >= 0; --p) {
    int const k = order[p];
    a.stride[k] = n * step[k];
    index_t const last = a.extent[k] > 0 ? a.extent[k] - 1 : 0;
    if (step[k] < 0) offset -= last * a.stride[k];
    n *= last * std::abs(step[k]) + 1;
  }
  std::size_t const size = std::size_t(rc::size_of(a.type));
  a.memory.assign(std::size_t(n) * size, char(0xa5));  // what lies between the elements is not to matter
  if (a.type == rc::dtype::boolean) a.memory.assign(std::size_t(n) * size, 1);
  a.first = a.memory.data() + std::size_t(offset) * size;
  a.for_each([&](index_t k, index_t) { read(a.first + k * index_t(size), size); });
}

// ---- comparing ----

long checks = 0, failures = 0;
std::string case_text;

template <class T>
double ulp(T x) {
  if constexpr (std::is_same_v<T, rc::float16>) {
    double const a = std::fabs(double(float(x)));
    return a < 0x1p-14 ? 0x1p-24 : std::ldexp(1., std::ilogb(a) - 10);
  } else if constexpr (std::is_same_v<T, rc::bfloat16>) {
    double const a = std::fabs(double(float(x)));
    return a < 0x1p-126 ? 0x1p-133 : std::ldexp(1., std::ilogb(a) - 7);
  } else {
    T const a = std::fabs(x);
    if (!(a < std::numeric_limits<T>::max())) return std::numeric_limits<double>::infinity();
    return double(std::nextafter(a, std::numeric_limits<T>::infinity())) - double(a);
  }
}
// how far x is from what is wanted, at most `bound` ulps or as a difference
template <class T>
bool near(T x, T want, bound kind, double bound) {
  if constexpr (rc::types::is_complex<T>) {
    using R = typename T::value_type;
    if (kind == bound::exact || !std::isfinite(want.real()) || !std::isfinite(want.imag()))
      return near(x.real(), want.real(), kind, bound) && near(x.imag(), want.imag(), kind, bound);
    double const apart = std::abs(std::complex<double>(x) - std::complex<double>(want));
    return apart <= (kind == bound::ulps ? bound * ulp(R(std::abs(want))) : bound);
  } else if constexpr (std::is_integral_v<T>) {
    return x == want || (kind == bound::absolute && std::fabs(double(x) - double(want)) <= bound);
  } else {
    double const a = double(x), b = double(want);
    if (std::isnan(b)) return std::isnan(a);
    if (kind == bound::exact) return a == b && (a != 0 || std::signbit(a) == std::signbit(b));
    if (a == b) return true;
    if (std::isinf(a) || std::isinf(b)) return false;
    return std::fabs(a - b) <= (kind == bound::ulps ? bound * ulp(want) : bound);
  }
}
template <class T>
std::string shown(T x) {
  char s[64];
  if constexpr (rc::types::is_complex<T>)
    return shown(x.real()) + " + " + shown(x.imag()) + " i";
  else if constexpr (std::is_integral_v<T>)
    return std::to_string(x);
  else
    return std::snprintf(s, sizeof s, "%.17g", double(x)), s;
}
void failed(char const* way, std::string const& what) {
  if (++failures <= 40) std::printf("FAIL %s, %s: %s\n", case_text.c_str(), way, what.c_str());
}
std::string shape_text(int rank, index_t const* e) {
  std::string s = "(";
  for (int k = 0; k < rank; ++k) s += (k ? ", " : "") + std::to_string(e[k]);
  return s + ")";
}
void compare_one(char const* way, std::string const& which, result const& r, expectation const& e) {
  if (r.type != e.value.type)
    return failed(way, which + "is of " + rc::name_of(r.type) + ", want " + rc::name_of(e.value.type));
  bool fits = r.rank == e.value.rank;
  for (int k = 0; fits && k < r.rank; ++k) fits = r.extent[k] == e.value.extent[k];
  if (!fits)
    return failed(way, which + "has shape " + shape_text(r.rank, r.extent) + ", want " +
                           shape_text(e.value.rank, e.value.extent));
  rc::with_type(r.type, [&](auto zero) {
    using T = decltype(zero);
    T const *x = static_cast<T const*>(r.data), *want = reinterpret_cast<T const*>(e.value.first);
    for (index_t k = 0, n = e.value.size(); k < n; ++k) {
      double const b = e.bounds.empty() ? 0 : double(e.bounds[e.bounds.size() == 1 ? 0 : std::size_t(k)]);
      if (near(x[k], want[k], e.kind, b)) continue;
      return failed(way, which + "element " + std::to_string(k) + " is " + shown(x[k]) + ", want " + shown(want[k]));
    }
  });
}

}  // namespace

void given::compare(char const* way) {
  ++checks;
  if (results.size() != expected.size())
    failed(way, std::to_string(results.size()) + " results, want " + std::to_string(expected.size()));
  else
    for (std::size_t k = 0; k < results.size(); ++k)
      compare_one(way, results.size() > 1 ? "result " + std::to_string(k) + " " : "", results[k], expected[k]);
  results.clear();
}

namespace {

// ---- the three commands ----

void list() {
  std::printf("[");
  char const* between = "";
  for (auto const& e : all_entries().entries)
    for (auto const& f : e.forms) {
      std::printf("%s[\"%s\", \"%s\", \"%s\"]", between, e.name.c_str(), e.arguments.c_str(), f.operands.c_str());
      between = ",\n";
    }
  std::printf("]\n");
}
// ---- the table ----

// lines `key: text`; what follows # is a comment
std::vector<std::pair<std::string, std::string>> lines_of(std::string const& path) {
  std::ifstream file(path);
  if (!file) std::fprintf(stderr, "there is no %s\n", path.c_str()), std::exit(3);
  std::vector<std::pair<std::string, std::string>> lines;
  for (std::string line; std::getline(file, line);)
    if (std::size_t const colon = line.find(": "); !line.empty() && line[0] != '#' && colon != std::string::npos)
      lines.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  return lines;
}
std::string in_table(std::string s) {
  for (std::size_t k = 0; (k = s.find('|', k)) != std::string::npos; k += 2) s.insert(k, 1, '\\');
  return s;
}
int table(std::string const& folder, std::string const& exports) {
  std::ifstream file(exports);
  std::string const exported((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto const exists = [&](std::string const& name) {
    return std::regex_search(exported, std::regex("ricci::" + name + "[,;]"));
  };
  std::map<std::string, std::string> how;  // spelling and test
  for (auto const& e : all_entries().entries)
    if (how.find(e.name) == how.end())
      how[e.name] = "`" + in_table(e.spelling) + "` | oracle, `tests/arrays/" + e.file + ".cpp`";
  for (auto const& [name, text] : lines_of(folder + "/elsewhere.txt")) {
    std::size_t const colon = text.find(": ");
    how[name] = "`" + in_table(text.substr(colon + 2)) + "` | `" + text.substr(0, colon) + "`";
    std::ifstream test(folder + "/../../" + text.substr(0, colon));
    std::string const all((std::istreambuf_iterator<char>(test)), std::istreambuf_iterator<char>());
    if (all.find(name) == std::string::npos)
      std::fprintf(stderr, "elsewhere.txt: %s is not tested by %s\n", name.c_str(), text.c_str()), ++failures;
  }
  auto const not_yet = lines_of(folder + "/not_yet.txt");
  std::set<std::string> absent;
  for (auto const& [name, reason] : not_yet) {
    absent.insert(name);
    if (exists(name)) std::fprintf(stderr, "not_yet.txt: rc::%s exists\n", name.c_str()), ++failures;
    if (how.count(name)) std::fprintf(stderr, "not_yet.txt: %s has a test\n", name.c_str()), ++failures;
    how[name] = "| " + reason;
  }
  std::printf(
      "# The Python array API standard\n\n"
      "Every function of the standard's version 2024.12 (main namespace) as ricci has it, and its test; *oracle* is "
      "the comparison with NumPy, "
      "random cases\nof each form of operands ([tests](../tests/README.md)). The names are the standard's; what else "
      "there is, with NumPy's and "
      "JAX's names, lists the\n[reference](reference.md).\n\n"
      "<!-- Made by the test arrays/table: cmake --build <build> --target array_api -->\n");
  std::size_t count = 0, missing = 0;
  for (auto const& [section, names] : lines_of(folder + "/standard.txt")) {
    std::printf("\n## %c%s\n\n| | ricci | test |\n|---|---|---|\n", std::toupper(section[0]), section.c_str() + 1);
    std::istringstream words(names);
    for (std::string name; words >> name; ++count) {
      if (how.find(name) == how.end()) {
        std::fprintf(stderr, "%s has no test\n", name.c_str()), ++failures;
        continue;
      }
      missing += absent.count(name);
      absent.erase(name);
      std::printf("| `%s` | %s |\n", name.c_str(), how[name].c_str());
    }
  }
  for (auto const& name : absent)
    std::fprintf(stderr, "not_yet.txt: %s is not in the standard\n", name.c_str()), ++failures;
  std::fprintf(stderr, "%zu functions of the standard, %zu not yet\n", count, missing);
  return failures > 0;
}

// of extents: `static`, `mixed`, or `dynamic`
std::string kind_of(std::string const& forms) {
  bool dynamic = false, known = false;
  std::size_t from = 0;
  while (from < forms.size()) {
    std::size_t const end = std::min(forms.find(' ', from), forms.size());
    std::string const one = forms.substr(from, end - from);
    std::string const extents = one[0] == 'a' ? "?" : one.substr(one.rfind(':') + 1);
    dynamic = dynamic || extents.find('?') != std::string::npos;
    known = known || extents.find_first_of("0123456789") != std::string::npos;
    from = end + 1;
  }
  return dynamic ? known ? "mixed" : "dynamic" : known || forms[0] == 't' ? "static" : "dynamic";
}
int run(char const* path, long least) {
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) return std::printf("there are no cases at %s\n", path), 3;
  char block[65536];
  for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, file)) > 0;)
    data.insert(data.end(), block, block + n);
  std::fclose(file);
  if (text() != "oracle 1") return std::printf("%s is no file of cases\n", path), 3;
  for (int n = number<std::uint8_t>(); n > 0; --n) type_numbers.push_back(type_named(text()));

  registry const r = all_entries();
  struct known_form {
    entry const* e;
    form const* f;
  };
  std::map<std::string, known_form> by_text;
  for (auto const& e : r.entries)
    for (auto const& f : e.forms) by_text[e.name + "(" + e.arguments + ") of " + f.operands] = {&e, &f};
  std::vector<std::pair<std::string, known_form>> in_file;
  for (int n = number<std::uint16_t>(); n > 0; --n) {
    std::string const s = text();
    auto const found = by_text.find(s);
    if (found == by_text.end())
      return std::printf("%s has cases of %s, which is no function here: make them anew (tests/README.md)\n", path,
                         s.c_str()),
             1;
    in_file.emplace_back(s, found->second);
  }
  std::map<std::string, std::map<std::string, long>> passed;
  long const count = number<std::uint32_t>();
  for (long n = 0; n < count; ++n) {
    auto const& [name, known] = in_file[number<std::uint16_t>()];
    case_text = "case " + std::to_string(n) + ", " + name;
    given c;
    c.operands.resize(number<std::uint8_t>());
    std::size_t from = 0;
    for (auto& a : c.operands) {
      read_array(a, known.f->operands[from] == 'v');
      case_text += " " + shape_text(a.rank, a.extent);
      from = known.f->operands.find(' ', from) + 1;
    }
    c.numbers.resize(number<std::uint8_t>());
    for (auto& k : c.numbers) k = number<std::int32_t>();
    c.expected.resize(number<std::uint8_t>());
    for (auto& e : c.expected) {
      read_array(e.value, false);
      e.kind = static_cast<bound>(number<std::uint8_t>());
      e.bounds.resize(e.kind == bound::exact ? 0 : e.kind == bound::ulps ? 1 : std::size_t(e.value.size()));
      read(e.bounds.data(), e.bounds.size() * sizeof(float));
    }
    long const before = failures;
    try {
      known.f->run(c);
    } catch (std::exception const& error) {
      failed("error", error.what());
    }
    if (failures == before) ++passed[known.e->name][kind_of(known.f->operands)];
  }
  std::map<std::string, std::set<std::string>> wanted;
  for (auto const& e : r.entries)
    for (auto const& f : e.forms) wanted[e.name].insert(kind_of(f.operands));
  for (auto const& [name, kinds] : wanted)
    for (auto const& kind : kinds)
      if (long const k = passed[name][kind]; k < least)
        failed("count",
               name + " passed " + std::to_string(k) + " cases of " + kind + " extents, of " + std::to_string(least));
  std::printf("%ld cases of %zu functions, %ld results compared, %ld failed\n", count, wanted.size(), checks, failures);
  return failures > 0;
}

}  // namespace
}  // namespace oracle

int main(int count, char** words) {
  std::string const command = count > 1 ? words[1] : "";
  if (command == "list") return oracle::list(), 0;
  if (command == "table" && count > 3) return oracle::table(words[2], words[3]);
  if (command == "run" && count > 2) return oracle::run(words[2], count > 3 ? std::atol(words[3]) : 1);
  return std::printf("driver list, driver table <folder> <exports>, or driver run <cases> [least]\n"), 2;
}
