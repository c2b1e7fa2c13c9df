// SPDX-License-Identifier: Apache-2.0
#include "engine/train/event_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include <fmt/format.h>

#include "engine/core/local_time.h"

namespace sepx::train {
namespace {

constexpr std::array<std::uint32_t, 256> crcTable() {
  constexpr std::uint32_t kPolynomial = 0x82F63B78;  // 0x1EDC6F41 with its bits reversed
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit)
      rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    table[byte] = rest;
  }
  return table;
}

template <class Number>
void addLittleEndian(std::string& out, Number value) {
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    out += static_cast<char>(value >> (8 * i) & 0xFF);
}

enum class Wire : std::uint32_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

void addVarint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>((value & 0x7F) | 0x80);
  out += static_cast<char>(value);
}

void addKey(std::string& out, std::uint32_t number, Wire wire) {
  addVarint(out, number << 3 | static_cast<std::uint32_t>(wire));
}

void addBytes(std::string& out, std::uint32_t number, std::string_view bytes) {
  addKey(out, number, Wire::Bytes);
  addVarint(out, bytes.size());
  out += bytes;
}

/// A stored checksum is rotated and shifted, because a checksum of data that itself contains checksums would be
/// unreliable.
std::uint32_t masked(std::uint32_t crc) {
  return std::rotr(crc, 15) + 0xA282EAD8U;
}

std::string record(std::string_view message) {
  std::string out;
  addLittleEndian(out, static_cast<std::uint64_t>(message.size()));
  addLittleEndian(out, masked(crc32c(out)));
  out += message;
  addLittleEndian(out, masked(crc32c(message)));
  return out;
}

std::string eventAt(double seconds) {
  std::string event;
  addKey(event, 1, Wire::Fixed64);
  addLittleEndian(event, std::bit_cast<std::uint64_t>(seconds));
  return event;
}

void addValue(std::string& summary, const std::string& tag, double value) {
  std::string one;
  addBytes(one, 1, tag);
  addKey(one, 2, Wire::Fixed32);
  addLittleEndian(one, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  addBytes(summary, 1, one);
}

std::vector<std::int64_t> stepsOf(std::span<const Series> series) {
  std::vector<std::int64_t> steps;
  for (const Series& one : series)
    steps.insert(steps.end(), one.steps.begin(), one.steps.end());
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = crcTable();
  std::uint32_t crc = ~0U;
  for (const char byte : bytes)
    crc = crc >> 8 ^ kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFF];
  return ~crc;
}

std::string eventTag(const Series& series) {
  std::string tag = series.name;
  std::replace(tag.begin(), tag.end(), ':', '/');
  if (series.layer >= 0) tag += fmt::format("/layer{}", series.layer);
  if (series.head >= 0) tag += fmt::format("/head{}", series.head);
  return tag;
}

StepTimes::StepTimes(const RunRecord& record, std::span<const RunEvent> events, std::int64_t first) {
  if (const auto created = secondsOf(record.created)) known_.emplace_back(first, static_cast<double>(*created));
  for (const RunEvent& event : events) {
    const auto at = secondsOf(event.at);
    if (!at) continue;
    const auto seconds = static_cast<double>(*at);
    // Skip an event if the clock was set back or a resume repeats the step: time would run backwards.
    if (!known_.empty() && (event.step < known_.back().first || seconds < known_.back().second)) continue;
    if (!known_.empty() && event.step == known_.back().first && known_.size() > 1)
      known_.back().second = seconds;
    else if (known_.empty() || event.step > known_.back().first)
      known_.emplace_back(event.step, seconds);
  }
}

double StepTimes::at(std::int64_t step) const {
  if (known_.empty()) return 0;
  const auto after = std::upper_bound(known_.begin(), known_.end(), step,
                                      [](std::int64_t wanted, const auto& one) { return wanted < one.first; });
  if (after == known_.begin()) return known_.front().second;
  const auto& [before, seconds] = *(after - 1);
  if (after == known_.end()) return seconds;
  return seconds +
         (after->second - seconds) * static_cast<double>(step - before) / static_cast<double>(after->first - before);
}

std::string eventFileName(const StepTimes& times) {
  return fmt::format("events.out.tfevents.{:013.0f}.separatrix", times.at(0));
}

EventCount writeEvents(std::span<const Series> series, const StepTimes& times,
                       const std::function<bool(std::string_view piece)>& write) {
  EventCount count;
  std::string version = eventAt(times.at(0));
  addBytes(version, 3, "brain.Event:2");
  if (!write(record(version))) return count;
  std::vector<std::string> tags;
  for (const Series& one : series)
    tags.push_back(eventTag(one));
  std::vector<std::size_t> next(series.size(), 0);
  for (const std::int64_t step : stepsOf(series)) {
    std::string summary;
    for (std::size_t k = 0; k < series.size(); ++k)
      for (std::size_t& at = next[k]; at < series[k].steps.size() && series[k].steps[at] == step; ++at) {
        addValue(summary, tags[k], series[k].values[at]);
        ++count.values;
      }
    std::string event = eventAt(times.at(step));
    addKey(event, 2, Wire::Varint);
    addVarint(event, static_cast<std::uint64_t>(step));
    addBytes(event, 5, summary);
    if (!write(record(event))) return count;
    ++count.events;
  }
  return count;
}

}  // namespace sepx::train
