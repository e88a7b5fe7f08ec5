// The main program: `program data [statement [case]]` runs all statements, those from one on, or one case of one.
#include "run.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fuzz {

namespace {

std::vector<char> data;
std::size_t at = 0;
int first_statement = 0;
std::int64_t only_case = -1;
long checks = 0;

template <class T>
double number_at(void const* p, std::size_t k) {
  return static_cast<double>(static_cast<T const*>(p)[k]);
}
double number_at(result const& r, std::size_t k) {
  switch (r.type) {
    case ricci::dtype::boolean:
      return number_at<bool>(r.data, k);
    case ricci::dtype::int32:
      return number_at<std::int32_t>(r.data, k);
    case ricci::dtype::int64:
      return number_at<std::int64_t>(r.data, k);
    case ricci::dtype::float32:
      return number_at<float>(r.data, k);
    default:
      return number_at<double>(r.data, k);
  }
}
std::int64_t integer_at(result const& r, std::size_t k) {
  return r.type == ricci::dtype::int64 ? static_cast<std::int64_t const*>(r.data)[k]
                                       : static_cast<std::int32_t const*>(r.data)[k];
}
bool near(double x, double want, double tolerance) {
  if (std::isinf(tolerance)) return true;
  if (std::isnan(want)) return std::isnan(x);
  if (std::isinf(want)) return x == want;
  return std::fabs(x - want) <= tolerance;
}
void print_shape(std::int64_t const* e, std::size_t n) {
  std::printf("(");
  for (std::size_t k = 0; k < n; ++k) std::printf("%s%lld", k ? ", " : "", static_cast<long long>(e[k]));
  std::printf(")");
}

}  // namespace

void cases::read(void* to, std::size_t bytes) {
  if (at + bytes > data.size()) std::printf("the data end early\n"), std::exit(3);
  if (bytes > 0) std::memcpy(to, data.data() + at, bytes);
  at += bytes;
}
std::int64_t cases::number() {
  std::int64_t n = 0;
  read(&n, sizeof n);
  return n;
}
bool cases::begin(int statement) {
  statement_ = statement;
  left_ = number();
  auto const bytes = std::size_t(number());
  case_ = -1;
  if (statement < first_statement || (only_case >= 0 && statement > first_statement)) {
    at += bytes;
    return false;
  }
  std::printf("@%d\n", statement);
  std::fflush(stdout);
  return true;
}
bool cases::next() {
  ++case_;
  if (left_-- <= 0) return false;
  auto const bytes = std::size_t(number());
  if (only_case >= 0 && case_ != only_case) {
    at += bytes;
    return next();
  }
  if (only_case == -2) std::printf("@%d.%lld\n", statement_, static_cast<long long>(case_)), std::fflush(stdout);
  return true;
}
void cases::expect() {
  errors_ = number();
  expected_.clear();
  if (errors_ != 0) return;
  for (std::int64_t n = number(); n > 0; --n) {
    expectation e;
    e.extents.resize(std::size_t(number()));
    std::size_t size = 1;
    for (auto& k : e.extents) size *= std::size_t(k = number());
    e.of_integers = number() != 0;
    e.integers.resize(e.of_integers ? size : 0);
    e.numbers.resize(e.of_integers ? 0 : size);
    e.tolerances.resize(size);
    read(e.integers.data(), e.integers.size() * 8);
    read(e.numbers.data(), e.numbers.size() * 8);
    read(e.tolerances.data(), e.tolerances.size() * 8);
    expected_.push_back(static_cast<expectation&&>(e));
  }
}
void cases::failed(char const* way, int error, char const* text, bool unchanged) {
  ++checks;
  if ((errors_ & error) != 0 && unchanged) return;
  std::printf("FAIL %d %lld %s: error: %s%s\n", statement_, static_cast<long long>(case_), way, text,
              errors_ == 0 ? ", want a value"
              : unchanged  ? ", want another error"
                           : ", and something was written");
}
void cases::compare(char const* way, result const* results, int count) {
  ++checks;
  auto const fail = [&] { std::printf("FAIL %d %lld %s: ", statement_, static_cast<long long>(case_), way); };
  if (errors_ != 0) {
    fail();
    std::printf("no error, shape ");
    print_shape(results[0].extents, std::size_t(results[0].rank));
    std::printf(", want one\n");
    return;
  }
  if (std::size_t(count) != expected_.size()) {
    fail();
    std::printf("%d results, want %zu\n", count, expected_.size());
    return;
  }
  for (int n = 0; n < count; ++n) {
    auto const& r = results[n];
    auto const& e = expected_[std::size_t(n)];
    bool fits = std::size_t(r.rank) == e.extents.size();
    for (std::size_t k = 0; fits && k < e.extents.size(); ++k) fits = r.extents[k] == e.extents[k];
    if (!fits) {
      fail();
      std::printf("result %d has shape ", n);
      print_shape(r.extents, std::size_t(r.rank));
      std::printf(", want ");
      print_shape(e.extents.data(), e.extents.size());
      std::printf("\n");
      continue;
    }
    if (e.of_integers != ricci::is_integer(r.type)) {
      fail();
      std::printf("result %d is of %s\n", n, ricci::name_of(r.type));
      continue;
    }
    for (std::size_t k = 0; k < e.tolerances.size(); ++k) {
      if (e.of_integers) {
        if (integer_at(r, k) == e.integers[k] || e.tolerances[k] > 0) continue;
        fail();
        std::printf("result %d, element %zu is %lld, want %lld\n", n, k, static_cast<long long>(integer_at(r, k)),
                    static_cast<long long>(e.integers[k]));
        break;
      }
      double const x = number_at(r, k);
      if (near(x, e.numbers[k], e.tolerances[k])) continue;
      fail();
      std::printf("result %d, element %zu is %.17g, want %.17g +- %.2g\n", n, k, x, e.numbers[k], e.tolerances[k]);
      break;
    }
  }
}

}  // namespace fuzz

int main(int count, char** words) {
  std::FILE* const file = count > 1 ? std::fopen(words[1], "rb") : nullptr;
  if (file == nullptr) return std::printf("no data\n"), 3;
  char block[65536];
  for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, file)) > 0;)
    fuzz::data.insert(fuzz::data.end(), block, block + n);
  std::fclose(file);
  if (count > 2) fuzz::first_statement = std::atoi(words[2]);
  if (count > 3) fuzz::only_case = std::atoll(words[3]);
  fuzz::cases c;
  fuzz::run(c);
  std::printf("DONE %ld\n", fuzz::checks);
}
