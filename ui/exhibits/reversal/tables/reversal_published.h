// SPDX-License-Identifier: Apache-2.0
// What Reversal prints of its Tables 1 to 5 and 7 and its figures 3 and 5, for a page that shows it beside ours
// (ui/published). Pure but for PublishedStudy::compute and ::shipped.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "engine/studies/accuracy_study.h"
#include "engine/studies/theorem_study.h"
#include "engine/studies/transfer_study.h"
#include "ui/published/published_study.h"

namespace sepx::ui {

std::span<const PublishedStudy> reversalStudies();

/// Tables 1 and 2.
class AccuracyResult final : public PublishedResult {
 public:
  AccuracyResult(studies::AccuracyTable table, bool shipped) : table_(std::move(table)), shipped_(shipped) {}
  std::vector<studies::Check> checks() const override { return table_.checks(); }
  PublishedTable table() const override;
  bool tableHasChecks() const override { return false; }
  std::string setting() const override;
  std::size_t charts() const override { return 2; }
  LineChart chart(std::size_t panel, const Theme& theme) const override;
  std::vector<LegendEntry> legend(const Theme& theme) const override;

 private:
  studies::AccuracyTable table_;
  bool shipped_;  ///< read from the runs that ship
};

/// Tables 3 to 5.
class BoundResult final : public PublishedResult {
 public:
  explicit BoundResult(studies::TheoremReport report) : report_(std::move(report)) {}
  std::vector<studies::Check> checks() const override { return report_.checks; }
  PublishedTable table() const override;
  std::string setting() const override;

 private:
  studies::TheoremReport report_;
};

/// Figures 3 and 5.
class TransferResult final : public PublishedResult {
 public:
  explicit TransferResult(studies::TransferFigure figure) : figure_(std::move(figure)) {}
  std::vector<studies::Check> checks() const override { return figure_.checks(); }
  std::vector<studies::Check> told() const override { return figure_.told(); }
  std::string setting() const override;
  std::size_t charts() const override;
  LineChart chart(std::size_t panel, const Theme& theme) const override;
  std::vector<LegendEntry> legend(const Theme& theme) const override;

 private:
  studies::TransferFigure figure_;
};

}  // namespace sepx::ui
