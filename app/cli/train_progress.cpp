// SPDX-License-Identifier: Apache-2.0
#include "app/cli/train_progress.h"

#include <cmath>
#include <ostream>

#include "app/cli/text.h"
#include "engine/core/terminal_text.h"

namespace sepx::app::cli {
namespace {

/// "3:07", "2:15:00", "4 days".
std::string durationDisplayText(double seconds) {
  const long long whole = static_cast<long long>(seconds + 0.5);
  constexpr long long kMinute = 60, kHour = 3600, kDay = 86400;
  if (whole >= 2 * kDay) return trf(N_("{} days"), whole / kDay);
  if (whole >= kHour) return fmt::format("{}:{:02}:{:02}", whole / kHour, whole % kHour / kMinute, whole % kMinute);
  return fmt::format("{}:{:02}", whole / kMinute, whole % kMinute);
}

std::string stepLine(const train::Snapshot& snapshot) {
  std::string line = trf(N_("step {} of {}"), snapshot.step, snapshot.steps);
  if (std::isfinite(snapshot.loss)) line += trf(N_("  loss {:.4f}"), snapshot.loss);
  if (std::isfinite(snapshot.validation)) line += trf(N_("  validation {:.4f}"), snapshot.validation);
  line += trf(N_("  {:.3g} ms per step"), 1000 * snapshot.secondsPerStep);
  if (snapshot.secondsLeft) line += trf(N_("  {} left"), durationDisplayText(*snapshot.secondsLeft));
  return line;
}

}  // namespace

TrainProgress::~TrainProgress() {
  if (written_) console_.err << "\r\033[K" << std::flush;
}

void TrainProgress::show(const train::Snapshot& snapshot, Clock::time_point now) {
  const bool reading = snapshot.state == train::RunState::Preparing && snapshot.prepared;
  if (snapshot.state != train::RunState::Running && !reading) return;
  if (!console_.terminal && now - lastLine_ < kBetweenLines) return;
  lastLine_ = now;
  const std::string line =
      reading ? trf(N_("reading the data: {:.0f} %"), 100 * *snapshot.prepared) : stepLine(snapshot);
  if (!console_.terminal) return say(line);
  console_.err << "\r" << line << "\033[K" << std::flush;
  written_ = true;
}

void TrainProgress::say(const std::string& line) {
  if (written_) console_.err << "\r\033[K";
  written_ = false;
  console_.err << printableSentence(line) << "\n" << std::flush;
}

}  // namespace sepx::app::cli
