// Texts, their tokens, vocabularies and their files, and windows of a text.
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <ricci/data/batches.hpp>
#include <ricci/data/vocabulary.hpp>
#include <ricci/data/windows.hpp>

#include "raised.hpp"

namespace rc = ricci;
namespace data = ricci::data;
using data::units;

namespace {

std::string path_of(char const* name) { return (std::filesystem::temp_directory_path() / name).string(); }
void write(std::string const& path, std::string const& text) {
  std::FILE* f = std::fopen(path.c_str(), "wb");
  REQUIRE(f != nullptr);
  std::fwrite(text.data(), 1, text.size(), f);
  std::fclose(f);
}
std::vector<int> vector_of(rc::ndarray<int, 1> const& x) {
  std::vector<int> v;
  for (rc::index_t k = 0; k < x.shape(0); ++k) v.push_back(int(x(k)));
  return v;
}
using tokens = std::vector<std::string_view>;

}  // namespace

TEST_CASE("a text is bytes, characters, words, or words and marks; lines end as they do on all systems") {
  CHECK(data::tokens("a \xc3\xa9\n", units::bytes) == tokens{"a", " ", "\xc3", "\xa9", "\n"});
  CHECK(data::tokens("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82", units::characters) ==
        tokens{"a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x99\x82"});
  CHECK(data::tokens("  It's \t here,\nnow. ", units::words) == tokens{"It's", "here,", "now."});
  CHECK(data::tokens("It's my_name, --\xc3\xa9t\xc3\xa9!", units::words_and_marks) ==
        tokens{"It", "'", "s", "my_name", ",", "-", "-", "\xc3\xa9t\xc3\xa9", "!"});
  CHECK(data::tokens(" \n", units::words).empty());
  CHECK(data::lines("a\r\n\nb\nc\r") == tokens{"a", "", "b", "c\r"});
  CHECK(data::lines("").empty());
  // too long a form, a surrogate, above the last one, cut off, a byte that only goes on
  for (char const* wrong : {"ab\xc0\x80", "ab\xed\xa0\x80", "ab\xf4\x90\x80\x80", "ab\xe2\x82", "ab\x80", "ab\xff"})
    CHECK(raised([&] { data::tokens(wrong, units::characters); }) ==
          "value_error: data: byte 2 of a text begins no character of UTF-8; units::bytes takes any");
  auto const path = path_of("ricci_data_text.txt");
  write(path, std::string("a\0b\xff\n", 5));
  CHECK(data::read_text(path) == std::string("a\0b\xff\n", 5));
  std::filesystem::remove(path);
  CHECK(raised([&] { data::read_text(path); }).find("ricci_data_text.txt") != std::string::npos);
}

TEST_CASE("a vocabulary is ordered by frequency, has limits, and gives the text again") {
  std::string const text = "to be or not to be that is to";
  auto const letters = data::vocabulary::of(text, {});
  CHECK(letters.size() == 11);     // a b e h i n o r s t and the space
  CHECK(letters.token(0) == " ");  // 8 times; o 5, t 7
  CHECK(letters.token(1) == "t");
  CHECK(letters.token(2) == "o");
  CHECK(letters.decode(letters.encode(text)) == text);
  CHECK(raised([&] { letters["x"]; }) ==
        "value_error: data::vocabulary: 'x' is none of the 11 tokens, and none stands for unknown ones");

  auto const words =
      data::vocabulary::of(text, {.units = units::words, .limit = 5, .special = {"<pad>", "be"}, .unknown = "<unk>"});
  CHECK(words.size() == 5);  // <pad> be <unk> to is: the least of those that come once, by its bytes
  CHECK(words["be"] == 1);
  CHECK(words["<unk>"] == 2);
  CHECK(words["to"] == 3);
  CHECK(words["is"] == 4);
  CHECK(words["that"] == 2);
  CHECK(vector_of(words.encode("not to be")) == std::vector{2, 3, 1});
  CHECK(words.decode(rc::tensor<int, 3>{3, 1, 2}) == "to be <unk>");
  CHECK(raised([&] { words.decode(rc::tensor<int, 1>{5}); }) == "index_error: data::vocabulary: token 5 of 5");
  CHECK(data::vocabulary::of(text, {.units = units::words, .least = 2}).size() == 2);
  CHECK(raised([&] {
          data::vocabulary::of(text, {.limit = 1, .special = {"a", "b"}});
        }) == "value_error: data::vocabulary: a limit of 1, and 2 special tokens alone");
  CHECK(raised([&] {
          data::vocabulary::of(text, {.special = {"a", "a"}});
        }) == "value_error: data::vocabulary: the special token 'a' is given twice");

  auto const each = words.encode_each(data::lines("to be\n\nnot to be so\n"));
  CHECK(each.size() == 3);
  auto const [values, lengths, mask] = each.rows({0, 1, 2});
  CHECK(bool(rc::all(values == rc::tensor<int, 3, 4>{{3, 1, 0, 0}, {0, 0, 0, 0}, {2, 3, 1, 2}})));
  CHECK(bool(rc::all(lengths == rc::tensor<int, 3>{2, 0, 4})));
}

TEST_CASE("a vocabulary is a file of text; what is none is refused with its line") {
  auto const path = path_of("ricci_data.vocabulary");
  std::string every_byte;
  for (int k = 0; k < 256; ++k) every_byte += static_cast<char>(k);
  for (auto const& [text, options] :
       {std::pair{every_byte, data::vocabulary_options{.units = units::bytes}},
        std::pair{std::string("\\x \n\r\t\xc3\xa9\x7f"), data::vocabulary_options{.special = {"<pad>", "", "a b\\"}}},
        std::pair{std::string("so it is so"), data::vocabulary_options{.units = units::words, .unknown = "<?>"}}}) {
    auto const v = data::vocabulary::of(text, options);
    v.save(path);
    auto const again = data::vocabulary::load(path);
    CHECK(again.size() == v.size());
    CHECK(again.units() == v.units());
    for (rc::index_t k = 0; k < v.size(); ++k) CHECK(again.token(k) == v.token(k));
    CHECK(again.decode(again.encode(text)) == text);
    if (!options.unknown.empty()) CHECK(again["never seen"] == v["never seen"]);
  }
  auto const said = [&](char const* text) {
    write(path, text);
    auto const s = raised([&] { data::vocabulary::load(path); });
    return s.substr(s.find("line") == std::string::npos ? 0 : s.find("line"));
  };
  CHECK(said("") == "line 1: 'ricci vocabulary' was expected");
  CHECK(said("ricci vocabulary letters none\n") == "line 1: units and the number of the unknown token were expected");
  CHECK(said("ricci vocabulary words\n") == "line 1: units and the number of the unknown token were expected");
  CHECK(said("ricci vocabulary words 2\na\nb\n") == "line 1: the number of the unknown token is none of a token");
  CHECK(said("ricci vocabulary words x\na\nb\n") == "line 1: the number of the unknown token is none of a token");
  CHECK(said("ricci vocabulary words none\na\nb\na\n") == "line 4: a token that was there before");
  for (char const* wrong : {"a\nb\\", "a\n\\x4", "a\n\\xg0", "a\n\\n41"})
    CHECK(said((std::string("ricci vocabulary words none\n") + wrong).c_str()) ==
          "line 3: a backslash begins \\x and two digits");
  CHECK(said("ricci vocabulary words 1\na\nb") == "");
  std::filesystem::remove(path);
}

TEST_CASE("windows of a text: the targets are the next letters") {
  std::string text;
  for (int k = 0; k < 300; ++k) text += static_cast<char>('a' + k * k % 17);
  auto const v = data::vocabulary::of(text, {});
  auto const numbers = v.encode(text);
  auto const all = data::next_windows(numbers, 16, 16);
  int count = 0;
  for (auto const& [inputs, targets] : data::batches(all, {.size = 4, .rest = data::rest::keep}, rc::random::key(2)))
    for (rc::index_t k = 0; k < inputs.shape(0); ++k, ++count) {
      auto const in = v.decode(inputs(k)), out = v.decode(targets(k));
      CHECK(in.substr(1) == out.substr(0, 15));
      CHECK(text.find(in + out.substr(15)) != std::string::npos);
    }
  CHECK(count == 18);
}

TEST_CASE("a column of categories") {
  std::vector<std::string> const cities{"New York", "Oslo", "", "New York", "La Paz", "Oslo", "New York"};
  auto const v = data::vocabulary::of_tokens(cities, {});
  CHECK(v.size() == 4);
  CHECK((v.token(0) == "New York" && v.token(1) == "Oslo" && v.token(2).empty() && v.token(3) == "La Paz"));
  rc::ndarray<int, 1> const numbers = v.encode_tokens(cities);
  CHECK(bool(rc::all(numbers == rc::tensor<int, 7>{0, 1, 2, 0, 3, 1, 0})));
  auto const few = data::vocabulary::of_tokens(cities, {.least = 2, .unknown = "other"});
  CHECK(bool(rc::all(few.encode_tokens(cities) == rc::tensor<int, 7>{1, 2, 0, 1, 0, 2, 1})));
  CHECK(raised([&] {
          v.encode_tokens(std::vector<std::string>{"Rome"});
        }).starts_with("value_error: data::vocabulary: 'Rome'"));
  CHECK(v.encode_tokens(std::vector<std::string>{}).shape(0) == 0);
}
