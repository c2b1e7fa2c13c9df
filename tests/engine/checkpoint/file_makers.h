// SPDX-License-Identifier: Apache-2.0
// Small weight files of each layout, written by tests byte by byte, and a folder for them that is removed with the
// test.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace sepx::checkpoint::made {

struct Folder {
  std::filesystem::path path;

  Folder() {
    static int count = 0;
    path = std::filesystem::temp_directory_path() /
           ("sepx-weights-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, std::string_view bytes) const {
    const auto file = path / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file.string();
  }
};

template <class Number>
std::string raw(Number value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class Number>
std::string raw(const std::vector<Number>& values) {
  std::string bytes;
  for (const Number value : values)
    bytes += raw(value);
  return bytes;
}

/// The numbers `first`, `first` + 1, … as floats.
inline std::string ramp(std::size_t count, float first = 0) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i)
    bytes += raw(first + static_cast<float>(i));
  return bytes;
}

inline std::string safetensors(const std::string& header, const std::string& data) {
  return raw(std::uint64_t{header.size()}) + header + data;
}

struct Tensor {
  std::string name, dtype;
  std::vector<std::int64_t> shape;
  std::string data;
};

inline std::string listed(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t length : shape)
    text += (text.empty() ? "" : ",") + std::to_string(length);
  return "[" + text + "]";
}

inline std::string safetensors(const std::vector<Tensor>& tensors, const std::string& metadata = "") {
  std::string header = metadata.empty() ? "" : "\"__metadata__\":" + metadata, data;
  for (const Tensor& tensor : tensors) {
    header += (header.empty() ? "\"" : ",\"") + tensor.name + "\":{\"dtype\":\"" + tensor.dtype +
              "\",\"shape\":" + listed(tensor.shape) + ",\"data_offsets\":[" + std::to_string(data.size()) + "," +
              std::to_string(data.size() + tensor.data.size()) + "]}";
    data += tensor.data;
  }
  return safetensors("{" + header + "}", data);
}

/// A GGUF file of version 3 with values aligned to 32 bytes.
struct Gguf {
  struct Info {
    std::string name;
    std::vector<std::uint64_t> dimensions;  ///< fastest first, as in the file
    std::uint32_t type = 0;
    std::uint64_t offset = 0;
  };
  std::uint32_t version = 3;
  std::string keys;
  std::uint64_t keyCount = 0;
  std::vector<Info> infos;
  std::string data;

  static std::string text(const std::string& value) { return raw(std::uint64_t{value.size()}) + value; }
  Gguf& key(const std::string& name, std::uint32_t type, const std::string& value) {
    keys += text(name) + raw(type) + value;
    ++keyCount;
    return *this;
  }
  Gguf& word(const std::string& name, const std::string& value) { return key(name, 8, text(value)); }
  Gguf& number(const std::string& name, std::uint32_t value) { return key(name, 4, raw(value)); }
  Gguf& tensor(const std::string& name, const std::vector<std::uint64_t>& dimensions, std::uint32_t type,
               const std::string& values) {
    data.resize((data.size() + 31) / 32 * 32);
    infos.push_back({name, dimensions, type, data.size()});
    data += values;
    return *this;
  }
  std::string header() const {
    std::string bytes = "GGUF" + raw(version) + raw(std::uint64_t{infos.size()}) + raw(keyCount) + keys;
    for (const Info& info : infos) {
      bytes += text(info.name) + raw(static_cast<std::uint32_t>(info.dimensions.size())) + raw(info.dimensions) +
               raw(info.type) + raw(info.offset);
    }
    bytes.resize((bytes.size() + 31) / 32 * 32);
    return bytes;
  }
  std::string bytes() const { return header() + data; }
};

/// A llama2.c file of version 0: a header and a ramp of as many floats as the header describes.
inline std::string llama2c(std::int32_t dim, std::int32_t hidden, std::int32_t layers, std::int32_t heads,
                           std::int32_t kvHeads, std::int32_t vocabulary, std::int32_t positions) {
  const std::int64_t kv = dim / heads * kvHeads, words = vocabulary < 0 ? -vocabulary : vocabulary;
  const std::int64_t layer = 2 * dim + 2 * dim * dim + 2 * kv * dim + 3 * dim * hidden;
  const std::int64_t values =
      words * dim * (vocabulary < 0 ? 2 : 1) + layers * layer + dim + std::int64_t{positions} * (dim / heads / 2 * 2);
  return raw(std::vector<std::int32_t>{dim, hidden, layers, heads, kvHeads, vocabulary, positions}) +
         ramp(static_cast<std::size_t>(values));
}

inline std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace sepx::checkpoint::made
