// SPDX-License-Identifier: Apache-2.0
// The data of a run must be in the allowed folders: files, folders, and links in them.
#include <filesystem>

#include <catch2/catch.hpp>

#include "tests/temporary_folder.h"
#include "ui/runs/allowed_data.h"

using namespace sepx;

TEST_CASE("The data of a run must lie in the allowed folders after links are followed") {
  const tests::TemporaryFolder folder;
  folder.file("out/secret", "x");
  folder.file("in/images/a", "x");
  folder.file("in/links/a", "x");
  folder.file("in/deep/b/c", "x");
  std::filesystem::create_symlink(folder / "out/secret", folder / "in/links/data_batch_1.bin");
  std::filesystem::create_symlink(folder / "out", folder / "in/deep/b/elsewhere");
  std::filesystem::create_symlink(folder / "in/images", folder / "in/own");
  const auto sentence = [&](const std::string& path, std::vector<std::string> folders) {
    data::SourceConfig config;
    config.kind = data::SourceKind::Idx;
    config.path = path;
    const auto checked = ui::checkDataAllowed(config, folders);
    return checked ? std::string() : checked.error().message;
  };
  const std::vector<std::string> folders{folder / "in"};
  CHECK(sentence(folder / "in/images", folders).empty());
  CHECK(sentence(folder / "in/images/a", folders).empty());
  CHECK(sentence(folder / "in/own", folders).empty());
  CHECK(sentence("", folders).empty());
  CHECK(sentence(folder / "out/secret", {}).empty());
  CHECK(sentence(folder / "out/secret", {folder / "in", folder / "out"}).empty());
  for (const std::string& path : {folder / "out/secret", folder / "in/../out/secret", folder / "in/links",
                                  folder / "in/deep", folder / "inner", std::string("/etc/passwd")}) {
    CAPTURE(path);
    CHECK_THAT(sentence(path, folders), Catch::Contains("lesson's folder") && !Catch::Contains("\n"));
  }
}
