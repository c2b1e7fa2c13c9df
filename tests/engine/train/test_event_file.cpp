// SPDX-License-Identifier: Apache-2.0
// TensorBoard event files, read back by a reader that shares no code with the writer: framing, checksums computed bit
// by bit, and the fields read by the reader of ONNX files.
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/checkpoint/protobuf.h"
#include "engine/train/event_file.h"

using namespace sepx;
using checkpoint::ProtoField;
using checkpoint::ProtoReader;
using train::RunEvent;
using train::RunRecord;
using train::Series;
using train::StepTimes;

namespace {

/// Computed bit by bit from the definition: the remainder of the reflected message modulo 0x1EDC6F41.
std::uint32_t slowCrc(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char byte : bytes)
    for (int bit = 0; bit < 8; ++bit) {
      const bool one = ((crc ^ (static_cast<unsigned char>(byte) >> bit)) & 1) != 0;
      crc = (crc >> 1) ^ (one ? 0x82F63B78U : 0);
    }
  return ~crc;
}

std::uint32_t slowMask(std::uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U;
}

template <class Number>
Number numberAt(std::string_view bytes, std::size_t at) {
  Number value{};
  REQUIRE(at + sizeof(Number) <= bytes.size());
  std::memcpy(&value, bytes.data() + at, sizeof(Number));
  return value;
}

std::vector<std::string> recordsOf(const std::string& file) {
  std::vector<std::string> records;
  for (std::size_t at = 0; at < file.size();) {
    const auto length = numberAt<std::uint64_t>(file, at);
    REQUIRE(length < file.size());
    CHECK(numberAt<std::uint32_t>(file, at + 8) == slowMask(slowCrc(std::string_view(file).substr(at, 8))));
    records.push_back(file.substr(at + 12, length));
    CHECK(numberAt<std::uint32_t>(file, at + 12 + length) == slowMask(slowCrc(records.back())));
    at += 16 + length;
  }
  return records;
}

struct Event {
  double seconds = std::nan("");
  std::int64_t step = 0;
  std::string version;
  std::vector<std::pair<std::string, float>> values;
};

std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::pair<std::string, float> valueOf(std::span<const std::byte> message) {
  std::pair<std::string, float> value;
  ProtoReader reader(message);
  while (const auto field = reader.next()) {
    if (field->is(1, ProtoField::Kind::Bytes)) value.first = field->text();
    if (field->is(2, ProtoField::Kind::Fixed32)) value.second = numberAt<float>(field->text(), 0);
  }
  CHECK_FALSE(reader.broken());
  return value;
}

Event eventOf(const std::string& record) {
  Event event;
  ProtoReader reader(bytesOf(record));
  while (const auto field = reader.next()) {
    if (field->is(1, ProtoField::Kind::Fixed64)) event.seconds = numberAt<double>(field->text(), 0);
    if (field->is(2, ProtoField::Kind::Varint)) event.step = static_cast<std::int64_t>(field->value);
    if (field->is(3, ProtoField::Kind::Bytes)) event.version = field->text();
    if (!field->is(5, ProtoField::Kind::Bytes)) continue;
    ProtoReader summary(field->bytes);
    while (const auto value = summary.next())
      if (value->is(1, ProtoField::Kind::Bytes)) event.values.push_back(valueOf(value->bytes));
    CHECK_FALSE(summary.broken());
  }
  CHECK_FALSE(reader.broken());
  return event;
}

std::string written(const std::vector<Series>& series, const StepTimes& times) {
  std::string file;
  train::writeEvents(series, times, [&](std::string_view piece) {
    file += piece;
    return true;
  });
  return file;
}

RunRecord createdAt(const char* created) {
  RunRecord record;
  record.created = created;
  return record;
}

}  // namespace

TEST_CASE("CRC-32C of known texts is correct", "[events]") {
  CHECK(train::crc32c("") == 0);
  CHECK(train::crc32c("123456789") == 0xE3069283U);
  CHECK(train::crc32c(std::string(32, '\0')) == 0x8A9136AAU);  // RFC 3720, B.4
  CHECK(train::crc32c(std::string(32, '\xFF')) == 0x62A8AB43U);
  const std::string text = "any bytes \x80\x01\xFE";
  CHECK(train::crc32c(text) == slowCrc(text));
}

TEST_CASE("An event file reads back its version, steps in order, tags, values and times", "[events]") {
  const std::vector<Series> series{{"loss", -1, -1, {1, 2, 300}, {0.5, std::nan(""), 1e-3}},
                                   {"symmetry", 1, -1, {2, 300}, {-0.25, 0.75}},
                                   {"symmetry", 1, 3, {300}, {1e300}},
                                   {"sigma_ratio:layers.0.attention.W_Q.weight", -1, -1, {5'000'000'000}, {2}}};
  const StepTimes times(createdAt("1970-01-02T00:00:00Z"),
                        std::vector<RunEvent>{{300, "1970-01-02T00:05:00Z", "", ""}});
  const std::vector<std::string> records = recordsOf(written(series, times));
  REQUIRE(records.size() == 5);
  const Event version = eventOf(records[0]);
  CHECK(version.version == "brain.Event:2");
  CHECK(version.seconds == 86400);
  const Event first = eventOf(records[1]), second = eventOf(records[2]), third = eventOf(records[3]),
              last = eventOf(records[4]);
  CHECK(first.step == 1);
  CHECK(first.seconds == 86401);
  REQUIRE(first.values.size() == 1);
  CHECK(first.values[0] == std::pair<std::string, float>("loss", 0.5F));
  CHECK(second.step == 2);
  REQUIRE(second.values.size() == 2);
  CHECK(std::isnan(second.values[0].second));
  CHECK(second.values[1] == std::pair<std::string, float>("symmetry/layer1", -0.25F));
  CHECK(third.step == 300);
  CHECK(third.seconds == 86700);
  REQUIRE(third.values.size() == 3);
  CHECK(third.values[0].second == 1e-3F);
  CHECK(third.values[2] == std::pair<std::string, float>("symmetry/layer1/head3", INFINITY));
  CHECK(last.step == 5'000'000'000);
  CHECK(last.seconds == 86700);  // no time is known after the last event
  CHECK(last.values[0].first == "sigma_ratio/layers.0.attention.W_Q.weight");
}

TEST_CASE("Written events are counted, and a sink that refuses data ends the writing", "[events]") {
  const std::vector<Series> series{{"a", -1, -1, {1, 2, 3}, {1, 2, 3}}, {"b", -1, -1, {2}, {4}}};
  const StepTimes times(createdAt(""), {});
  const auto count = train::writeEvents(series, times, [](std::string_view) { return true; });
  CHECK(count.events == 3);
  CHECK(count.values == 4);
  int pieces = 0;
  CHECK(train::writeEvents(series, times, [&](std::string_view) { return ++pieces < 2; }).events == 0);
  CHECK(pieces == 2);
}

TEST_CASE("Times of a run are interpolated between its start and its events, and clocks that were set back are ignored",
          "[events]") {
  const std::vector<RunEvent> events{{0, "1970-01-01T00:00:10Z", "data", ""},
                                     {100, "1970-01-01T00:01:50Z", "rate", ""},
                                     {200, "1970-01-01T00:01:00Z", "resumed", ""},
                                     {300, "1970-01-01T00:02:00Z", "rate", ""}};
  const StepTimes times(createdAt("1970-01-01T00:00:10Z"), events);
  CHECK(times.at(0) == 10);
  CHECK(times.at(50) == 60);
  CHECK(times.at(100) == 110);
  CHECK(times.at(200) == 115);  // the event with the clock set back is ignored
  CHECK(times.at(300) == 120);
  CHECK(times.at(4000) == 120);
  CHECK(StepTimes(createdAt("no time"), {}).at(5) == 0);
  const StepTimes branch(createdAt("1970-01-01T00:00:10Z"), events, 100);
  CHECK(branch.at(0) == 10);
  CHECK(branch.at(100) == 10);
  CHECK(train::eventFileName(times) == "events.out.tfevents.0000000000010.separatrix");
}
