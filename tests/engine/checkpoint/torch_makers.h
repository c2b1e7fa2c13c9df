// SPDX-License-Identifier: Apache-2.0
// Zip archives and pickles in the formats of PyTorch and NumPy, built by tests byte by byte.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <zlib.h>

#include "tests/engine/checkpoint/file_makers.h"

namespace sepx::checkpoint::made {

/// A zip archive with stored or deflated entries.
class Zip {
 public:
  Zip& add(const std::string& name, const std::string& data, bool deflated = false) {
    const std::string packed = deflated ? deflate(data) : data;
    const auto crc = static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size())));
    const auto common = raw(std::uint16_t{20}) + raw(std::uint16_t{0}) +
                        raw(static_cast<std::uint16_t>(deflated ? 8 : 0)) + raw(std::uint32_t{0}) + raw(crc) +
                        raw(static_cast<std::uint32_t>(packed.size())) + raw(static_cast<std::uint32_t>(data.size())) +
                        raw(static_cast<std::uint16_t>(name.size())) + raw(std::uint16_t{0});
    directory_ += "PK\1\2" + raw(std::uint16_t{20}) + common + std::string(10, '\0') +
                  raw(static_cast<std::uint32_t>(body_.size())) + name;
    body_ += "PK\3\4" + common + name + packed;
    ++count_;
    return *this;
  }
  std::string bytes() const {
    return body_ + directory_ + "PK\5\6" + raw(std::uint32_t{0}) + raw(count_) + raw(count_) +
           raw(static_cast<std::uint32_t>(directory_.size())) + raw(static_cast<std::uint32_t>(body_.size())) +
           raw(std::uint16_t{0});
  }
  /// The same archive with sizes and positions only in Zip64 records.
  std::string bytes64() const {
    const std::uint64_t at = body_.size() + directory_.size(), count = count_;
    return body_ + directory_ + "PK\6\6" + raw(std::uint64_t{44}) + raw(std::uint16_t{45}) + raw(std::uint16_t{45}) +
           raw(std::uint64_t{0}) + raw(count) + raw(count) + raw(std::uint64_t{directory_.size()}) +
           raw(std::uint64_t{body_.size()}) + "PK\6\7" + raw(std::uint32_t{0}) + raw(at) + raw(std::uint32_t{1}) +
           "PK\5\6" + raw(std::uint32_t{0}) + std::string(12, '\xFF') + raw(std::uint16_t{0});
  }

 private:
  static std::string deflate(const std::string& data) {
    z_stream stream{};
    ::deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string out(::deflateBound(&stream, static_cast<uLong>(data.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    ::deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    ::deflateEnd(&stream);
    return out;
  }

  std::string body_, directory_;
  std::uint16_t count_ = 0;
};

/// Opcodes of pickle protocol 2, one value per function.
namespace py {

inline std::string text(const std::string& value) {
  return "X" + raw(static_cast<std::uint32_t>(value.size())) + value;
}
inline std::string number(std::int64_t value) {
  return std::string("\x8A\x08") + raw(value);
}
inline std::string number(double value) {
  const std::string bytes = raw(value);
  return "G" + std::string(bytes.rbegin(), bytes.rend());
}
inline std::string tuple(const std::vector<std::string>& items) {
  std::string out = "(";
  for (const std::string& item : items)
    out += item;
  return out + "t";
}
inline std::string numbers(const std::vector<std::int64_t>& values) {
  std::vector<std::string> items;
  for (const std::int64_t value : values)
    items.push_back(number(value));
  return tuple(items);
}
inline std::string global(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}
inline std::string call(const std::string& module, const std::string& name, const std::vector<std::string>& arguments) {
  return global(module, name) + tuple(arguments) + "R";
}
using Pairs = std::vector<std::pair<std::string, std::string>>;
inline std::string pairs(const Pairs& items) {
  std::string out = "(";
  for (const auto& [key, value] : items)
    out += text(key) + value;
  return out + "u";
}
inline std::string dict(const Pairs& items) {
  return "}" + pairs(items);
}
inline std::string ordered(const Pairs& items) {
  return call("collections", "OrderedDict", {}) + pairs(items);
}
inline std::string storage(const std::string& key, std::int64_t values, const std::string& kind = "FloatStorage") {
  return tuple({text("storage"), global("torch", kind), text(key), text("cpu"), number(values)}) + "Q";
}
struct View {
  std::string key = "0";
  std::int64_t held = 16, first = 0;
  std::vector<std::int64_t> shape = {4, 4}, strides = {4, 1};
  std::string kind = "FloatStorage";
};
inline std::string tensor(const View& view) {
  return call("torch._utils", "_rebuild_tensor_v2",
              {storage(view.key, view.held, view.kind), number(view.first), numbers(view.shape), numbers(view.strides),
               "\x89", call("collections", "OrderedDict", {})});
}
inline std::string parameter(const std::string& tensor) {
  return call("torch._utils", "_rebuild_parameter", {tensor, "\x88", call("collections", "OrderedDict", {})});
}
/// An object of a class with `state` as its __dict__.
inline std::string object(const std::string& module, const std::string& name, const std::string& state) {
  return global(module, name) + ")\x81" + state + "b";
}
inline std::string pickle(const std::string& value) {
  return "\x80\x02" + value + ".";
}

}  // namespace py

using Storages = std::vector<std::pair<std::string, std::string>>;

inline std::string torchZip(const std::string& value, const Storages& storages, bool deflated = false) {
  Zip zip;
  zip.add("model/data.pkl", py::pickle(value), deflated).add("model/byteorder", "little");
  for (const auto& [key, data] : storages)
    zip.add("model/data/" + key, data, deflated);
  return zip.bytes();
}

/// A file in the format before PyTorch 1.6. `storages` contain floats.
inline std::string torchLegacy(const std::string& value, const Storages& storages) {
  std::string keys = "](", data;
  for (const auto& [key, bytes] : storages) {
    keys += py::text(key);
    data += raw(std::uint64_t{bytes.size() / 4}) + bytes;
  }
  return "\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19." + py::pickle(py::number(std::int64_t{1001})) +
         py::pickle(py::dict({{"protocol_version", py::number(std::int64_t{1001})}, {"little_endian", "\x88"}})) +
         py::pickle(value) + py::pickle(keys + "e") + data;
}

}  // namespace sepx::checkpoint::made
