// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/engine/checkpoint/opened.h"
#include "tests/engine/checkpoint/torch_makers.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

std::string npy(const std::string& descr, const std::string& shape, const std::string& data, bool fortran = false,
                int version = 1) {
  std::string header =
      "{'descr': " + descr + ", 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
  while ((header.size() + 11) % 64 != 0)
    header += ' ';
  header += '\n';
  const std::string magic = "\x93NUMPY" + raw(static_cast<std::uint8_t>(version)) + raw(std::uint8_t{0});
  return magic +
         (version == 1 ? raw(static_cast<std::uint16_t>(header.size()))
                       : raw(static_cast<std::uint32_t>(header.size()))) +
         header + data;
}

}  // namespace

TEST_CASE("A NumPy array is one tensor in every number format and order") {
  const Folder folder;
  const auto read = [&folder](const std::string& bytes) { return opened(folder.write("W_qk.npy", bytes)); };
  for (const int version : {1, 2, 3}) {
    const auto plain = read(npy("'<f4'", "(2, 3)", ramp(6), false, version));
    CHECK(plain->format() == Format::Npy);
    CHECK(plain->tensors()[0].shape == std::vector<std::int64_t>{2, 3});
    CHECK(numbers(*plain, "W_qk") == std::vector<double>{0, 1, 2, 3, 4, 5});
  }
  CHECK(numbers(*read(npy("'<f4'", "(2, 3)", ramp(6), true)), "W_qk") == std::vector<double>{0, 2, 4, 1, 3, 5});
  CHECK(numbers(*read(npy("'<f4'", "(3,)", ramp(3), true)), "W_qk") == std::vector<double>{0, 1, 2});
  CHECK(numbers(*read(npy("'<f4'", "()", ramp(1, 5))), "W_qk") == std::vector<double>{5});
  CHECK(numbers(*read(npy("'<f8'", "(2,)", raw(std::vector<double>{0.1, -2}))), "W_qk") ==
        std::vector<double>{0.1, -2});
  CHECK(numbers(*read(npy("\"<f2\"", "(1,)", raw(std::uint16_t{0xC000}))), "W_qk") == std::vector<double>{-2});
  CHECK(numbers(*read(npy("'<i8'", "(1,)", raw(std::int64_t{-7}))), "W_qk") == std::vector<double>{-7});
  CHECK(numbers(*read(npy("'|u1'", "(2,)", "\x01\xFF")), "W_qk") == std::vector<double>{1, 255});
  CHECK(numbers(*read(npy("'|b1'", "(2,)", std::string("\x01\x00", 2))), "W_qk") == std::vector<double>{1, 0});
  // Python 2 wrote long integers with an L.
  CHECK(numbers(*read(npy("'<f4'", "(2L, 2L)", ramp(4))), "W_qk") == std::vector<double>{0, 1, 2, 3});
}

TEST_CASE("An archive of NumPy arrays gives one tensor for each array, stored or compressed") {
  const Folder folder;
  const std::string array = npy("'<f4'", "(2, 2)", ramp(4)), turned = npy("'<f4'", "(2, 2)", ramp(4), true);
  const auto checkpoint = opened(folder.write(
      "weights.npz",
      Zip().add("a.weight.npy", array).add("b.npy", turned, true).add("t.npy", npy("'<U2'", "(1,)", ramp(2))).bytes()));
  CHECK(checkpoint->format() == Format::Npz);
  CHECK(numbers(*checkpoint, "a.weight") == std::vector<double>{0, 1, 2, 3});
  CHECK_FALSE(checkpoint->find("a.weight")->stored);
  CHECK(numbers(*checkpoint, "b") == std::vector<double>{0, 2, 1, 3});
  CHECK(checkpoint->find("b")->stored);
  CHECK(checkpoint->find("t")->dtypeName == "<U2");
  CHECK(checkpoint->find("t")->dtype == Dtype::Unreadable);
}

TEST_CASE("An error in a NumPy array is reported with its position") {
  CHECK(has(refused("a.npy", npy("'>f4'", "(2,)", ramp(2))), "big-endian"));
  CHECK(has(refused("a.npy", npy("[('x', '<f4'), ('y', '<f4')]", "(1,)", ramp(2))), "structured [('x', '<f4')"));
  CHECK(has(refused("a.npy", npy("'|O'", "(1,)", ramp(2))), "Python objects"));
  CHECK(has(refused("a.npy", npy("'<c8'", "(1,)", ramp(2))), "complex64"));
  CHECK(has(refused("a.npy", npy("'<f4'", "(3,)", ramp(2))), "should have 3 values"));
  CHECK(has(refused("a.npy", npy("'<f4'", "(3)", ramp(2)) + "}"), "should have 3 values"));
  CHECK(has(refused("a.npz", Zip().add("x.npy", npy("'>f4'", "(2,)", ramp(2))).bytes()), "x.npy"));
  // Text in the file that is not UTF-8. refused() checks that the message is readable.
  CHECK(has(refused("a.npy", npy("'\xFF\x1B'", "(2,)", ramp(2))), "a.npy"));
  CHECK(has(refused("a.npz", Zip().add("x\xFF\x1B.npy", npy("'>f4'", "(2,)", ramp(2))).bytes()), "a.npz"));
}

TEST_CASE("A NumPy file cut off at any byte is refused with a message") {
  const Folder folder;
  const std::string array = npy("'<f4'", "(2, 2)", ramp(4)), archive = Zip().add("a.npy", array, true).bytes();
  for (std::size_t length = 1; length < array.size(); ++length)
    CHECK(has(refusedPath(folder.write("a.npy", array.substr(0, length))), "byte"));
  for (std::size_t length = 1; length < archive.size(); ++length)
    CHECK(has(refusedPath(folder.write("a.npz", archive.substr(0, length))), "byte"));
}
