// Vocabularies: tokens and their numbers.
//
//   auto const text = data::read_text("plays.txt");
//   auto const v = data::vocabulary::of(text, {.units = data::units::words, .limit = 10000, .unknown = "<unk>"});
//   rc::ndarray<int, 1> numbers = v.encode(text);
//   v.save("plays.vocabulary");
#pragma once

#include <map>

#include <ricci/core/where_used.hpp>
#include <ricci/data/ragged.hpp>
#include <ricci/data/text.hpp>
#include <ricci/io/places.hpp>
#include <ricci/io/sink.hpp>

namespace ricci::data {

struct vocabulary_options {
  data::units units = data::units::characters;
  // the most tokens in all, the special ones among them; 0 is no limit
  index_t limit = 0;
  // tokens that come less often are left out
  index_t least = 1;
  // tokens with the first numbers, as of padding or the end, whether or not a text has them
  std::vector<std::string> special = {};
  // the token that stands for all that the vocabulary lacks, behind the special ones; without it such a token is a
  // value_error
  std::string unknown = {};
};

// A template, so that it is compiled where one is used: `data::vocabulary` is its name.
template <class Use = void>
class basic_vocabulary {
  using view = core::where_used<std::string_view, Use>;
  using counts_of_tokens = std::map<view, index_t>;

 public:
  basic_vocabulary() = default;
  template <class Tokens>
  requires(!std::is_same_v<Tokens, basic_vocabulary>) explicit basic_vocabulary(Tokens const&,
                                                                                vocabulary_options const& = {}) {
    static_assert(
        always_false<Tokens>,
        "data::vocabulary is made of a text, data::vocabulary::of(text, options), or of tokens that are apart, "
        "data::vocabulary::of_tokens(tokens, options)");
  }
  // The tokens of a text: special ones and the unknown one first, then by falling frequency, equally frequent ones by
  // their bytes.
  static basic_vocabulary of(std::string_view all, vocabulary_options const& o) {
    counts_of_tokens counts;
    text::for_each_token(all, o.units, [&](std::string_view t) { ++counts[t]; });
    return of_counts(counts, o);
  }
  // Of tokens that are apart already, as a column of categories: each string is one, whatever is in it.
  template <class Tokens>
  static basic_vocabulary of_tokens(Tokens const& all, vocabulary_options const& o) {
    counts_of_tokens counts;
    for (auto const& token : all) ++counts[std::string_view(token)];
    return of_counts(counts, o);
  }
  // Their numbers, (tokens,).
  template <class Tokens>
  ndarray<int, 1> encode_tokens(Tokens const& all) const {
    ndarray<int, 1> y(index_t(all.size()));
    index_t k = 0;
    for (auto const& token : all) y(k++) = (*this)[token];
    return y;
  }

  index_t size() const { return index_t(tokens_.size()); }
  data::units units() const { return units_; }
  bool has(std::string_view token) const { return numbers_.count(token) != 0; }
  // The number of a token, of one that is not there that of the unknown one. Without that it is a value_error.
  int operator[](std::string_view token) const {
    auto const at = numbers_.find(token);
    if (at != numbers_.end()) return int(at->second);
    if (unknown_ < 0) {
      core::text t;
      files::show(t << "data::vocabulary: '", token)
          << "' is none of the " << size() << " tokens, and none stands for unknown ones";
      core::raise<value_error>(t);
    }
    return unknown_;
  }
  // A number outside is an index_error.
  std::string const& token(index_t n) const {
    if (n < 0 || n >= size())
      core::raise<index_error>(core::text() << "data::vocabulary: token " << n << " of " << size());
    return tokens_[std::size_t(n)];
  }

  // The numbers of the tokens of a text, (tokens,).
  ndarray<int, 1> encode(std::string_view all) const {
    std::vector<core::where_used<int, Use>> found;
    text::for_each_token(all, units_, [&](std::string_view t) { found.push_back((*this)[t]); });
    ndarray<int, 1> y(index_t(found.size()));
    for (std::size_t k = 0; k < found.size(); ++k) y(index_t(k)) = found[k];
    return y;
  }
  // Of each of many texts, as sequences of different lengths.
  template <class Texts>
  ragged<int> encode_each(Texts const& all) const {
    std::vector<std::vector<core::where_used<int, Texts>>> found;
    for (auto const& one : all) {
      found.emplace_back();
      text::for_each_token(one, units_, [&](std::string_view t) { found.back().push_back((*this)[t]); });
    }
    return ragged_of(found);
  }
  // Tokens put together again: words with a space between them, bytes and characters without.
  template <Tensor N>
  std::string decode(N const& numbers) const {
    static_assert(rank_of<N> == 1 && is_integer(dtype_of<value_type_of<N>>),
                  "data::vocabulary: numbers of tokens are integers of order 1");
    std::string all;
    ndarray<std::int64_t, 1> const n = astype<std::int64_t>(numbers);
    for (index_t k = 0; k < n.shape(0); ++k) {
      if (k > 0 && units_ != units::bytes && units_ != units::characters) all += ' ';
      all += token(n(k));
    }
    return all;
  }

  // A file of text: a line `ricci vocabulary <units> <number of the unknown token, or none>`, then a token a line. What
  // is no printable ASCII and no UTF-8, and the backslash, are written as \xhh. io_error: it cannot be written.
  void save(std::string const& path) const {
    std::string all = std::string("ricci vocabulary ") + data::name_of(units_) + ' ' +
                      (unknown_ < 0 ? std::string("none") : std::to_string(unknown_)) + '\n';
    constexpr char digits[] = "0123456789abcdef";
    for (auto const& token : tokens_) {
      for (std::size_t k = 0; k < token.size();) {
        std::size_t const n = text::character_size(std::string_view(token).substr(k));
        if (n > 1 || (n == 1 && token[k] >= ' ' && token[k] <= '~' && token[k] != '\\'))
          all.append(token, k, n);
        else
          for (std::size_t j = k; j < k + (n > 0 ? n : 1); ++j) {
            auto const byte = static_cast<unsigned char>(token[j]);
            all += "\\x";
            all += digits[byte >> 4];
            all += digits[byte & 15];
          }
        k += n > 0 ? n : 1;
      }
      all += '\n';
    }
    files::file_sink to(path);
    to.write(all);
    to.commit();
  }
  // io_error: it cannot be read, or is none; the line is named.
  static basic_vocabulary load(std::string const& path) {
    std::string const all = read_text(path);
    std::vector<std::string_view> const rows = lines(all);
    auto const fail = [&](std::size_t line, char const* why) {
      (files::message(path) << "line " << index_t(line) + 1 << ": " << why).raise();
    };
    constexpr std::string_view start = "ricci vocabulary ";
    if (rows.empty() || !rows[0].starts_with(start)) fail(0, "'ricci vocabulary' was expected");
    basic_vocabulary v;
    std::string_view head = rows[0].substr(start.size());
    auto const space = head.find(' ');
    bool is_known = false;
    for (int u = 0; u < 4; ++u)
      if (head.substr(0, space) == data::name_of(data::units(u))) v.units_ = data::units(u), is_known = true;
    if (!is_known || space == std::string_view::npos)
      fail(0, "units and the number of the unknown token were expected");
    head.remove_prefix(space + 1);
    std::string token;
    for (std::size_t line = 1; line < rows.size(); ++line) {
      token.clear();
      for (std::size_t k = 0; k < rows[line].size(); ++k) {
        if (rows[line][k] != '\\') {
          token += rows[line][k];
          continue;
        }
        int byte = 0;
        for (std::size_t j = k + 2; j < k + 4; ++j) {
          char const c = j < rows[line].size() ? rows[line][j] : '-';
          int const digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
          if (digit < 0 || rows[line][k + 1] != 'x') fail(line, "a backslash begins \\x and two digits");
          byte = 16 * byte + digit;
        }
        token += static_cast<char>(byte);
        k += 3;
      }
      if (v.has(token)) fail(line, "a token that was there before");
      v.add(token);
    }
    if (head != "none") {
      index_t n = 0;
      for (char const c : head) n = c >= '0' && c <= '9' && n < v.size() ? 10 * n + (c - '0') : v.size();
      if (head.empty() || n >= v.size()) fail(0, "the number of the unknown token is none of a token");
      v.unknown_ = int(n);
    }
    return v;
  }

 private:
  static basic_vocabulary of_counts(counts_of_tokens const& counts, vocabulary_options const& o) {
    basic_vocabulary v;
    v.units_ = o.units;
    for (auto const& s : o.special) v.add(s);
    if (!o.unknown.empty()) v.unknown_ = v.add(o.unknown);
    if (o.limit < 0 || (o.limit > 0 && o.limit < v.size()))
      core::raise<value_error>(core::text() << "data::vocabulary: a limit of " << o.limit << ", and " << v.size()
                                            << " special tokens alone");
    std::map<core::where_used<index_t, Use>, std::vector<view>> by_count;
    for (auto const& [token, count] : counts)
      if (count >= o.least && !v.has(token)) by_count[-count].push_back(token);
    for (auto const& [count, equals] : by_count)
      for (std::string_view const token : equals)
        if (o.limit == 0 || v.size() < o.limit) v.add(token);
    return v;
  }
  int add(std::string_view token) {
    if (has(token)) {
      core::text t;
      files::show(t << "data::vocabulary: the special token '", token) << "' is given twice";
      core::raise<value_error>(t);
    }
    int const n = int(tokens_.size());
    tokens_.emplace_back(token);
    numbers_.emplace(std::string(token), std::size_t(n));
    return n;
  }

  data::units units_ = data::units::characters;
  std::vector<std::string> tokens_;
  files::places_by_name numbers_;
  int unknown_ = -1;
};
using vocabulary = basic_vocabulary<>;

}  // namespace ricci::data
