// SPDX-License-Identifier: Apache-2.0
// Untrusted zip files: entries that leave the folder, are too large, occur twice or are damaged are refused. Packed
// files survive the round trip.
#include "engine/core/zip_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <minizip/zip.h>
#include <sys/stat.h>
#include <catch2/catch.hpp>

#include "tests/temporary_folder.h"

namespace sepx {
namespace {

namespace fs = std::filesystem;

struct Entry {
  std::string name, content;
  mode_t mode = S_IFREG | 0644;
  int method = Z_DEFLATED;
};

/// Writes a zip file with arbitrary entry names.
std::string hostileZip(const tests::TemporaryFolder& folder, const std::vector<Entry>& entries) {
  const std::string path = folder / "hostile.zip";
  zipFile zip = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  for (const Entry& entry : entries) {
    zip_fileinfo info{};
    info.external_fa = static_cast<uLong>(entry.mode) << 16;
    REQUIRE(zipOpenNewFileInZip64(zip, entry.name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, entry.method,
                                  Z_BEST_SPEED, 0) == ZIP_OK);
    REQUIRE(zipWriteInFileInZip(zip, entry.content.data(), static_cast<unsigned>(entry.content.size())) == ZIP_OK);
    REQUIRE(zipCloseFileInZip(zip) == ZIP_OK);
  }
  REQUIRE(zipClose(zip, nullptr) == ZIP_OK);
  return path;
}

std::string contentOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// The error message of unpacking; empty if it succeeds.
std::string refusal(const std::string& path, const ZipBounds& bounds = {}) {
  const tests::TemporaryFolder all;
  fs::create_directories(all / "into");
  const auto names = unpackZip(path, all / "into", bounds);
  CHECK(all.files() == 1);  // no file is written outside the folder
  if (names) return "";
  CHECK(names.error().kind == ErrorKind::BadInput);
  CHECK(names.error().message.find(path) == 0);
  return names.error().message;
}

}  // namespace

TEST_CASE("Packed files survive the round trip, and the same files give the same zip", "[zip]") {
  const tests::TemporaryFolder folder;
  const std::string one = folder.file("one.md", "# One\n"), two = folder.file("deep/two.bin", std::string(200000, 'x'));
  const std::vector<std::pair<std::string, std::string>> files{{"one.md", one}, {"deep/two.bin", two}};
  REQUIRE(packZip(files, folder / "a.zip"));
  REQUIRE(packZip(files, folder / "b.zip"));
  CHECK(contentOf(folder / "a.zip") == contentOf(folder / "b.zip"));
  CHECK(fs::file_size(folder / "a.zip") < 10000);
  fs::create_directories(folder / "into");
  const auto names = unpackZip(folder / "a.zip", folder / "into");
  REQUIRE(names);
  CHECK(*names == std::vector<std::string>{"one.md", "deep/two.bin"});
  CHECK(contentOf(folder / "into/one.md") == "# One\n");
  CHECK(contentOf(folder / "into/deep/two.bin").size() == 200000);
  CHECK_FALSE(packZip({{"../one.md", one}}, folder / "c.zip"));
  CHECK_FALSE(packZip({{"none.md", folder / "none.md"}}, folder / "c.zip"));
  CHECK_FALSE(fs::exists(folder / "c.zip"));
  CHECK_FALSE(fs::exists(folder / "c.zip.part"));
}

TEST_CASE("A zip entry cannot be written outside its folder", "[zip]") {
  const tests::TemporaryFolder folder;
  for (const char* name : {"../out.md", "/tmp/out.md", "a/../../out.md", "a\\..\\out.md", "C:out.md", "./out.md",
                           "a//out.md", "..", ".", "a/b/c/d/e/f/g/h/i/j.md", "bell\x07.md", "\xFF.md"}) {
    CAPTURE(name);
    CHECK(refusal(hostileZip(folder, {{name, "x"}})) != "");
  }
  CHECK(refusal(hostileZip(folder, {{std::string(300, 'a'), "x"}})) != "");
  CHECK_THAT(refusal(hostileZip(folder, {{"link", "/etc/passwd", S_IFLNK | 0777}})), Catch::Contains("regular"));
  CHECK_THAT(refusal(hostileZip(folder, {{"pipe", "", S_IFIFO | 0666}})), Catch::Contains("regular"));
  CHECK_THAT(refusal(hostileZip(folder, {{"a.md", "x"}, {"A.MD", "y"}})), Catch::Contains("twice"));
  CHECK(refusal(hostileZip(folder, {{"a", "x"}, {"a/b", "y"}})) != "");
  // A folder entry is not a file.
  CHECK(refusal(hostileZip(folder, {{"a/", ""}, {"a/b.md", "y"}})) == "");
}

TEST_CASE("The numbers of files and of unpacked bytes are limited, whatever the zip declares", "[zip]") {
  const tests::TemporaryFolder folder;
  const ZipBounds bounds{3, 1 << 20, 200};
  CHECK(refusal(hostileZip(folder, {{"1", ""}, {"2", ""}, {"3", ""}}), bounds) == "");
  CHECK_THAT(refusal(hostileZip(folder, {{"1", ""}, {"2", ""}, {"3", ""}, {"4", ""}}), bounds),
             Catch::Contains("more than 3 files"));
  const std::string bomb(std::size_t{8} << 20, '\0');
  const std::string path = hostileZip(folder, {{"bomb", bomb}});
  CHECK(fs::file_size(path) < 100'000);
  CHECK_THAT(refusal(path, bounds), Catch::Contains("exceeds 1 MB"));
  // The directory entry declares a size of 10 bytes.
  std::string lied = contentOf(path);
  const std::size_t entry = lied.rfind("PK\x01\x02");
  REQUIRE(entry != std::string::npos);
  lied.replace(entry + 24, 4, std::string("\x0A\0\0\0", 4));
  folder.file("hostile.zip", lied);
  CHECK(refusal(path, bounds) != "");
}

TEST_CASE("A file that is not a zip or is damaged is refused without a crash", "[zip]") {
  const tests::TemporaryFolder folder;
  CHECK_THAT(refusal(folder.file("text.zip", "no zip")), Catch::Contains("not a zip"));
  CHECK_THAT(refusal(folder.file("empty.zip", "")), Catch::Contains("not a zip"));
  CHECK_FALSE(unpackZip(folder / "none.zip", folder.path.string()));
  const std::string whole = contentOf(hostileZip(folder, {{"a.md", std::string(5000, 'a')}, {"b/c.md", "text"}}));
  constexpr std::size_t kEnd = 22;  // bytes of the end record, some of which are not needed
  for (std::size_t cut = 0; cut + kEnd < whole.size(); cut += 7)
    CHECK(refusal(folder.file("cut.zip", whole.substr(0, cut))) != "");
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 0x55);
    refused += refusal(folder.file("broken.zip", broken)) != "" ? 1 : 0;
  }
  CHECK(refused > 50);
}

}  // namespace sepx
