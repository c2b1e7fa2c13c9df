// SPDX-License-Identifier: Apache-2.0
#include "engine/core/table.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>
#include <catch2/catch.hpp>

namespace sepx {
namespace {

std::vector<double> numbers(const Table& table, std::string_view name) {
  const Column* column = table.find(name);
  REQUIRE(column);
  REQUIRE(std::holds_alternative<std::vector<double>>(column->values));
  return std::get<std::vector<double>>(column->values);
}

std::vector<std::string> texts(const Table& table, std::string_view name) {
  const Column* column = table.find(name);
  REQUIRE(column);
  REQUIRE(std::holds_alternative<std::vector<std::string>>(column->values));
  return std::get<std::vector<std::string>>(column->values);
}

Table parsed(std::string_view text) {
  auto table = parseCsv(text);
  INFO(text << (table ? std::string() : table.error().message));
  REQUIRE(table);
  CHECK(mostCells(text) >= table->columns.size() * table->rows());
  return *table;
}

std::string refused(std::string_view text, std::size_t most = 100) {
  const auto table = parseCsv(text, most);
  INFO(text);
  REQUIRE_FALSE(table);
  CHECK(table.error().kind == ErrorKind::BadInput);
  CHECK(table.error().message.find('\n') == std::string::npos);
  return table.error().message;
}

Table sample() {
  return {"points",
          {{"name", "", std::vector<std::string>{"A", "say \"B\", please", "#3"}},
           {"e", "", std::vector<double>{0.1, -1.0 / 3, 5e-324}},
           {"loss", "nats", std::vector<double>{1e300, std::nan(""), 0.5}}}};
}

std::filesystem::path folder() {
  const auto path = std::filesystem::temp_directory_path() / ("sepx-table-" + std::to_string(::getpid()));
  std::filesystem::create_directories(path);
  return path;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace

TEST_CASE("Untrusted column names and cells are written to a CSV without control characters") {
  const Table table{"heads", {{"loss\x1b[31m", "nats\a", std::vector<std::string>{"cell\x1b]0;title\a"}}}};
  const std::string text = toCsv(table);
  for (const char odd : {'\x1b', '\a'})
    CHECK(text.find(odd) == std::string::npos);
}

TEST_CASE("A table is written according to RFC 4180 and reads back to the same doubles", "[csv]") {
  const std::string text = toCsv(sample());
  CHECK(text.substr(0, text.find('\r')) == "name,e,loss (nats)");
  CHECK(text.find("\"say \"\"B\"\", please\"") != std::string::npos);
  const Table back = parsed(text);
  REQUIRE(back.columns.size() == 3);
  CHECK(back.columns[2].unit == "nats");
  CHECK(texts(back, "name") == std::get<std::vector<std::string>>(sample().columns[0].values));
  CHECK(numbers(back, "e") == std::get<std::vector<double>>(sample().columns[1].values));
  CHECK(std::isnan(numbers(back, "loss")[1]));
  CHECK(numbers(back, "loss")[0] == 1e300);
}

TEST_CASE("Numbers from a spreadsheet are read with any separators", "[csv]") {
  for (const char* text :
       {"e,w\n0.5,-1\n2,3e-1\n", "# made by hand\n\ne;w\r\n0,5;-1\r\n2;3e-1", "e\tw\n0.5\t-1\n2\t.3\n",
        "\xEF\xBB\xBF\"e\",\"w\"\n 0.5 , -1\n\"2\",0.3\n", "e;w\n0.5;-1\n2;0.3\n"}) {
    const Table table = parsed(text);
    CHECK(numbers(table, "e") == std::vector<double>{0.5, 2});
    CHECK(numbers(table, "w") == std::vector<double>{-1, 0.3});
  }
  const Table bare = parsed("0.5,-1\n2,\n");
  CHECK(numbers(bare, "1") == std::vector<double>{0.5, 2});
  CHECK(std::isnan(numbers(bare, "2")[1]));
  const Table mixed = parsed("e,what\n1,saddle\n2,3\n");
  CHECK(texts(mixed, "what") == std::vector<std::string>{"saddle", "3"});
}

TEST_CASE("A text that is not a table is refused with the line", "[csv]") {
  CHECK(refused("").find("no numbers") != std::string::npos);
  CHECK(refused("# only a comment\n").find("no numbers") != std::string::npos);
  CHECK(refused("e,w\n").find("no row") != std::string::npos);
  CHECK(refused("e,w\n1,2\n3\n").find("line 3") != std::string::npos);
  CHECK(refused("e,w\n1,\"2\n").find("line 2") != std::string::npos);
  CHECK(refused("e,w\n1,\"2\"x\n").find("line 2") != std::string::npos);
  CHECK(refused(std::string_view("e\0w", 3)).find("byte 1") != std::string::npos);
  CHECK(refused("1\n2\n3\n", 2).find("more than 2") != std::string::npos);
  CHECK(refused(std::string(2000, ',')).find("columns") != std::string::npos);
  const std::string whole = toCsv(sample());
  for (std::size_t size = 0; size <= whole.size(); ++size)
    static_cast<void>(
        parseCsv(std::string_view(whole).substr(0, size)));  // truncated at any byte: an error or a table, but no crash
}

TEST_CASE("NumPy reads the written archive, and equal numbers give equal bytes", "[npz]") {
  const auto place = folder();
  Numbers all;
  all.tables = {sample(), {"paths", {{"t", "", std::vector<double>{}}}}};
  all.grids = {{"loss", {2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6.25}},
               {"basin", {2, 2}, std::vector<std::uint8_t>{0, 1, 2, 255}}};
  REQUIRE(writeNpz(all, "{\"π\":1}", (place / "a.npz").string()));
  REQUIRE(writeNpz(all, "{\"π\":1}", (place / "b.npz").string()));
  CHECK((content(place / "a.npz") == content(place / "b.npz")));
  std::string python;
  for (const std::string one : {"python3", "/usr/bin/python3"}) {
    if (python.empty() && std::system((one + " -c 'import numpy' 2>/dev/null").c_str()) == 0) python = one;
  }
  if (python.empty()) {
    WARN("python3-numpy is not installed: nobody else reads the archive here");
  } else {
    std::ofstream(place / "check.py") << R"(import sys, numpy as np
f = np.load(sys.argv[1])
assert f['points.e'].dtype == np.float64 and f['points.e'].tolist() == [0.1, -1/3, 5e-324]
assert np.isnan(f['points.loss'][1]) and f['points.name'].tolist() == ['A', 'say "B", please', '#3']
assert f['paths.t'].shape == (0,)
assert f['loss'].shape == (2, 3) and f['loss'][1, 2] == 6.25
assert f['basin'].dtype == np.uint8 and f['basin'].tolist() == [[0, 1], [2, 255]]
assert str(f['Separatrix-Recipe']) == '{"π":1}'
assert sorted(f.files) == ['Separatrix-Recipe', 'basin', 'loss', 'paths.t', 'points.e', 'points.loss', 'points.name']
)";
    const std::string command = python + " " + (place / "check.py").string() + " " + (place / "a.npz").string();
    CHECK(std::system(command.c_str()) == 0);
  }
  const auto failed = writeNpz(all, {}, (place / "missing" / "a.npz").string());
  REQUIRE_FALSE(failed);
  CHECK(failed.error().kind == ErrorKind::OutputFailed);
  std::filesystem::remove_all(place);
}

}  // namespace sepx
