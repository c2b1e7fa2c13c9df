// SPDX-License-Identifier: Apache-2.0
// A checkpoint in a window: opening it, undo, how a session refers to it, and what happens if it was moved.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/core/file.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/bench.h"
#include "ui/document/json_text.h"
#include "ui/document/session.h"
#include "ui/exhibits/model_name.h"
#include "ui/workbench/file_paths.h"
#include "ui/workbench/settings.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {
namespace {

namespace fs = std::filesystem;

using Folder = sepx::tests::TemporaryFolder;

/// Writes a BERT of one layer, width 4, two heads: safetensors with 4 x 4 queries and keys.
std::string tinyBert(const std::string& path, float first = 1) {
  const std::string prefix = "encoder.layer.0.attention.self.";
  const std::string header = R"({")" + prefix +
                             R"(query.weight":{"dtype":"F32","shape":[4,4],"data_offsets":[0,64]},")" + prefix +
                             R"(key.weight":{"dtype":"F32","shape":[4,4],"data_offsets":[64,128]}})";
  std::string bytes(8, '\0');
  for (std::size_t i = 0; i < 8; ++i)
    bytes[i] = static_cast<char>((header.size() >> (8 * i)) & 0xff);
  bytes += header;
  for (int i = 0; i < 32; ++i) {
    const float value = i == 0 ? first : 0.25f * static_cast<float>(i % 7) - 0.5f;
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  std::ofstream(fs::path(path).parent_path() / "config.json")
      << R"({"model_type":"bert","hidden_size":4,"num_attention_heads":2,"num_hidden_layers":1})";
  return path;
}

WorkbenchOptions quiet() {
  WorkbenchOptions options;
  options.scripted = true;
  options.threads = 1;
  options.version = "0";
  return options;
}

std::string textAt(const Workbench& workbench, const std::string& path) {
  const Json& value = workbench.document().at(path);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string titleOf(Workbench& workbench) {
  HostFrame host;
  workbench.tick({640, 480}, host);
  return host.title;
}

}  // namespace

TEST_CASE("In an untouched window opening a checkpoint is not unsaved work", "[model]") {
  const Folder folder;
  const std::string model = tinyBert(folder / "a/model.safetensors");
  Workbench workbench(quiet());
  REQUIRE(workbench.open(model));
  CHECK(textAt(workbench, "exhibit") == "weights");
  CHECK(textAt(workbench, "weights.checkpoint") == model);
  CHECK_FALSE(workbench.modified());
  CHECK(workbench.exhibitKey() == "weights");
  REQUIRE(workbench.open((folder.path / "a").string()));  // the folder instead of the file in it
}

TEST_CASE("A checkpoint in a folder whose name is not UTF-8 has a valid recipe", "[model]") {
  const Folder folder;
  Workbench workbench(quiet());
  REQUIRE(workbench.open(tinyBert(folder / "a\xFF/model.safetensors")));
  CHECK(parseJson(workbench.recipe()));
}

TEST_CASE("Changes of the document that a checkpoint causes when it opens are not unsaved work", "[model]") {
  const Folder folder;
  // No model family has these names, so the page Mapping opens.
  const std::string header = R"({"net.0.ask.weight":{"dtype":"F32","shape":[4,4],"data_offsets":[0,64]}})";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  const std::string model = folder.file("odd.safetensors", bytes + header + std::string(64, '\0'));
  sepx::test::Bench bench;
  REQUIRE(bench.workbench().open(model));
  bench.settle();
  CHECK(textAt(bench.workbench(), "weights.page") == "mapping");
  CHECK_FALSE(bench.workbench().modified());
  REQUIRE(bench.workbench().set("weights.rule.query", std::string("net.{layer}.ask.weight")));
  CHECK(bench.workbench().modified());
  REQUIRE(bench.workbench().undo());
  CHECK_FALSE(bench.workbench().modified());
}

TEST_CASE("In a document with work, opening a checkpoint is one change that can be undone", "[model]") {
  const Folder folder;
  const std::string one = tinyBert(folder / "a/model.safetensors"), two = tinyBert(folder / "b/model.safetensors", 2);
  Workbench workbench(quiet());
  REQUIRE(workbench.addPoint({0.5, -0.5}));
  REQUIRE(workbench.open(one));
  CHECK(workbench.modified());
  REQUIRE(workbench.set("weights.layer", 0.0));
  REQUIRE(workbench.set("weights.head", 1.0));
  REQUIRE(workbench.open(two));
  CHECK(textAt(workbench, "weights.checkpoint") == two);
  CHECK_FALSE(workbench.document().has("weights.head"));  // a setting of the previous model
  REQUIRE(workbench.undo());
  CHECK(textAt(workbench, "weights.checkpoint") == one);
  CHECK(workbench.document().at("weights.head") == 1.0);
  while (workbench.undo()) {
  }
  CHECK(workbench.document().has("weights.checkpoint") == false);
  CHECK(workbench.exhibitKey() == "flow");
}

TEST_CASE("The title names the open model, or the run that it belongs to", "[model]") {
  const Folder folder;
  const std::string one = tinyBert(folder / "one/model.safetensors");
  tinyBert(folder / "race-3/checkpoints/step-0002500/model.safetensors", 2);
  std::ofstream(folder / "race-3/checkpoints/step-0002500/state.safetensors") << "x";
  std::ofstream(folder / "race-3/run.sqlite") << "SQLite format 3";
  Settings settings("", "");
  WorkbenchOptions options = quiet();
  options.settings = &settings;
  Workbench workbench(options);
  const auto title = [&] { return titleOf(workbench); };
  REQUIRE(workbench.open(one));
  CHECK(title() == "one");
  REQUIRE(workbench.open(folder / "race-3"));
  CHECK(title() == "race-3, step 2500");
  const auto recent = settings.recent();
  REQUIRE(recent.size() == 2);
  CHECK(recent[0].path == folder / "race-3");  // reopening the run gives its newest weights
  CHECK(recent[0].title == "race-3");
  CHECK(recent[0].kind == "run");
  REQUIRE(workbench.undo());
  CHECK(title() == "one");
  REQUIRE(workbench.save(folder / "work.sepx"));
  CHECK(title() == "work.sepx");
  REQUIRE(workbench.open(folder / "race-3"));
  CHECK(title() == "work.sepx");
}

TEST_CASE("After a restore the title is the name of the model that is open now", "[model]") {
  const Folder folder;
  const std::string first = tinyBert(folder / "first/model.safetensors"),
                    second = tinyBert(folder / "second/model.safetensors");
  Workbench workbench(quiet());
  REQUIRE(workbench.open(first));
  REQUIRE(workbench.set("weights.head", 1.0));
  REQUIRE(writeSession(workbench.recoveryDocument(), folder / "auto.json"));
  Workbench next(quiet());
  REQUIRE(next.restore(folder / "auto.json"));
  CHECK(titleOf(next) == "first");
  CHECK(next.modified());
  REQUIRE(next.open(second));
  CHECK(titleOf(next) == "second");
}

TEST_CASE("A model that ships has a descriptive title, and another model in a folder of that name has not", "[model]") {
  const Folder folder;
  WorkbenchOptions options = quiet();
  options.assets = folder / "assets";
  Settings settings("", "");
  options.settings = &settings;
  Workbench workbench(options);
  const auto title = [&] {
    HostFrame host;
    workbench.tick({640, 480}, host);
    return host.title;
  };
  REQUIRE(workbench.open(tinyBert(folder / "assets/models/mdm/model.safetensors")));
  CHECK(title() == "Masked diffusion");
  REQUIRE_FALSE(settings.recent().empty());
  CHECK(settings.recent().front().title == "Masked diffusion");
  REQUIRE(workbench.open(tinyBert(folder / "mine/mdm/model.safetensors", 2)));
  CHECK(title() == "mdm");
}

TEST_CASE("A checkpoint opened on the page Compare becomes the second one", "[model]") {
  const Folder folder;
  const std::string one = tinyBert(folder / "a/model.safetensors"), two = tinyBert(folder / "b/model.safetensors", 2);
  Workbench workbench(quiet());
  REQUIRE(workbench.open(one));
  REQUIRE(workbench.set("weights.page", "compare"));
  REQUIRE(workbench.open(two));
  CHECK(textAt(workbench, "weights.checkpoint") == one);
  CHECK(textAt(workbench, "weights.compare.checkpoint") == two);
  // If both checkpoints are set, opening one replaces the first; the second is chosen on the page.
  const std::string three = tinyBert(folder / "c/model.safetensors", 3);
  REQUIRE(workbench.open(three));
  CHECK(textAt(workbench, "weights.checkpoint") == three);
  CHECK(textAt(workbench, "weights.compare.checkpoint") == two);
  CHECK(textAt(workbench, "weights.page") == "compare");
}

TEST_CASE("A session stores the relative path of a checkpoint near it, so that both can be moved together", "[model]") {
  const Folder folder;
  const std::string model = tinyBert(folder / "there/models/model.safetensors");
  const std::string session = folder / "there/work.sepx";
  {
    Workbench workbench(quiet());
    REQUIRE(workbench.open(model));
    REQUIRE(workbench.save(session));
    CHECK(textAt(workbench, "weights.checkpoint") == model);  // the window keeps the absolute path
    CHECK_FALSE(workbench.modified());
  }
  const auto text = readFile(session);
  REQUIRE(text);
  CHECK_THAT(*text, Catch::Contains("\"models/model.safetensors\""));
  CHECK_THAT(*text, !Catch::Contains(folder.path.string()));
  fs::rename(folder.path / "there", folder.path / "elsewhere");
  Workbench workbench(quiet());
  REQUIRE(workbench.open(folder / "elsewhere/work.sepx"));
  CHECK(textAt(workbench, "weights.checkpoint") == folder / "elsewhere/models/model.safetensors");
  CHECK_FALSE(workbench.modified());
  CHECK(workbench.messages().empty());
}

TEST_CASE("A session whose checkpoint is missing opens, reports the file and asks for its place", "[model]") {
  const Folder folder;
  const std::string model = tinyBert(folder / "models/model.safetensors");
  const std::string session = folder / "work.sepx";
  {
    Workbench workbench(quiet());
    REQUIRE(workbench.open(model));
    REQUIRE(workbench.set("weights.part", "skew"));
    REQUIRE(workbench.save(session));
  }
  fs::rename(folder.path / "models", folder.path / "other");
  WorkbenchOptions live = quiet();
  live.scripted = false;
  Workbench workbench(live);
  REQUIRE(workbench.open(session));
  REQUIRE_FALSE(workbench.messages().empty());
  CHECK_THAT(workbench.messages().back().text, Catch::Contains("models/model.safetensors"));
  HostFrame host;
  workbench.tick({640, 480}, host);
  CHECK(host.request == HostRequest::OpenDialog);
  REQUIRE(workbench.open(folder / "other/model.safetensors"));  // the file that the user chose
  CHECK(textAt(workbench, "weights.checkpoint") == folder / "other/model.safetensors");
  CHECK(textAt(workbench, "weights.part") == "skew");  // no other field changed
  CHECK(textAt(workbench, "exhibit") == "weights");
  CHECK(workbench.path() == session);
}

TEST_CASE("File paths of every pane are stored relative to the session", "[model]") {
  Workbench workbench(quiet());
  const PropertyRegistry& registry = workbench.properties();
  const Document document = Document()
                                .with("weights.checkpoint", "/home/x/m/a.safetensors")
                                .with("weights@2.compare.checkpoint", "/home/y/b.safetensors")
                                .with("weights.layer", 3);
  const Document relative = withRelativePaths(document, registry, "/home/x/sessions");
  CHECK(relative.at("weights.checkpoint") == "../m/a.safetensors");
  CHECK(relative.at("weights@2.compare.checkpoint") == "../../y/b.safetensors");
  CHECK(withAbsolutePaths(relative, registry, "/home/x/sessions") == document);
  CHECK(withRelativePaths(document, registry, "/srv/z").at("weights.checkpoint") == "/home/x/m/a.safetensors");
  REQUIRE(missingFiles(document, registry).size() == 2);
  CHECK(missingFiles(document, registry)[1].key == "weights@2.compare.checkpoint");
}

}  // namespace sepx::ui
