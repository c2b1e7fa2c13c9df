// SPDX-License-Identifier: Apache-2.0
// Small files that request much time, memory or stack are refused or read at once. CTest ends a test that hangs.
#include <catch2/catch.hpp>

#include "engine/checkpoint/attention_map.h"
#include "engine/checkpoint/family_guess.h"
#include "engine/checkpoint/pickle.h"
#include "engine/checkpoint/vocabulary.h"
#include "tests/engine/checkpoint/opened.h"
#include "tests/engine/checkpoint/torch_makers.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

std::string times(std::size_t count, const std::string& text) {
  std::string all;
  all.reserve(count * text.size());
  for (std::size_t i = 0; i < count; ++i)
    all += text;
  return all;
}

std::string letters(std::size_t count, const std::string& word) {
  return times(count / word.size(), word);
}

std::string zipOf(const std::string& value) {
  return torchZip(value, {{"0", ramp(16)}});
}

/// Many pairs that share one tensor as their value.
std::string sharing(std::size_t pairs) {
  std::string all = py::dict({{"aa", py::tensor({}) + "q\x01"}});
  all += "(";
  for (std::size_t i = 0; i < pairs; ++i)
    all += py::text("k" + std::to_string(i)) + "h\x01";
  return all + "u";
}

std::string refusedPickle(const std::string& bytes) {
  const auto graph = readPickle(std::as_bytes(std::span(bytes)), "a.pt", {});
  REQUIRE_FALSE(graph);
  return graph.error().message;
}

}  // namespace

TEST_CASE("Deeply nested object states do not exhaust the stack", "[hostile]") {
  constexpr std::size_t kDeep = 200'000;
  const std::string chain =
      "cx\ny\nq" + std::string(1, '\0') + times(kDeep, std::string("h\0)R", 4)) + times(kDeep - 1, "b");
  CHECK(has(refused("deep.pt", zipOf(chain)), "nested more than 256 deep"));
}

TEST_CASE("Names with thousands of dots are not scanned again for every call", "[hostile]") {
  const std::string dots = py::text("x" + std::string(2000, '.'));
  // A tuple with one text 2,000 times, and 400 calls of getattr with this tuple.
  const std::string many = "cbuiltins\ngetattr\nq" + std::string(1, '\0') + "(" + dots + times(1999, "2") + "tq\x01" +
                           times(400, std::string("h\0h\1R0", 6));
  CHECK(has(refusedPickle("\x80\x02" + many + "N."), "more than three arguments"));
  CHECK(has(refusedPickle("\x80\x02" + py::text("a.module") + py::text(letters(40, "a.")) + "\x93."),
            "could run commands"));
}

TEST_CASE("The numbers of marks, stacked objects and items of a pickle are limited", "[hostile]") {
  CHECK(has(refusedPickle("\x80\x02" + std::string(kMostObjects + 1, '(')), "marks"));
  CHECK(has(refusedPickle("\x80\x02N" + std::string(kMostItems, '2')), "stacks more than"));
  const std::string appended = "(N" + std::string(kMostItems / 8, '2') + "e";
  CHECK(has(refusedPickle("\x80\x02]" + times(9, appended)), "items into containers"));
}

TEST_CASE("The search of one dictionary that many states share is limited", "[hostile]") {
  std::string none = py::text("_parameters") + "N";
  const std::string dict = "}(" + none + times(32'768, "NN") + "u";
  const std::string state = "(" + dict + times(30'000, "2") + "t";
  CHECK(has(refused("shared.pt", zipOf("cx\ny\n)R" + state + "b")), "share one another"));
}

TEST_CASE("Names that become long by sharing are refused before they are built", "[hostile]") {
  const std::string inner = sharing(4000);
  CHECK(has(refused("module.pt", zipOf(py::dict({{letters(36'000, "module."), inner}}))), "a name of more than"));
  CHECK(has(refused("tower.pt", zipOf(py::dict({{letters(3990, "v"), inner}}))), "too long names"));
  // A key of a megabyte that contains no tensor does not become a name.
  const auto fine = [](const std::string& value) {
    const Folder folder;
    return opened(folder.write("fine.pt", zipOf(value)))->tensors().size();
  };
  CHECK(fine(py::dict({{letters(1 << 20, "k"), "N"}, {"w", py::tensor({})}})) == 1);
  const std::string longKey = py::text(letters(1 << 20, "k")) + "q" + std::string(1, '\0');
  CHECK(fine(py::dict({{"w", py::tensor({})}}) + "(" + longKey + "N" + times(100'000, std::string("h\0N", 3)) + "u") ==
        1);
}

TEST_CASE("The number of repetitions of stored values in a view is limited", "[hostile]") {
  const auto view = [](std::int64_t rows) {
    return zipOf(py::dict({{"w", py::tensor({.shape = {rows, 1 << 16}, .strides = {0, 0}})}}));
  };
  const Folder folder;
  const auto large = opened(folder.write("views.pt", view(8192))), mask = opened(folder.write("mask.pt", view(128)));
  CHECK(large->find("w")->dtype == Dtype::Unreadable);
  CHECK(large->find("w")->dtypeName == "F32, repeated");
  CHECK(mask->find("w")->dtype == Dtype::F32);
}

TEST_CASE("Settings of a pickle that share long texts are truncated", "[hostile]") {
  const std::string text = py::text(letters(10'000, "t")) + "q" + std::string(1, '\0');
  const std::string list = "](" + text + times(20'000, std::string("h\0", 2)) + "e";
  const Folder folder;
  const auto checkpoint = opened(folder.write("settings.pt", zipOf(py::dict({{"config", py::dict({{"a", list}})},
                                                                             {"w", py::tensor({})},
                                                                             {"none", times(6000, "N0") + "N"}}))));
  CHECK(checkpoint->config().dump().size() < (std::size_t{20} << 20));
}

TEST_CASE("A text that encodes the bytes of an array is decoded only up to the end of the array", "[hostile]") {
  const std::string letter = "\xC3\xBF";  // U+00FF
  const auto array = [](const std::string& text, std::int64_t values) {
    return py::call("numpy.core.multiarray", "_reconstruct", {}) +
           py::tuple({py::number(std::int64_t{1}), py::numbers({values}),
                      py::call("numpy", "dtype", {py::text("u1"), "\x89", "\x88"}), "\x89",
                      py::call("_codecs", "encode", {text, py::text("latin1")})}) +
           "b";
  };
  const Folder folder;
  const auto checkpoint =
      opened(folder.write("text.pt", zipOf(py::dict({{"w", array(py::text(letters(400'000, letter)), 150'001)}}))));
  const std::vector<double> values = numbers(*checkpoint, "w");
  CHECK(values.size() == 150'001);
  CHECK(values.back() == 255);
  CHECK(has(refused("short.pt", zipOf(py::dict({{"w", array(py::text(letters(4, letter)), 3)}}))), "3 values"));
}

TEST_CASE("A guess uses the last numbers of a name, and messages quote only a part of a long name", "[hostile]") {
  const std::string numbers = letters(4000, "0.");
  const Folder folder;
  std::vector<Tensor> tensors;
  for (const char* end : {"qkvAA", "qkvAB", "qkvAC"})
    tensors.push_back({numbers + end, "F32", {1, 1}, ramp(1)});
  const auto many = opened(folder.write("many.safetensors", safetensors(tensors)));
  const FamilyRule rule = guessRule(*many);
  REQUIRE_FALSE(rule.stacks.empty());
  const auto tried = tryRule(*many, rule);
  if (!tried) CHECK(tried.error().message.size() < 2000);

  const std::string longName = letters(2990, "a");
  const auto odd = opened(folder.write(
      "odd.safetensors",
      safetensors({{longName + ".query.weight", "F32", {0, 4}, ""}, {longName + ".key.weight", "F32", {0, 4}, ""}})));
  const auto refusedRule = tryRule(*odd, guessRule(*odd));
  REQUIRE_FALSE(refusedRule);
  CHECK(refusedRule.error().message.size() < 2000);
}

TEST_CASE("A token of millions of spaces is displayed at once", "[hostile]") {
  Vocabulary vocabulary;
  vocabulary.marks = Vocabulary::Marks::SentencePiece;
  vocabulary.tokens = {letters(6'000'000, "\xE2\x96\x81")};
  CHECK(vocabulary.shown(0) == std::string(2'000'000, ' '));
}
