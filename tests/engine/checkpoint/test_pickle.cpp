// SPDX-License-Identifier: Apache-2.0
// The pickle interpreter for PyTorch's files: values of all protocols, calls without effect, names that are refused.
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/checkpoint/pickle.h"
#include "engine/checkpoint/pickle_globals.h"
#include "tests/engine/checkpoint/opened.h"
#include "tests/engine/checkpoint/torch_makers.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

/// `bytes` must outlive the graph.
PickleGraph read(const std::string& bytes) {
  auto graph = readPickle(std::as_bytes(std::span(bytes)), "a.pt", "data.pkl");
  INFO((graph ? std::string() : graph.error().message));
  REQUIRE(graph);
  CHECK(graph->length == bytes.size());
  return std::move(*graph);
}

PickleObject rootOf(const std::string& bytes) {
  const PickleGraph graph = read(bytes);
  return graph.at(graph.root);
}

std::string sentence(const std::string& bytes) {
  const auto graph = readPickle(std::as_bytes(std::span(bytes)), "a.pt", "data.pkl");
  REQUIRE_FALSE(graph);
  CHECK(graph.error().kind == ErrorKind::BadInput);
  return graph.error().message;
}

}  // namespace

TEST_CASE("Numbers and texts of every protocol are read") {
  const auto integer = [](const std::string& bytes) {
    const PickleObject root = rootOf(bytes);
    CHECK(root.kind == PickleKind::Integer);
    return root.integer;
  };
  CHECK(integer("I-12\n.") == -12);
  CHECK(integer("L99L\n.") == 99);
  CHECK(integer("K\xFF.") == 255);
  CHECK(integer("M\xFF\xFF.") == 65535);
  CHECK(integer("J\xFE\xFF\xFF\xFF.") == -2);
  CHECK(integer(std::string("\x8A\x00.", 3)) == 0);
  CHECK(integer("\x8A\x01\xFF.") == -1);
  CHECK(integer(std::string("\x8A\x02\xFF\x00.", 5)) == 255);
  CHECK(rootOf("I01\n.").kind == PickleKind::Bool);
  CHECK(rootOf("\x88.").integer == 1);
  CHECK(rootOf("N.").kind == PickleKind::None);
  CHECK(rootOf("L123456789012345678901L\n.").kind == PickleKind::LongInteger);
  CHECK(rootOf("F-1.5e3\n.").number == -1500);
  CHECK(rootOf("Finf\n.").number == INFINITY);
  CHECK(rootOf(py::number(0.1) + ".").number == 0.1);
  const auto text = [](const std::string& bytes) {
    const PickleGraph graph = read(bytes);
    return std::string(graph.at(graph.root).text);
  };
  CHECK(text(py::text("é") + ".") == "é");
  CHECK(text("\x8C\x02"
             "ab.") == "ab");
  CHECK(text("\x8D" + raw(std::uint64_t{3}) + "abc.") == "abc");
  CHECK(text("U\x01z.") == "z");
  CHECK(text("S'it\\'s \\x41\\n'\n.") == "it's A\n");
  CHECK(text("Vcaf\\u00e9 \xE9 \\U0001F600\n.") == "café é 😀");
  CHECK(rootOf("C\x02zz.").kind == PickleKind::Bytes);
}

TEST_CASE("Containers, the memo and the mark are handled") {
  CHECK(rootOf("(K\1K\2t.").items.size() == 2);
  CHECK(rootOf("K\1K\2K\3\x87.").items.size() == 3);
  CHECK(rootOf("](K\1K\2eK\3a.").items.size() == 3);
  CHECK(rootOf("(K\1l.").kind == PickleKind::List);
  CHECK(rootOf("\x8F(K\1\x90.").kind == PickleKind::Set);
  CHECK(rootOf("(K\1K\2d.").kind == PickleKind::Dict);
  CHECK(rootOf("K\7" + std::string("q\0", 2) + "0" + std::string("h\0", 2) + ".").integer == 7);
  const PickleGraph shared = read("]\x94h" + std::string("\0", 1) + "a.");
  CHECK(shared.at(shared.root).items == std::vector<PickleRef>{shared.root});
  const std::string bytes = py::dict({{"a", "K\1"}, {"b", "K\2"}, {"a", "K\3"}}) + ".";
  const PickleGraph dict = read(bytes);
  CHECK(dict.at(dict.lookUp(dict.root, "a")).integer == 3);
  CHECK(dict.lookUp(dict.root, "c") == kNoObject);
}

TEST_CASE("Calls are stored as descriptions and never executed") {
  const std::string bytes = py::object("mine.models", "Net", py::dict({{"x", "K\1"}})) + ".";
  const PickleGraph graph = read(bytes);
  const PickleObject& root = graph.at(graph.root);
  CHECK(root.kind == PickleKind::Call);
  CHECK(graph.qualified(graph.root) == "mine.models.Net");
  CHECK(graph.at(graph.lookUp(root.state, "x")).integer == 1);
  const std::string twice = py::call("a", "maker", {}) + ")R.";  // calls the result of a call
  CHECK(read(twice).qualified(read(twice).root) == "a.maker");
  const std::string ordered = py::ordered({{"w", "K\5"}}) + ".";
  const PickleGraph filled = read(ordered);
  CHECK(filled.at(filled.lookUp(filled.root, "w")).integer == 5);
}

TEST_CASE("Names that could run code are refused, and other names are accepted") {
  CHECK(sentence("cos\nsystem\n.") ==
        "a.pt: byte 0 of data.pkl: names \"os.system\", which could run commands or code if Python loaded this file; "
        "nothing was run");
  for (const auto& [module, name] : std::vector<std::pair<std::string, std::string>>{{"os", "anything"},
                                                                                     {"os.path", "join"},
                                                                                     {"posix", "system"},
                                                                                     {"builtins", "eval"},
                                                                                     {"__builtin__", "execfile"},
                                                                                     {"subprocess", "run"},
                                                                                     {"pathlib", "os.system"},
                                                                                     {"some.module", "__globals__"},
                                                                                     {"ctypes", "CDLL"},
                                                                                     {"importlib", "import_module"},
                                                                                     {"types", "FunctionType"},
                                                                                     {"numpy.f2py", "os.popen"}}) {
    INFO(module << "." << name);
    CHECK(executesCode(module, name));
  }
  for (const auto& [module, name] :
       std::vector<std::pair<std::string, std::string>>{{"torch", "FloatStorage"},
                                                        {"collections", "OrderedDict"},
                                                        {"builtins", "set"},
                                                        {"builtins", "getattr"},
                                                        {"pathlib", "PosixPath"},
                                                        {"argparse", "Namespace"},
                                                        {"torch.nn.modules.linear", "Linear"},
                                                        {"osmium", "Thing"},
                                                        {"my.system", "Model"},
                                                        {"types", "SimpleNamespace"},
                                                        {"numpy", "dtype"},
                                                        {"functools", "partial"}}) {
    INFO(module << "." << name);
    CHECK_FALSE(executesCode(module, name));
  }
}

TEST_CASE("An error in a pickle is reported with its byte") {
  CHECK(has(sentence("K\1"), "byte 2 of data.pkl: the pickle is cut off here"));
  CHECK(has(sentence("0."), "byte 0 of data.pkl: takes an object from an empty stack"));
  CHECK(has(sentence("(."), "byte 1 of data.pkl"));
  CHECK(has(sentence("N\xFF."), "byte 1 of data.pkl: 0xff is not an opcode"));
  CHECK(has(sentence("Nr\xFF\xFF\xFF\xFF."), "4294967295"));
  CHECK(has(sentence("Itwelve\n."), "whole number"));
  CHECK(has(sentence("Sunquoted\n."), "in quotes"));
  CHECK(has(sentence("K\1)R."), "calls something"));
  CHECK(has(sentence("N(K\1K\2u."), "container"));
  CHECK(has(sentence("cos\nx\1\n)R."), "\\u0001"));
}
