// SPDX-License-Identifier: Apache-2.0
// The dependencies between folders: app -> ui -> engine, and inside them from a higher to a lower layer. Reads the
// #include lines of every source and fails if one has the wrong direction. Also checks that code above the exhibits
// names no key of an exhibit.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/folders.h"

namespace {

namespace fs = std::filesystem;

// Folder -> the folders of the project that it may include (itself always).
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"engine/core", {}},
    {"engine/dynamics", {"engine/core"}},
    {"engine/nn", {"engine/core"}},
    {"engine/markov", {"engine/core", "engine/dynamics", "engine/nn"}},
    {"engine/attention", {"engine/core"}},
    {"engine/checkpoint", {"engine/core", "engine/attention"}},
    {"engine/tokenizer", {"engine/core", "engine/checkpoint"}},
    {"engine/forward", {"engine/core", "engine/nn", "engine/checkpoint", "engine/attention"}},
    {"engine/data", {"engine/core"}},
    {"engine/reversal", {"engine/core", "engine/nn", "engine/data"}},
    {"engine/train",
     {"engine/core", "engine/nn", "engine/data", "engine/attention", "engine/checkpoint", "engine/reversal"}},
    {"engine/sweep", {"engine/core", "engine/train"}},
    {"engine/mpi", {"engine/core", "engine/train"}},
    {"engine/studies",
     {"engine/core", "engine/dynamics", "engine/nn", "engine/markov", "engine/data", "engine/attention",
      "engine/checkpoint", "engine/train", "engine/reversal"}},
    {"engine/gpu", {"engine/core", "engine/dynamics", "engine/markov", "engine/attention"}},
    {"engine/render", {"engine/core", "engine/gpu"}},
    {"ui/document", {"engine/core"}},
    {"ui/properties", {"engine/core", "ui/document"}},
    {"ui/canvas", {"engine/core", "engine/render", "ui/document", "ui/properties"}},
    {"ui/page", {"engine/core", "engine/gpu", "engine/render", "ui/document", "ui/properties", "ui/canvas"}},
    {"ui/views",
     {"engine/core", "engine/attention", "engine/render", "ui/document", "ui/properties", "ui/canvas", "ui/page"}},
    {"ui/runs", {"engine/core", "engine/data", "engine/train", "ui/document", "ui/properties"}},
    {"ui/race",
     {"engine/core", "engine/nn", "engine/data", "engine/attention", "engine/checkpoint", "engine/train",
      "engine/render", "ui/document", "ui/properties", "ui/canvas", "ui/runs", "ui/page", "ui/views"}},
    {"ui/published",
     {"engine/core", "engine/train", "engine/studies", "engine/render", "ui/document", "ui/properties", "ui/canvas",
      "ui/runs", "ui/race", "ui/page", "ui/views"}},
    {"ui/sentence",
     {"engine/core", "engine/attention", "engine/checkpoint", "engine/forward", "engine/tokenizer", "engine/render",
      "ui/document", "ui/properties", "ui/canvas", "ui/page", "ui/views"}},
    {"ui/exhibits",
     {"engine/core",       "engine/dynamics", "engine/nn",        "engine/markov", "engine/data",    "engine/attention",
      "engine/checkpoint", "engine/forward",  "engine/tokenizer", "engine/train",  "engine/studies", "engine/reversal",
      "engine/sweep",      "engine/gpu",      "engine/render",    "ui/document",   "ui/properties",  "ui/canvas",
      "ui/runs",           "ui/race",         "ui/published",     "ui/sentence",   "ui/page",        "ui/views"}},
    {"ui/workbench",
     {"engine/core", "engine/gpu", "engine/render", "engine/dynamics", "engine/markov", "engine/checkpoint",
      "engine/train", "ui/document", "ui/properties", "ui/canvas", "ui/runs", "ui/page", "ui/exhibits"}},
};

// Third-party headers that only certain files may include: header pattern -> path pattern of those files.
const std::vector<std::pair<std::regex, std::regex>> kReserved = {
    {std::regex(R"(<(Q[A-Z]\w*|Qt\w*/.*)>)"), std::regex("app/studio/.*|tests/hosts/.*")},
    {std::regex(R"(<GLFW/.*>)"), std::regex("app/stage/.*")},
    {std::regex(R"(<mpi.h>)"), std::regex("engine/mpi/.*")},
    {std::regex(R"(<vulkan/.*>|<imgui/backends/.*)"), std::regex("engine/gpu/.*|engine/render/.*|app/.*|tests/.*")},
    {std::regex(R"(<(imgui/)?imgui.*>)"), std::regex("ui/.*|tests/ui/.*")},
};

std::string houseFolder(const std::string& path) {
  const auto first = path.find('/');
  const auto second = path.find('/', first + 1);
  if (first == std::string::npos || second == std::string::npos) return path.substr(0, first);
  return path.substr(0, second);
}

std::vector<std::string> partsOf(const std::string& path) {
  std::vector<std::string> parts;
  std::istringstream in(path);
  for (std::string part; std::getline(in, part, '/');)
    parts.push_back(part);
  return parts;
}

// ui/exhibits/X/PAGE/ may include itself and ui/exhibits/X/shared/, but no sibling page. shared/ may include no page,
// and no exhibit may include another.
bool amongSiblings(const std::string& file, const std::string& target) {
  const auto from = partsOf(file), to = partsOf(target);
  const auto ofExhibit = [](const std::vector<std::string>& path) {
    return path.size() > 3 && path[0] == "ui" && path[1] == "exhibits";
  };
  if (!ofExhibit(from) || !ofExhibit(to)) return false;
  if (from[2] != to[2]) return true;
  return from.size() > 4 && (to.size() == 4 || (to[3] != from[3] && to[3] != "shared"));
}

// Empty if the include is allowed, otherwise what is wrong with it.
std::string objection(const std::string& file, const std::string& include) {
  for (const auto& [header, place] : kReserved)
    if (std::regex_match(include, header) && !std::regex_match(file, place))
      return file + " must not include " + include;
  const std::string target = include.substr(1, include.size() - 2);
  if (target.find("..") != std::string::npos) return file + ": " + include + " must be named from the root";
  const std::string from = houseFolder(file), to = houseFolder(target);
  if (!target.starts_with("engine/") && !target.starts_with("ui/") && !target.starts_with("app/")) return {};
  if (amongSiblings(file, target)) return file + " must not include " + target + ": a page does not know its siblings";
  if (from == to || from.starts_with("app") || from.starts_with("tests")) return {};
  if (include.front() != '"') return file + ": " + include + " is of the project and stands in quotes";
  const auto rule = kMayInclude.find(from);
  if (rule == kMayInclude.end()) return file + ": the folder " + from + " has no rule in tests/layering";
  if (!rule->second.contains(to))
    return file + " must not include " + target + ": " + from + " does not stand above " + to;
  return {};
}

// The string literals of a line, without those in a comment at its end.
std::vector<std::string> literals(const std::string& line) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line.compare(i, 2, "//") == 0) break;
    if (line[i] == '\'' && i + 2 < line.size()) {
      i += line[i + 1] == '\\' ? 3 : 2;
      continue;
    }
    if (line[i] != '"') continue;
    std::string text;
    for (++i; i < line.size() && line[i] != '"'; ++i) {
      if (line[i] == '\\' && i + 1 < line.size()) ++i;
      text += line[i];
    }
    found.push_back(std::move(text));
  }
  return found;
}

// Whether the text is a key of an exhibit ("flow.p", "flow@2.points[0].e", "flow" alone), or the part of a key after
// the name of the exhibit. A sentence with spaces may contain an example.
bool namesExhibitKey(const std::string& text, const std::vector<std::string>& exhibits) {
  std::string names;
  for (const std::string& exhibit : exhibits)
    names += (names.empty() ? "" : "|") + exhibit;
  const std::regex key("(" + names + ")((@[0-9]+)?[.\\[][^ ]*)?");
  const std::regex part(
      R"((\{\})?\.(points|selected|page|hover|play|limit|board)([.\[][^ ]*)?|limit\.kind|hover\.[a-z]+)");
  return std::regex_match(text, key) || std::regex_match(text, part);
}

std::vector<std::string> exhibitFolders(const fs::path& root) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(root / "ui/exhibits"))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  return names;
}

}  // namespace

TEST_CASE("Workbench, document and studio name no key of an exhibit") {
  const fs::path root = sepx::tests::sourceFolder();
  const std::vector<std::string> exhibits = exhibitFolders(root);
  REQUIRE(exhibits.size() >= 2);
  int seen = 0;
  for (const char* top : {"ui/workbench", "ui/document", "app/studio"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const auto extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".h") continue;
      std::ifstream in(entry.path());
      std::string line;
      for (int number = 1; std::getline(in, line); ++number) {
        if (line.find("#include") != std::string::npos) continue;
        for (const std::string& text : literals(line)) {
          ++seen;
          INFO(fs::relative(entry.path(), root).generic_string() << ":" << number << ": \"" << text << "\"");
          CHECK_FALSE(namesExhibitKey(text, exhibits));
        }
      }
    }
  CHECK(seen > 1000);
}

TEST_CASE("The layering test recognises a key of an exhibit") {
  const std::vector<std::string> exhibits{"flow", "weights"};
  for (const char* key : {"flow.p", "flow@2.points[0].e", "flow", "weights.checkpoint", ".points", ".selected", ".page",
                          "limit.kind", ".hover.e", "{}.points[{}]"})
    CHECK(namesExhibitKey(key, exhibits));
  for (const char* other : {"panes.layout", "overflow", "a table of points", "view.reset", "play.toggle", ".sepx"})
    CHECK_FALSE(namesExhibitKey(other, exhibits));
  CHECK(literals(R"(f("a", 'b', "c\"d");  // "e")") == std::vector<std::string>{"a", "c\"d"});
}

// Whether a source may name keys of an exhibit: its own folder, the list of all exhibits and of the keys that lessons
// may name, and the place where requests to an exhibit are made.
bool mayNameKeysOf(const std::string& exhibit, const std::string& file) {
  if (file.starts_with("ui/exhibits/" + exhibit + "/") || file == "ui/page/requests.cpp") return true;
  return file.starts_with("ui/exhibits/") && partsOf(file).size() == 3;
}

TEST_CASE("A part of the interface names only keys of its own exhibit") {
  const fs::path root = sepx::tests::sourceFolder();
  const std::vector<std::string> exhibits = exhibitFolders(root);
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "ui")) {
    const auto extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".h") continue;
    const std::string file = fs::relative(entry.path(), root).generic_string();
    std::ifstream in(entry.path());
    std::string line;
    for (int number = 1; std::getline(in, line); ++number)
      for (const std::string& text : literals(line))
        for (const std::string& exhibit : exhibits) {
          if (!text.starts_with(exhibit + ".") || text.find(' ') != std::string::npos) continue;
          ++seen;
          INFO(file << ":" << number << ": \"" << text << "\" is a key of " << exhibit << "; see ui/page/requests.h");
          CHECK(mayNameKeysOf(exhibit, file));
        }
  }
  CHECK(seen > 500);
  CHECK(mayNameKeysOf("weights", "ui/exhibits/weights/wall/wall_page.cpp"));
  CHECK(mayNameKeysOf("weights", "ui/exhibits/lesson_list.cpp"));
  CHECK_FALSE(mayNameKeysOf("weights", "ui/exhibits/training/library/library_page.cpp"));
  CHECK_FALSE(mayNameKeysOf("weights", "ui/race/race.cpp"));
}

TEST_CASE("No two headers define a type with the same name in the same namespace") {
  // The linker would merge their functions without a warning.
  const fs::path root = sepx::tests::sourceFolder();
  const std::regex space(R"(^namespace ([A-Za-z0-9_:]+) \{.*)");
  const std::regex type(R"(^(?:class|struct) ([A-Za-z0-9_]+)(?: final)?(?: : [^;]*)? \{.*)");
  std::map<std::string, std::string> places;
  for (const char* top : {"engine", "ui", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      if (entry.path().extension() != ".h") continue;
      const std::string file = fs::relative(entry.path(), root).generic_string();
      std::ifstream in(entry.path());
      std::string line, inside;
      for (std::smatch match; std::getline(in, line);) {
        if (std::regex_match(line, match, space)) inside = match[1];
        if (!std::regex_match(line, match, type)) continue;
        const auto [at, first] = places.emplace(inside + "::" + match[1].str(), file);
        INFO(at->first << " of " << file << " and " << at->second);
        CHECK((first || at->second == file));
      }
    }
  CHECK(places.size() > 300);
}

// Whether a line opens a file or a folder by name in another way than through engine/core/regular_file.h, folder.h and
// remove_folder.h.
bool opensFile(const std::string& line) {
  static const std::regex opens(
      R"(\b(basic_)?[io]?fstream\b|\bfilebuf\b|\b(f|fre|gz|p)open\(|(^|[^A-Za-z0-9_>])::open(at|at2|64)?\(|\bopen\(.*\bO_[A-Z]|\bcreat\(|\bQFile\b|\bQSaveFile\b|\bsqlite3_open|directory_iterator\b|\bf?d?opendir\(|\bremove_all\b|\bcopy_file\b|\bfs::copy\()");
  return std::regex_search(line.substr(0, line.find("//")), opens);
}

TEST_CASE(
    "Files are opened in one place, which refuses irregular files, and folders are listed and removed in one place") {
  const fs::path root = sepx::tests::sourceFolder();
  // The places themselves, and SQLite after a check of its files.
  const std::set<std::string> may{"engine/core/regular_file.cpp", "engine/core/folder.h",
                                  "engine/core/remove_folder.cpp", "engine/core/precompiled.h",
                                  "engine/train/run_store_database.cpp"};
  int seen = 0;
  for (const char* top : {"engine", "ui", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const auto extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".h" && extension != ".inc") continue;
      const std::string file = fs::relative(entry.path(), root).generic_string();
      std::ifstream in(entry.path());
      std::string line;
      for (int number = 1; std::getline(in, line); ++number) {
        ++seen;
        INFO(file << ":" << number << ": " << line);
        CHECK((may.contains(file) || !opensFile(line)));
      }
    }
  CHECK(seen > 10000);
}

TEST_CASE("The layering test recognises code that opens a file") {
  for (const char* line :
       {"std::ifstream in(path);", "std::ofstream(path) << text;", "const int fd = ::open(path.c_str(), O_RDONLY);",
        "int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);", "FILE* file = fopen(path, \"rb\");",
        "gzopen(path.c_str(), \"rb\")", "#include <fstream>", "QFile file(path);", "creat(path, 0600)",
        "::opendir(path.c_str())", "fs::recursive_directory_iterator entry(path);", "::fdopendir(descriptor)",
        "fs::remove_all(path, ignored);", "fs::copy_file(path, to, error);", "fs::copy(path, to);"})
    CHECK(opensFile(line));
  for (const char* other :
       {"train::RunReader::open(folder)", "open(path);", "Checkpoint::open(checkpoint)", "QFileDialog dialog(",
        "QFileInfo(path).fileName()", "// std::ifstream would wait", "bool open() const {", "FontFace::open(bold)"})
    CHECK_FALSE(opensFile(other));
}

// Whether a line shows a text as HTML or Markdown, or lets Qt guess the format of a text. Labels and tooltips use plain
// text (app/studio/studio_style.h).
bool showsRichText(const std::string& line) {
  static const std::regex rich(
      R"(\bQt::(RichText|AutoText|MarkdownText)\b|\b(set|insert|append)Html\(|[sS]etMarkdown\(|\bQTextDocument\b|\bnew QText(Edit|Browser)\b|\bsetOpenExternalLinks\()");
  return std::regex_search(line.substr(0, line.find("//")), rich);
}

TEST_CASE("Texts of the studio are plain except in two places, which escape the inserted texts") {
  const fs::path root = sepx::tests::sourceFolder();
  // The two places, and the style that makes all other texts plain.
  const std::set<std::string> may{"app/studio/symbol_text.cpp", "app/studio/presenter_panel.cpp",
                                  "app/studio/studio_style.cpp"};
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "app/studio")) {
    const auto extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".h") continue;
    const std::string file = fs::relative(entry.path(), root).generic_string();
    std::ifstream in(entry.path());
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      if (line.find("#include") != std::string::npos) continue;
      ++seen;
      INFO(file << ":" << number << ": " << line);
      CHECK((may.contains(file) || !showsRichText(line)));
    }
  }
  CHECK(seen > 1000);
  for (const char* rich : {"label->setTextFormat(Qt::RichText);", "notes_->setHtml(html);", "new QTextBrowser;"})
    CHECK(showsRichText(rich));
  for (const char* plain : {"label->setTextFormat(Qt::PlainText);", "new QLabel(text);", "// as Qt::AutoText would"})
    CHECK_FALSE(showsRichText(plain));
}

TEST_CASE("Includes go from higher to lower layers") {
  const fs::path root = sepx::tests::sourceFolder();
  const std::regex line(R"(^\s*#\s*include\s*([<"][^>"]+[>"]).*)");
  int seen = 0;
  for (const char* top : {"engine", "ui", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const auto extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".h") continue;
      const std::string file = fs::relative(entry.path(), root).generic_string();
      std::ifstream in(entry.path());
      std::string text;
      for (std::smatch match; std::getline(in, text);)
        if (std::regex_match(text, match, line)) {
          ++seen;
          const std::string wrong = objection(file, match[1].str());
          INFO(wrong);
          CHECK(wrong.empty());
        }
    }
  CHECK(seen > 100);
}

TEST_CASE("The layering test recognises an include with the wrong direction") {
  CHECK(objection("engine/core/job.cpp", "\"ui/document/document.h\"") != "");
  CHECK(objection("engine/markov/flow.cpp", "\"engine/gpu/context.h\"") != "");
  CHECK(objection("ui/canvas/axes.cpp", "\"app/options.h\"") != "");
  CHECK(objection("ui/exhibits/flow/shared/flow_scene.cpp", "<vulkan/vulkan.h>") != "");
  CHECK(objection("ui/workbench/workbench.cpp", "<QWidget>") != "");
  CHECK(objection("app/cli/main.cpp", "<QApplication>") != "");
  CHECK(objection("app/studio/main.cpp", "<GLFW/glfw3.h>") != "");
  CHECK(objection("engine/core/job.cpp", "<ui/document/document.h>") != "");
  CHECK(objection("engine/core/job.cpp", "\"../../ui/document/document.h\"") != "");
  CHECK(objection("engine/new_folder/x.cpp", "\"engine/core/result.h\"") != "");
  CHECK(objection("ui/exhibits/flow/shared/flow_scene.cpp", "\"engine/markov/basin.h\"") == "");
  CHECK(objection("ui/workbench/imgui_painter.cpp", "<vulkan/vulkan.h>") != "");
  CHECK(objection("ui/exhibits/weights/wall/wall_page.cpp", "\"ui/exhibits/weights/charts/charts_page.h\"") != "");
  CHECK(objection("ui/exhibits/weights/shared/kit.cpp", "\"ui/exhibits/weights/charts/charts_page.h\"") != "");
  CHECK(objection("ui/exhibits/weights/wall/wall_page.cpp", "\"ui/exhibits/weights/weights_exhibit.h\"") != "");
  CHECK(objection("ui/exhibits/weights/wall/wall_page.cpp", "\"ui/exhibits/flow/shared/flow_page.h\"") != "");
  CHECK(objection("ui/exhibits/weights/wall/wall_page.cpp", "\"ui/exhibits/weights/shared/weights_page.h\"") == "");
  CHECK(objection("ui/exhibits/weights/weights_exhibit.cpp", "\"ui/exhibits/weights/charts/charts_page.h\"") == "");
}

TEST_CASE("Formats that are not known at compile time are used in one place, which catches their errors") {
  const fs::path root = sepx::tests::sourceFolder();
  const std::regex late(R"(fmt::runtime\(|vformat(_to)?\()");
  for (const char* top : {"engine", "ui", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const auto extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".h") continue;
      const std::string file = fs::relative(entry.path(), root).generic_string();
      if (file == "ui/properties/tr_format.cpp") continue;
      std::ifstream in(entry.path());
      std::string line;
      for (int number = 1; std::getline(in, line); ++number) {
        INFO(file << ":" << number << ": write trFormat(\"…\", …), which is checked where it is compiled");
        CHECK_FALSE(std::regex_search(line, late));
      }
    }
}
