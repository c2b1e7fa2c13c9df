// SPDX-License-Identifier: Apache-2.0
// The house's arrows: app -> ui -> engine, and inside them from the floor above to the floor below. Reads the #include
// lines of every source and fails on one that points the wrong way.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// Folder -> the folders of the house it may include (itself always).
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"engine/core", {}},
    {"engine/dynamics", {"engine/core"}},
    {"engine/nn", {"engine/core"}},
    {"engine/markov", {"engine/core", "engine/dynamics", "engine/nn"}},
    {"engine/attention", {"engine/core"}},
    {"engine/checkpoint", {"engine/core", "engine/attention"}},
    {"engine/data", {"engine/core"}},
    {"engine/train", {"engine/core", "engine/nn", "engine/data", "engine/attention", "engine/checkpoint"}},
    {"engine/studies",
     {"engine/core", "engine/dynamics", "engine/nn", "engine/markov", "engine/data", "engine/attention",
      "engine/checkpoint", "engine/train"}},
    {"engine/gpu", {"engine/core", "engine/dynamics", "engine/markov", "engine/attention"}},
    {"engine/render", {"engine/core", "engine/gpu"}},
    {"ui/document", {"engine/core"}},
    {"ui/properties", {"engine/core", "ui/document"}},
    {"ui/canvas", {"engine/core", "engine/render", "ui/document", "ui/properties"}},
    {"ui/exhibit", {"engine/core", "engine/gpu", "engine/render", "ui/document", "ui/properties", "ui/canvas"}},
    {"ui/exhibits",
     {"engine/core", "engine/dynamics", "engine/markov", "engine/attention", "engine/checkpoint", "engine/studies",
      "engine/gpu", "engine/render", "ui/document", "ui/properties", "ui/canvas", "ui/exhibit"}},
    {"ui/workbench",
     {"engine/core", "engine/gpu", "engine/render", "engine/dynamics", "engine/markov", "engine/checkpoint",
      "engine/train", "ui/document", "ui/properties", "ui/canvas", "ui/exhibit", "ui/exhibits"}},
};

// Outside libraries that belong to certain places only: header pattern -> path pattern of those who may.
const std::vector<std::pair<std::regex, std::regex>> kReserved = {
    {std::regex(R"(<(Q[A-Z]\w*|Qt\w*/.*)>)"), std::regex("app/studio/.*|tests/hosts/.*")},
    {std::regex(R"(<GLFW/.*>)"), std::regex("app/stage/.*")},
    {std::regex(R"(<vulkan/.*>|<imgui/backends/.*|<backends/imgui_impl_vulkan.h>|<imgui_impl_vulkan.h>)"),
     std::regex("engine/gpu/.*|engine/render/.*|ui/workbench/imgui_painter\\..*|app/.*|tests/.*")},
    {std::regex(R"(<(imgui/)?imgui.*>)"), std::regex("ui/.*|tests/ui/.*")},
};

std::string houseFolder(const std::string& path) {
  const auto first = path.find('/');
  const auto second = path.find('/', first + 1);
  if (first == std::string::npos || second == std::string::npos) return path.substr(0, first);
  return path.substr(0, second);
}

// Empty when the include is allowed, otherwise what is wrong with it.
std::string objection(const std::string& file, const std::string& include) {
  for (const auto& [header, place] : kReserved)
    if (std::regex_match(include, header) && !std::regex_match(file, place))
      return file + " must not include " + include;
  const std::string target = include.substr(1, include.size() - 2);
  if (target.find("..") != std::string::npos) return file + ": " + include + " must be named from the root";
  const std::string from = houseFolder(file), to = houseFolder(target);
  if (!target.starts_with("engine/") && !target.starts_with("ui/") && !target.starts_with("app/")) return {};
  if (from == to || from.starts_with("app") || from.starts_with("tests")) return {};
  if (include.front() != '"') return file + ": " + include + " is the house's own and stands in quotes";
  const auto rule = kMayInclude.find(from);
  if (rule == kMayInclude.end()) return file + ": the folder " + from + " has no rule in tests/layering";
  if (!rule->second.contains(to))
    return file + " must not include " + target + ": " + from + " does not stand above " + to;
  return {};
}

}  // namespace

TEST_CASE("includes point downwards") {
  const fs::path root = SEPX_SOURCE_DIR;
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

TEST_CASE("the layering test sees an arrow that points the wrong way") {
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
  CHECK(objection("ui/workbench/imgui_painter.cpp", "<vulkan/vulkan.h>") == "");
}
