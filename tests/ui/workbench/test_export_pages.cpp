// SPDX-License-Identifier: Apache-2.0
// Every page of every exhibit, in its initial state, becomes a figure with its caption.
#include <filesystem>

#include "engine/core/file.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/bench.h"
#include "ui/workbench/figure.h"

using namespace sepx;
using namespace sepx::test;

namespace {

std::vector<std::pair<std::string, std::string>> pages(Bench& bench) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& property : bench.workbench().properties().properties())
    if (property.key.ends_with(".page"))
      for (const std::string& word : property.choices)
        all.emplace_back(property.key.substr(0, property.key.size() - 5), word);
  return all;
}

}  // namespace

TEST_CASE("Every page becomes a figure with its caption", "[figure]") {
  const tests::TemporaryFolder folder;
  Bench bench({900, 600});
  const std::vector<std::pair<std::string, std::string>> all = pages(bench);
  REQUIRE(all.size() > 20);
  int figures = 0;
  for (const auto& [exhibit, page] : all) {
    CAPTURE(exhibit, page);
    bench.play("exhibit " + exhibit + "\nset " + exhibit + ".page " + page + "\nwait settled\n");
    auto request = ui::windowFigure(bench.workbench(), {900, 600}, 1, folder / (exhibit + "-" + page + ".svg"));
    request.caption = true;
    const auto made = ui::makeFigure(bench.workbench(), nullptr, std::move(request));
    // A page that is empty, with a reason, has nothing to draw.
    const std::string why = made ? std::string() : made.error().message;
    CHECK((why.empty() || why.find("there is nothing to draw") != std::string::npos));
    figures += made ? 1 : 0;
    for (const ui::Message& message : bench.workbench().messages())
      CHECK(message.text.find("internal error") == std::string::npos);
  }
  CHECK(figures > 12);
}

TEST_CASE("The page Correlation without a selected dimension can be exported by a session and by a script",
          "[figure]") {
  const tests::TemporaryFolder folder;
  const std::string session =
      folder.file("session.sepx", R"({"version":1,"exhibit":"reversal","reversal":{"page":"correlation"}})");
  Bench bench({900, 600});
  bench.play("open " + session + "\nwait settled\nexport caption.svg\nshot caption.png\n", folder.path.string());
  Bench other;
  other.play("resize 900x600\nexhibit reversal\nset reversal.page correlation\nwait settled\nexport c.svg\n",
             folder.path.string());
  CHECK(std::filesystem::file_size(folder / "c.svg") > 1000);
}
