// SPDX-License-Identifier: Apache-2.0
// The metrics of a run as a TensorBoard event file: records with checksums, each a protocol-buffer message Event.
//   record   length (8 bytes), masked CRC-32C of it (4), the message, masked CRC-32C of the message (4); little endian
//   Event    1 wall_time (double)  2 step (varint)  3 file_version (the first record)  5 Summary
//   Summary  1 Value, repeated:  1 tag (text)  2 simple_value (float)
// TensorBoard opens every file below a folder whose name holds "tfevents". Values are rounded to 32 bits, which is what
// the format holds. Pure; any thread.
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

/// CRC-32C (Castagnoli polynomial), not masked: 0xE3069283 of "123456789".
std::uint32_t crc32c(std::string_view bytes);

/// "loss", "symmetry/layer0", "symmetry/layer0/head1", "sigma_ratio/layers.0.attention.W_Q.weight".
std::string eventTag(const Series& series);

/// When a step was made, as far as the record of a run tells: the run store keeps the time of the start and of events,
/// not of each step. Between them the time is interpolated; after the last one it stays.
class StepTimes {
 public:
  /// `first`: the step at which the run was created (0; of a branch that of its parent).
  StepTimes(const RunRecord& record, std::span<const RunEvent> events, std::int64_t first = 0);
  /// Seconds since 1970; 0 where the record has no time.
  double at(std::int64_t step) const;

 private:
  std::vector<std::pair<std::int64_t, double>> known_;  ///< steps and seconds rise
};

/// "events.out.tfevents.0001763700000.separatrix": the same for the same run.
std::string eventFileName(const StepTimes& times);

/// What was written.
struct EventCount {
  std::int64_t events = 0;  ///< without the first record, which holds the version
  std::int64_t values = 0;
};
/// The whole file in pieces, an event a step, steps rising, until `write` refuses one.
EventCount writeEvents(std::span<const Series> series, const StepTimes& times,
                       const std::function<bool(std::string_view piece)>& write);

}  // namespace sepx::train
