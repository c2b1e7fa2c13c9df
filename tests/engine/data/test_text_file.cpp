// SPDX-License-Identifier: Apache-2.0
// Text files, valid and broken. Each broken file is refused with one message.
#include "engine/data/text_file.h"
#include "tests/engine/core/memory_limit.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

using namespace sepx;

namespace {

namespace fs = std::filesystem;
constexpr std::size_t kLimit = std::size_t{1} << 24;

using Folder = sepx::tests::TemporaryFolder;

std::string gzipped(const std::string& content) {
  std::string out(content.size() + 1000, '\0');
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string many(const std::string& line, int times) {
  std::string out;
  for (int i = 0; i < times; ++i)
    out += line + std::to_string(i * 7919 % 1000) + "\n";
  return out;
}

std::string text(const std::string& path, const std::string& field = {}, std::size_t limit = kLimit) {
  const auto read = data::readText(path, field, limit);
  INFO((read ? std::string() : read.error().message));
  REQUIRE(read);
  return *read;
}

std::string refusal(const std::string& path, const std::string& field = {}, std::size_t limit = kLimit,
                    ErrorKind kind = ErrorKind::BadInput) {
  const auto read = data::readText(path, field, limit);
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == kind);
  CHECK(read.error().message.find('\n') == std::string::npos);
  if (kind == ErrorKind::BadInput) CHECK(read.error().message.starts_with(path + ": "));
  const auto at = read.error().message.find(": ");
  return at == std::string::npos ? read.error().message : read.error().message.substr(at + 2);
}

}  // namespace

TEST_CASE("Plain text and gzip files are read alike, whatever their names") {
  const Folder folder;
  const std::string content = many("Ein Satz mit Umlaut: schön ", 3000);
  CHECK(text(folder.file("a.txt", content)) == content);
  CHECK(text(folder.file("b.txt.gz", gzipped(content))) == content);
  CHECK(text(folder.file("c.text", gzipped(content))) == content);
  CHECK(text(folder.file("d", gzipped("one\n") + gzipped("two\n"))) == "one\ntwo\n");  // concatenated gzip members
  CHECK(text(folder.file("e.txt", "\xEF\xBB\xBFwith a mark")) == "with a mark");
}

TEST_CASE("A column of a table and a member of JSON lines are read") {
  const Folder folder;
  const std::string csv = "id,comment_text,label\r\n1,\"first, with a comma\",0\r\n2,\"two\nlines\",1\r\n";
  const std::string expected = "first, with a comma\ntwo\nlines\n";
  CHECK(text(folder.file("a.csv", csv), "comment_text") == expected);
  CHECK(text(folder.file("A.CSV.gz", gzipped(csv)), "comment_text") == expected);
  CHECK(text(folder.file("b.tsv", "id\ttext\n1\tone\n2\ttwo\n"), "text") == "one\ntwo\n");
  const std::string lines = "{\"id\": 1, \"text\": \"one \\u00e9\"}\n\n{\"text\": \"a\\nb\", \"n\": null}\r\n";
  CHECK(text(folder.file("c.jsonl", lines), "text") == "one é\na\nb\n");
  CHECK(text(folder.file("c.ndjson.gz", gzipped(lines)), "text") == "one é\na\nb\n");
}

TEST_CASE("Files that are not text are refused with one message") {
  const Folder folder;
  CHECK(refusal((folder.path / "none.txt").string()) == "cannot be read: No such file or directory");
  CHECK(refusal(folder.path.string()) == "is a folder; name a file of text in it");
  CHECK(refusal(folder.file("empty.txt", "")) == "is empty");
  CHECK(refusal(folder.file("empty.gz", gzipped(""))) == "is empty");
  CHECK(refusal(folder.file("mark.txt", "\xEF\xBB\xBF")) == "is empty");
  CHECK(refusal(folder.file("binary.txt", std::string("ELF\0\1", 5))).find("zero byte at offset 3") !=
        std::string::npos);
  CHECK(refusal(folder.file("packed.gz", gzipped(std::string(100, '\0')))).find("zero byte at offset 0") !=
        std::string::npos);
  REQUIRE(::mkfifo((folder.path / "pipe").c_str(), 0600) == 0);
  CHECK(refusal((folder.path / "pipe").string()) == "cannot be read: it is not a regular file");
  CHECK(refusal("", "", kLimit, ErrorKind::Usage) == "data.path must name a text file");
}

TEST_CASE("Text that does not fit is refused before it is read completely, compressed or not") {
  const Folder folder;
  const std::string content(200000, 'x');
  const std::string sentence = "has more text than the 100000 bytes that fit into memory; use only a part of it";
  CHECK(refusal(folder.file("a.txt", content), "", 100000) == sentence);
  CHECK(refusal(folder.file("a.gz", gzipped(content)), "", 100000) == sentence);
  CHECK(text(folder.path / "a.txt", "", 200000) == content);
  // A sparse file of a terabyte needs no disk space and is refused by its size.
  const std::string hole = folder.file("hole.txt", "x");
  if (::truncate(hole.c_str(), off_t{1} << 40) == 0)
    CHECK(refusal(hole, "", std::size_t{1} << 33).find("more text than the 8192 MiB") != std::string::npos);
  CHECK(data::textLimit() > (std::size_t{1} << 20));
}

TEST_CASE("A small compressed file uses no more memory than the limit for text") {
  const Folder folder;
  constexpr std::size_t kUnpacked = std::size_t{256} << 20, kMost = std::size_t{16} << 20;
  const std::string zeros = folder.file("zeros.gz", gzipped(std::string(kUnpacked, '\0'))),
                    letters = folder.file("letters.gz", gzipped(std::string(kUnpacked, 'x')));
  const test::MemoryLimit limit(std::size_t{96} << 20);
  CHECK(refusal(zeros, "", kUnpacked).find("zero byte at offset 0") !=
        std::string::npos);  // detected before the rest is unpacked
  CHECK(refusal(letters, "", kMost).find("more text than the 16 MiB") != std::string::npos);
  if (!limit.holds()) {
    WARN("skipped: nothing holds this program to a limit of memory");
    return;
  }
  // The memory limit of this process is taken into account, whatever memory the machine has.
  CHECK(data::textLimit() < kUnpacked);
  CHECK(refusal(letters, "", data::textLimit()).find("that fit into memory") != std::string::npos);
}

TEST_CASE("Reading reports its progress and ends when it is cancelled") {
  const Folder folder;
  const std::string content = many("some words that do not repeat so well ", 50000);
  for (const std::string& path : {folder.file("a.txt", content), folder.file("a.gz", gzipped(content))}) {
    std::vector<double> shares;
    const auto read = data::readText(path, "", kLimit, [&](double share) {
      shares.push_back(share);
      return false;
    });
    REQUIRE(read);
    CHECK(*read == content);
    REQUIRE(shares.size() > 3);
    CHECK(std::is_sorted(shares.begin(), shares.end()));
    CHECK(shares.front() < 0.5);
    CHECK(shares.back() == 1);
    int asked = 0;
    const auto ended = data::readText(path, "", kLimit, [&](double) { return ++asked > 2; });
    REQUIRE_FALSE(ended);
    CHECK(ended.error().kind == ErrorKind::Interrupted);
    CHECK(asked == 3);
  }
}

TEST_CASE("A table with more cells than fit into memory is refused, even with few rows") {
  const Folder folder;
  const std::string names = "text" + std::string(999, ',') + "\n", row = "x" + std::string(999, ',') + "\n";
  std::string csv = names;
  for (int i = 0; i < 200; ++i)
    csv += row;
  CHECK(text(folder.file("few.csv", csv), "text").size() == 400);
  for (int i = 0; i < 200; ++i)
    csv += row;
  CHECK(refusal(folder.file("many.csv", csv), "text") ==
        "there are more cells than the 262144 that fit into memory; use only a part of it");
}

TEST_CASE("A truncated or damaged gzip file is refused with the position") {
  const Folder folder;
  const std::string whole = gzipped(many("some words that do not repeat so well ", 5000));
  for (const double share : {0.999, 0.5, 0.02}) {
    const std::string cut = whole.substr(0, static_cast<std::size_t>(static_cast<double>(whole.size()) * share));
    CHECK(refusal(folder.file("cut.txt.gz", cut)).find("the gzip data end too early, after ") == 0);
  }
  CHECK(refusal(folder.file("head.gz", whole.substr(0, 5))).find("the gzip data end too early") == 0);
  std::string damaged = whole;
  for (std::size_t i = damaged.size() / 2; i < damaged.size() / 2 + 40; ++i)
    damaged[i] = static_cast<char>(damaged[i] ^ 0x5A);
  CHECK(refusal(folder.file("damaged.gz", damaged)).find("the gzip data are damaged after ") == 0);
}

TEST_CASE("A missing field is refused with the nearest name") {
  const Folder folder;
  const std::string csv = folder.file("a.csv", "id,comment_text\n1,x\n2,y\n");
  CHECK(refusal(csv, "coment_txt") == "has no column \"coment_txt\"; the nearest is \"comment_text\"");
  CHECK(refusal(csv, "id") == "the column \"id\" holds numbers and no text");
  CHECK(refusal(csv, "", kLimit, ErrorKind::Usage) == "data.field must name the column that holds the text");
  CHECK(refusal(folder.file("ragged.csv", "a,b\n1,2\n3\n"), "a").find("line 3") == 0);
  const std::string lines = folder.file("a.jsonl", "{\"text\": \"a\", \"title\": \"b\"}\n{\"text\": 3}\n");
  CHECK(refusal(lines, "txt") == "line 1 has no member \"txt\"; the nearest is \"text\"");
  CHECK(refusal(lines, "text") == "line 2 has a value of type number under \"text\"; it must be a string");
  CHECK(refusal(folder.file("b.jsonl", "[1]\n"), "text") == "line 1 is not a JSON object with the member \"text\"");
  CHECK(refusal(folder.file("c.jsonl", "{\"text\": \"a\"}\n{\"text\": \n"), "text").find("line 2 is not JSON: ") == 0);
  CHECK(refusal(folder.file("d.jsonl", "{\"text\": \"\"}\n"), "text") == "there is no text under \"text\"");
  CHECK(refusal(folder.file("e.jsonl", "{\"text\": \"a\\u0000b\"}\n"), "text").find("zero byte") != std::string::npos);
  CHECK(refusal(folder.file("a.txt", "x"), "text", kLimit, ErrorKind::Usage).find("belongs to .csv, .tsv and .jsonl") !=
        std::string::npos);
}

TEST_CASE("A line of 70 MB is refused in JSON lines and read in plain text") {
  const Folder folder;
  const std::string line = gzipped("{\"text\": \"" + std::string(std::size_t{70} << 20, 'a') + "\"}");
  const std::string sentence = refusal(folder.file("line.jsonl.gz", line), "text", std::size_t{1} << 28);
  CHECK(sentence.find("line 1 is longer than the limit of 64 MiB") == 0);
  CHECK(text(folder.file("line.txt.gz", line), "", std::size_t{1} << 28).size() > (std::size_t{70} << 20));
}
