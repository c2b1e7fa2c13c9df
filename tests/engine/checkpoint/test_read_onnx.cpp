// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include <catch2/catch.hpp>

#include "tests/engine/checkpoint/opened.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}
std::string field(int number, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(number) << 3) + varint(value);
}
std::string field(int number, const std::string& bytes) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(bytes.size()) + bytes;
}

/// `values` is the field with the numbers.
std::string initialiser(const std::string& name, const std::vector<std::uint64_t>& dims, int type,
                        const std::string& values) {
  std::string out;
  for (const std::uint64_t length : dims)
    out += field(1, length);
  return out + field(2, static_cast<std::uint64_t>(type)) + field(8, name) + values;
}
std::string floats(const std::string& name, const std::vector<std::uint64_t>& dims, float first = 0) {
  std::uint64_t count = 1;
  for (const std::uint64_t length : dims)
    count *= length;
  return initialiser(name, dims, 1, field(9, ramp(count, first)));
}
std::string node(const std::string& operation, const std::string& name, const std::vector<std::string>& inputs,
                 const std::string& output, const std::string& attribute = "") {
  std::string out;
  for (const std::string& input : inputs)
    out += field(1, input);
  return out + field(2, output) + field(3, name) + field(4, operation) + (attribute.empty() ? "" : field(5, attribute));
}
std::string model(const std::vector<std::string>& initialisers, const std::vector<std::string>& nodes = {}) {
  std::string graph;
  for (const std::string& one : nodes)
    graph += field(1, one);
  for (const std::string& one : initialisers)
    graph += field(5, one);
  return field(1, 8) + field(2, "maker") + field(3, "2.1") + field(7, graph) + field(8, field(2, 17));
}

}  // namespace

TEST_CASE("Initialisers of an ONNX model are read in place, including packed and typed lists") {
  const Folder folder;
  const auto checkpoint = opened(folder.write(
      "model.onnx",
      model({floats("raw", {2, 2}), initialiser("packed", {3}, 1, field(4, ramp(3, 5))),
             initialiser("pieces", {2}, 1, field(4, ramp(1, 1)) + field(4, ramp(1, 7))),
             initialiser("double", {1}, 11, field(10, raw(0.1))),
             initialiser("long", {2}, 7, field(7, varint(300) + varint(static_cast<std::uint64_t>(-2)))),
             initialiser("alone", {2}, 6, field(5, 4) + field(5, static_cast<std::uint64_t>(-9))),
             initialiser("half", {2}, 10, field(5, varint(0x3C00) + varint(0xC000))),
             initialiser("brain", {1}, 16, field(9, raw(std::uint16_t{0x3F80}))),
             initialiser("texts", {1}, 8, field(6, "word")), initialiser("int4", {2}, 22, field(9, "\x12"))})));
  CHECK(checkpoint->format() == Format::Onnx);
  CHECK(numbers(*checkpoint, "raw") == std::vector<double>{0, 1, 2, 3});
  CHECK_FALSE(checkpoint->find("raw")->stored);
  CHECK(numbers(*checkpoint, "packed") == std::vector<double>{5, 6, 7});
  CHECK_FALSE(checkpoint->find("packed")->stored);
  CHECK(numbers(*checkpoint, "pieces") == std::vector<double>{1, 7});
  CHECK(numbers(*checkpoint, "double") == std::vector<double>{0.1});
  CHECK(numbers(*checkpoint, "long") == std::vector<double>{300, -2});
  CHECK(numbers(*checkpoint, "alone") == std::vector<double>{4, -9});
  CHECK(numbers(*checkpoint, "half") == std::vector<double>{1, -2});
  CHECK(numbers(*checkpoint, "brain") == std::vector<double>{1});
  CHECK(checkpoint->find("texts")->dtype == Dtype::Unreadable);
  CHECK(checkpoint->find("int4")->dtypeName == "int4");
  CHECK(checkpoint->metadata().at("producer") == "maker 2.1");
  CHECK(checkpoint->metadata().at("opset") == "17");
}

TEST_CASE("Linear layers recover the names and the shape that the exporter changed") {
  const Folder folder;
  const auto checkpoint = opened(folder.write(
      "model.onnx",
      model({floats("onnx::MatMul_7", {2, 3}), floats("encoder.layer.0.attention.self.query.bias", {3}),
             floats("onnx::MatMul_8", {2, 3}, 10), floats("onnx::MatMul_9", {2, 2}, 20), floats("kept.weight", {2, 3})},
            {node("MatMul", "/x/MatMul", {"x", "onnx::MatMul_7"}, "product"),
             node("Add", "/x/Add", {"encoder.layer.0.attention.self.query.bias", "product"}, "y"),
             node("MatMul", "/encoder/layer.0/attention/self/key/MatMul", {"x", "onnx::MatMul_8"}, "k"),
             node("MatMul", "MatMul_3", {"x", "onnx::MatMul_9"}, "v"),
             node("MatMul", "/kept/MatMul", {"x", "kept.weight"}, "w")})));
  const TensorInfo* const query = checkpoint->find("encoder.layer.0.attention.self.query.weight");
  REQUIRE(query);
  CHECK(query->shape == std::vector<std::int64_t>{3, 2});
  CHECK(numbers(*checkpoint, query->name) == std::vector<double>{0, 3, 1, 4, 2, 5});
  CHECK(numbers(*checkpoint, "encoder.layer.0.attention.self.key.weight") ==
        std::vector<double>{10, 13, 11, 14, 12, 15});
  CHECK(checkpoint->find("onnx::MatMul_9"));
  CHECK(checkpoint->find("kept.weight")->shape == std::vector<std::int64_t>{2, 3});
  REQUIRE(checkpoint->notes().size() == 1);
  CHECK(has(checkpoint->notes()[0], "2 weights of linear layers"));
}

TEST_CASE("Large constants of an ONNX graph are weights with the names of their outputs") {
  const Folder folder;
  const std::string attribute = field(1, "value") + field(5, initialiser("", {4, 8}, 1, field(9, ramp(32))));
  const auto checkpoint = opened(folder.write("model.onnx", model({}, {node("Constant", "", {}, "table", attribute)})));
  CHECK(numbers(*checkpoint, "table")[31] == 31);
}

TEST_CASE("Weights in a separate file are read only from the folder of the ONNX model") {
  const Folder folder;
  const auto external = [](const std::string& location, const std::string& offset) {
    return field(14, 1) + field(13, field(1, "location") + field(2, location)) +
           field(13, field(1, "offset") + field(2, offset)) + field(13, field(1, "length") + field(2, "16"));
  };
  folder.write("m/data/weights.bin", ramp(8));
  const auto write = [&](const std::string& location, const std::string& offset) {
    return folder.write("m/model.onnx",
                        model({initialiser("a", {2, 2}, 1, external(location, offset)), floats("b", {1})}));
  };
  const auto checkpoint = opened(write("data/weights.bin", "16"));
  CHECK(numbers(*checkpoint, "a") == std::vector<double>{4, 5, 6, 7});
  CHECK(checkpoint->files().size() == 2);
  folder.write("outside.bin", ramp(8));
  CHECK(has(refusedPath(write("../outside.bin", "0")), "not in the model's folder"));
  CHECK(has(refusedPath(write((folder.path / "outside.bin").string(), "0")), "not in the model's folder"));
  CHECK(has(refusedPath(write("data/weights.bin", "20")), "reaches to byte 20"));
  CHECK(has(refusedPath(write("data/none.bin", "0")), "none.bin"));
  std::filesystem::create_symlink(folder.path / "outside.bin", folder.path / "m" / "link.bin");
  CHECK(has(refusedPath(write("link.bin", "0")), "not in the model's folder"));
}

TEST_CASE("Values that would have to be collected into much memory are refused before allocation") {
  const Folder folder;
  constexpr std::uint64_t kPiece = 300'000'000;  // bytes; two pieces form one tensor
  const auto head = [](int number, std::uint64_t size) {
    return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(size);
  };
  const std::string said = initialiser("large", {2 * kPiece / 4}, 1, "");
  const std::string piece = head(4, kPiece);
  const std::uint64_t tensor = said.size() + 2 * (piece.size() + kPiece);
  const std::string begin = field(1, 8) + head(7, head(5, tensor).size() + tensor) + head(5, tensor) + said + piece;
  const std::string path = folder.write("model.onnx", begin);
  {
    // The file has holes between these parts, so that it occupies no disk space.
    std::ofstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(begin.size() + kPiece));
    file << piece;
    file.seekp(static_cast<std::streamoff>(begin.size() + piece.size() + 2 * kPiece));
    file << field(8, field(2, 17));
    REQUIRE(file.flush());
  }
  CHECK(has(refusedPath(path), "too many that are not stored as raw_data"));
}

TEST_CASE("Messages contain no control characters from names in an ONNX file") {
  // The tensor has too few values. refused() checks that the message is readable.
  CHECK(has(refused("a.onnx", model({initialiser("W\x1B[2J", {4}, 1, field(9, ramp(2)))})), "W"));
}

TEST_CASE("An ONNX file cut off at any byte is refused with a message") {
  const Folder folder;
  const std::string bytes =
      model({floats("a", {2, 2}), floats("b", {2})}, {node("MatMul", "/a/MatMul", {"x", "a"}, "y")});
  // The data after the graph may be missing: fields of a protocol buffer come in any order and number.
  const std::size_t graphEnd = bytes.size() - field(8, field(2, 17)).size();
  for (std::size_t length = 1; length < graphEnd; ++length) {
    INFO(length);
    CHECK(has(refusedPath(folder.write("a.onnx", bytes.substr(0, length))), "a.onnx: "));
  }
}
