// The C++ of the documentation, as files to compile.
//
//   extract <folder> <page.md>...
//
// Of every page:
//   * a ```cpp block with a main is a program of its own, program_<n>.cpp. Where a block follows that starts with `$ `,
//     the rest of that one is what it prints: program_<n>.expected.
//   * other ```cpp blocks are fragments, each in a function of fragments.cpp, or of device.cpp where it names
//     rc::device. What it needs and does not show stands in front of it, in a comment `<!-- with ... -->`. Structs,
//     templates and the like are put in front of the function. `<!-- continued -->`: the block goes on where the last
//     one ended.
//   * from `<!-- compiled: column <k> -->` on, every code span in that column of the page's tables is a statement.
//   * a block under `<!-- must not compile: <regular expression> -->` is fails_<n>.cpp, and fails_<n>.expression what
//   the message matches; one under `<!-- not compiled: reason -->` is left out.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using lines = std::vector<std::string>;

bool starts(std::string const& s, std::string const& with) { return s.rfind(with, 0) == 0; }
[[noreturn]] void fail(std::string const& page, std::size_t line, std::string const& what) {
  std::cerr << page << ":" << line << ": " << what << "\n";
  std::exit(1);
}

struct code {
  std::string file;
  std::size_t first_line;
  lines text;
  std::string position(std::size_t k) const {
    return "#line " + std::to_string(first_line + k) + " \"" + file + "\"\n";
  }
};

// Code as what stands outside of a function and what stands in it.
struct split_code {
  std::string includes, outside, inside;

  void add(code const& c) {
    bool declaration = false, fresh = true, was_declaration = false;
    int depth = 0;
    for (std::size_t k = 0; k < c.text.size(); ++k) {
      std::string const& line = c.text[k];
      if (starts(line, "#include")) {
        includes += line + "\n";
        continue;
      }
      if (starts(line, "namespace rc =")) continue;
      if (depth == 0 && !declaration)
        for (char const* word : {"template ", "struct ", "class ", "inline ", "using ", "concept ", "namespace "})
          declaration = declaration || starts(line, word);
      std::string& to = declaration ? outside : inside;
      if (fresh || declaration != was_declaration) to += c.position(k);
      fresh = false;
      was_declaration = declaration;
      to += line + "\n";
      std::string const bare = line.substr(0, line.find("//"));
      for (char const letter : bare) depth += (letter == '{') - (letter == '}');
      auto const last = bare.find_last_not_of(' ');
      if (depth == 0 && last != std::string::npos && (bare[last] == ';' || bare[last] == '}')) declaration = false;
    }
  }
};

struct output {
  explicit output(char const* where) : folder(where) {}

  std::string folder;
  int programs = 0, failures = 0, functions = 0;
  split_code of[2];  // fragments, and those of the device
  std::string calls[2];

  void write(std::string const& name, std::string const& text) const { std::ofstream(folder + "/" + name) << text; }

  void program(code const& c) {
    std::string text = c.position(0);
    for (auto const& line : c.text) text += line + "\n";
    write("program_" + std::to_string(++programs) + ".cpp", text);
  }
  void expected(lines const& text) {
    std::string all;
    for (std::size_t k = 1; k < text.size(); ++k) all += text[k] + "\n";
    write("program_" + std::to_string(programs) + ".expected", all);
  }
  static std::string function(split_code const& s, std::string const& name) {
    return "namespace " + name + " {\n" + s.outside + "void run() {\n" + s.inside + "}\n}\n";
  }
  void fragment(split_code const& s) {
    int const k = s.inside.find("rc::device") != std::string::npos;
    std::string const name = "fragment_" + std::to_string(++functions);
    of[k].includes += s.includes;
    of[k].outside += function(s, name);
    calls[k] += "  " + name + "::run();\n";
  }
  void failure(split_code const& s, std::string const& expression) {
    std::string const name = "fails_" + std::to_string(++failures);
    write(name + ".cpp", head + s.includes + function(s, "fails"));
    write(name + ".expression", expression + "\n");
  }
  void finish() const {
    char const* const names[] = {"fragments.cpp", "device.cpp"};
    char const* const umbrellas[] = {"", "#include <ricci/device.hpp>\n"};
    for (int k = 0; k < 2; ++k)
      if (!calls[k].empty())
        write(names[k], head + (umbrellas[k] + of[k].includes) + of[k].outside + "int main() {\n" + calls[k] + "}\n");
    std::cout << functions << " fragments, " << programs << " programs, " << failures << " that must not compile\n";
  }
  std::string const head = "#include <iostream>\n#include <ricci/ricci.hpp>\nnamespace rc = ricci;\n";
};

// The code spans of column `column` of a row of a table.
lines spans_of(std::string const& row, std::size_t column) {
  lines spans;
  std::size_t cell = 0;
  bool in_code = false;
  std::string span;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row[k] == '\\' && k + 1 < row.size() && row[k + 1] == '|') {
      if (in_code) span += '|';
      ++k;
    } else if (row[k] == '`') {
      in_code = !in_code;
      if (!in_code && cell == column) spans.push_back(span);
      span.clear();
    } else if (in_code) {
      span += row[k];
    } else if (row[k] == '|') {
      ++cell;
    }
  }
  return spans;
}

// Links to files of the repository lead to files.
void check_links(std::string const& page, std::string const& folder, std::size_t number, std::string const& line) {
  for (std::size_t at = line.find("]("); at != std::string::npos; at = line.find("](", at + 1)) {
    std::string const link = line.substr(at + 2, line.find_first_of(")#", at) - at - 2);
    bool const file = link.find(".md") != std::string::npos || link.find('/') != std::string::npos;
    if (file && link.find(':') == std::string::npos && !std::ifstream(folder + link)) fail(page, number, "no " + link);
  }
}

void read_page(std::string const& path, output& out) {
  std::string const page = path.substr(path.find_last_of('/') + 1);
  std::ifstream in(path);
  lines text;
  for (std::string line; std::getline(in, line);) text.push_back(line);
  if (text.empty()) fail(path, 0, "nothing to read");
  for (std::size_t k = 0; k < text.size(); ++k)
    check_links(page, path.substr(0, path.find_last_of('/') + 1), k + 1, text[k]);

  split_code waiting;  // a fragment that may be continued
  bool open = false, after_program = false, excluded = false, continued = false;
  std::string must_fail;  // with a message that matches this
  split_code prelude;
  std::size_t column = 0;
  auto const close = [&] {
    if (open) out.fragment(waiting);
    open = false;
  };
  for (std::size_t k = 0; k < text.size(); ++k) {
    std::string const& line = text[k];
    if (starts(line, "<!-- with")) {
      code c{page, k + 2, {}};
      while (++k < text.size() && text[k] != "-->") c.text.push_back(text[k]);
      prelude.add(c);
    } else if (starts(line, "<!-- compiled: column ")) {
      close();
      column = std::size_t(std::stoi(line.substr(22)));
      waiting = prelude;
      prelude = {};
      open = true;
    } else if (line == "<!-- continued -->") {
      continued = true;
    } else if (starts(line, "<!-- must not compile")) {
      std::string const begin = "<!-- must not compile: ", end = " -->";
      if (!starts(line, begin) || line.size() <= begin.size() + end.size())
        fail(page, k + 1, "no expression that the message matches");
      must_fail = line.substr(begin.size(), line.size() - begin.size() - end.size());
    } else if (starts(line, "<!-- not compiled: ")) {
      excluded = true;
    } else if (column && starts(line, "| ")) {
      for (auto const& span : spans_of(line, column)) {
        code c{page, k + 1, {"{ " + span + "; }"}};
        waiting.inside += c.position(0) + c.text[0] + "\n";
      }
    } else if (starts(line, "```")) {
      bool const cpp = line == "```cpp";
      code c{page, k + 2, {}};
      while (++k < text.size() && text[k] != "```") c.text.push_back(text[k]);
      if (k >= text.size()) fail(page, c.first_line, "a block without an end");
      if (!cpp) {
        if (after_program && !c.text.empty() && starts(c.text[0], "$ ")) out.expected(c.text);
        after_program = false;
        continue;
      }
      bool is_program = false;
      for (auto const& l : c.text) is_program = is_program || starts(l, "int main(");
      after_program = is_program && !excluded;
      if (excluded) {
      } else if (is_program) {
        out.program(c);
      } else if (!must_fail.empty()) {
        split_code s = prelude;
        s.add(c);
        out.failure(s, must_fail);
      } else {
        if (!continued || !open) {
          close();
          waiting = prelude;
        } else if (!prelude.inside.empty() || !prelude.outside.empty()) {
          fail(page, c.first_line, "what is continued needs no `with`");
        }
        waiting.add(c);
        open = true;
      }
      prelude = {};
      excluded = continued = false;
      must_fail.clear();
    }
  }
  close();
}

}  // namespace

int main(int argc, char** argv) {
  output out(argv[1]);
  for (int k = 2; k < argc; ++k) read_page(argv[k], out);
  out.finish();
}
