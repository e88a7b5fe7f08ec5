#include "data.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "fail.hpp"

namespace {

constexpr int most_ink = 16, columns = pixels + 1;

std::string at(std::string const& path, auto line) { return path + ":" + std::to_string(line) + ": "; }

struct close_gzip {
  void operator()(gzFile file) const { gzclose_r(file); }
};

// The text of a gzipped file; one that is not compressed is read as it is.
std::string inflated(std::string const& path) {
  std::unique_ptr<gzFile_s, close_gzip> file(gzopen(path.c_str(), "rb"));
  if (!file) fail(path + ": " + std::strerror(errno));
  std::string text;
  std::vector<char> chunk(1 << 16);
  int n = 0;
  while ((n = gzread(file.get(), chunk.data(), static_cast<unsigned>(chunk.size()))) > 0)
    text.append(chunk.data(), static_cast<std::size_t>(n));
  // A file that was cut off ends like any other; that its stream does not is only told on closing.
  int code = Z_OK;
  std::string reason = gzerror(file.get(), &code);  // "path: reason"
  reason.erase(0, path.size() + 2);
  if (code == Z_ERRNO) reason = std::strerror(errno);
  if (gzclose_r(file.release()) == Z_BUF_ERROR) n = -1, reason = "the gzip stream is cut off";
  if (n < 0) fail(at(path, 1 + std::count(text.begin(), text.end(), '\n')) + reason);
  return text;
}

// Takes what stands before the next separator off the front of `rest`.
std::string_view next(std::string_view& rest, char separator) {
  auto const end = std::min(rest.find(separator), rest.size());
  auto const part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

// The numbers of one row; on error, the reason.
std::string parse(std::string_view row, int (&numbers)[columns]) {
  auto const found = 1 + std::count(row.begin(), row.end(), ',');
  if (found != columns) return "a row has " + std::to_string(columns) + " columns, not " + std::to_string(found);
  for (int k = 0; k < columns; ++k) {
    auto const cell = next(row, ',');
    std::string quoted(1, '"');
    quoted.append(cell).append(1, '"');
    auto const [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), numbers[k]);
    if (error == std::errc::result_out_of_range)
      numbers[k] = -1;
    else if (error != std::errc{} || end != cell.data() + cell.size())
      return quoted + " is not a whole number";
    bool const is_label = k == pixels;
    if (numbers[k] < 0 || numbers[k] > (is_label ? classes - 1 : most_ink))
      return is_label ? "a label is 0 to 9, not " + quoted : "a pixel is 0 to 16, not " + quoted;
  }
  return {};
}

}  // namespace

digits read_digits(std::string const& path) {
  std::string const text = inflated(path);
  std::vector<float> images;
  std::vector<int> labels;
  int line = 0;
  for (std::string_view rest = text; !rest.empty();) {
    ++line;
    auto row = next(rest, '\n');
    if (row.ends_with('\r')) row.remove_suffix(1);
    int numbers[columns];
    if (auto const reason = parse(row, numbers); !reason.empty()) fail(at(path, line) + reason);
    for (int k = 0; k < pixels; ++k) images.push_back(static_cast<float>(numbers[k]) / most_ink);
    labels.push_back(numbers[pixels]);
  }
  if (line < 4) fail(at(path, line) + "four digits are the fewest that can be split");
  return {rc::asarray<float>(images.data(), rc::shape(line, pixels)), rc::asarray<std::int64_t>(labels)};
}

parts split(digits const& all, random_source& random) {
  auto order = rc::arange<int>(all.labels.size());
  random.shuffle(order);
  auto const rows = [&](auto range) {
    return digits{rc::take(all.images, order(range)), rc::take(all.labels, order(range))};
  };
  auto const quarter = (order.size() + 3) / 4;
  return {.training = rows(rc::range(quarter, order.size())), .held_out = rows(rc::range(0, quarter))};
}
