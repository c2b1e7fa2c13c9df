// SPDX-License-Identifier: Apache-2.0
// Writes the metrics of a run as a TensorBoard event file: records with checksums, each with a protocol-buffer message
// Event.
//   record   length (8 bytes), masked CRC-32C of it (4), the message, masked CRC-32C of the message (4); little endian
//   Event    1 wall_time (double)  2 step (varint)  3 file_version (the first record)  5 Summary
//   Summary  1 Value, repeated:  1 tag (text)  2 simple_value (float)
// TensorBoard opens every file in a folder and its subfolders whose name contains "tfevents". Values are rounded to 32
// bits, the precision of the format. Pure; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/train/run_store.h"

namespace sepx::train {

/// CRC-32C (Castagnoli polynomial), not masked: 0xE3069283 for "123456789".
std::uint32_t crc32c(std::string_view bytes);

/// "loss", "symmetry/layer0", "symmetry/layer0/head1", "sigma_ratio/layers.0.attention.W_Q.weight".
std::string eventTag(const Series& series);

/// Estimates when a step was made. The run store keeps the times of the start and of events, but not of each step. The
/// time is interpolated between them and constant after the last one.
class StepTimes {
 public:
  /// `first`: the step at which the run was created (0; for a branch the step of its parent).
  StepTimes(const RunRecord& record, std::span<const RunEvent> events, std::int64_t first = 0);
  /// Seconds since 1970; 0 if the record has no time.
  double at(std::int64_t step) const;

 private:
  std::vector<std::pair<std::int64_t, double>> known_;  ///< steps and seconds, both ascending
};

/// "events.out.tfevents.0001763700000.separatrix". A run always gets the same name.
std::string eventFileName(const StepTimes& times);

/// Number of events and values written.
struct EventCount {
  std::int64_t events = 0;  ///< without the first record, which holds the version
  std::int64_t values = 0;
};
/// Passes the whole file to `write` in pieces, one event per step in ascending order. Stops when `write` returns false.
EventCount writeEvents(std::span<const Series> series, const StepTimes& times,
                       const std::function<bool(std::string_view piece)>& write);

}  // namespace sepx::train
