// SPDX-License-Identifier: Apache-2.0
// Opens files made by tests: files that must open, and files that must be refused with a message.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/utf8.h"
#include "tests/engine/checkpoint/file_makers.h"

namespace sepx::checkpoint::made {

inline std::shared_ptr<const Checkpoint> opened(const std::string& path) {
  const auto checkpoint = Checkpoint::open(path);
  INFO((checkpoint ? std::string() : checkpoint.error().message));
  REQUIRE(checkpoint);
  return *checkpoint;
}

/// The message, one line of readable text, with which a path is refused.
inline std::string refusedPath(const std::string& path) {
  const auto checkpoint = Checkpoint::open(path);
  REQUIRE_FALSE(checkpoint);
  CHECK(checkpoint.error().kind == ErrorKind::BadInput);
  const std::string& sentence = checkpoint.error().message;
  CHECK_FALSE(findInvalidUtf8(sentence));
  CHECK(std::ranges::none_of(sentence, [](char c) { return static_cast<unsigned char>(c) < 0x20; }));
  return sentence;
}

/// The same for a file with these bytes. The message begins with its path.
inline std::string refused(const std::string& name, const std::string& bytes) {
  const Folder folder;
  const std::string path = folder.write(name, bytes);
  const std::string sentence = refusedPath(path);
  CHECK(sentence.find(path) == 0);
  return sentence;
}

/// All numbers of a tensor.
inline std::vector<double> numbers(const Checkpoint& checkpoint, const std::string& name) {
  const TensorInfo* const tensor = checkpoint.find(name);
  REQUIRE(tensor);
  std::int64_t rows = 1, columns = 1;
  for (std::size_t i = 0; i < tensor->shape.size(); ++i)
    (i == 0 ? rows : columns) *= tensor->shape[i];
  std::vector<double> values(static_cast<std::size_t>(rows * columns));
  const auto read = checkpoint.read(*tensor, 0, rows, 0, columns, values);
  INFO((read ? std::string() : read.error().message));
  REQUIRE(read);
  return values;
}

inline bool has(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

}  // namespace sepx::checkpoint::made
