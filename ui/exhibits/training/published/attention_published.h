// SPDX-License-Identifier: Apache-2.0
// What Attention-Structure prints of its figures 3, S3, S4, S5, Tables 1 and 3 and Theorem 2.3, for a page that shows
// it beside ours (ui/published). Pure but for PublishedStudy::compute.
#pragma once

#include <span>

#include "engine/studies/emergence_study.h"
#include "engine/studies/theorem_study.h"
#include "engine/studies/vision_study.h"
#include "ui/published/published_study.h"

namespace sepx::ui {

std::span<const PublishedStudy> attentionStudies();

class EmergenceResult final : public PublishedResult {
 public:
  explicit EmergenceResult(studies::EmergenceStudy study) : study_(std::move(study)) {}
  std::vector<studies::Check> checks() const override { return study_.checks(); }
  std::vector<studies::Check> told() const override { return study_.told(); }
  bool paperScale() const override { return false; }
  PublishedTable table() const override;
  std::string setting() const override;
  bool tableHasChecks() const override { return study_.number != 1; }
  std::size_t charts() const override;
  LineChart chart(std::size_t panel, const Theme& theme) const override;
  std::vector<LegendEntry> legend(const Theme& theme) const override;

 private:
  studies::EmergenceStudy study_;
};

class VisionResult final : public PublishedResult {
 public:
  explicit VisionResult(studies::VisionTable table) : table_(std::move(table)) {}
  std::vector<studies::Check> checks() const override { return table_.checks(); }
  PublishedTable table() const override;
  std::string setting() const override;
  bool tableHasChecks() const override { return false; }

 private:
  studies::VisionTable table_;
};

class TheoremResult final : public PublishedResult {
 public:
  explicit TheoremResult(studies::TheoremReport report) : report_(std::move(report)) {}
  std::vector<studies::Check> checks() const override { return report_.checks; }

 private:
  studies::TheoremReport report_;
};

}  // namespace sepx::ui
