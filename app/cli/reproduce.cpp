// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reproduce.h"

#include <algorithm>
#include <cmath>

namespace sepx::app::cli {

const char* word(PublishedScore score) {
  return score == PublishedScore::Symmetry ? "symmetry" : "directionality";
}

const std::vector<attention::PublishedValue>& valuesOf(const attention::PublishedModel& model, PublishedScore score) {
  return score == PublishedScore::Symmetry ? model.symmetry : model.directionality;
}

const attention::Quartiles& quartilesOf(const Summary& summary, PublishedScore score) {
  return score == PublishedScore::Symmetry ? summary.symmetry : summary.directionality;
}

GivenCheckpoint givenCheckpoint(const std::string& argument) {
  const std::size_t equals = argument.find('='), slash = argument.find('/');
  const bool named = equals != std::string::npos && equals > 0 && (slash == std::string::npos || equals < slash);
  if (!named) return {{}, argument};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

namespace {

/// A model may stand in a table more than once: the nearest printed value counts.
double distance(const std::vector<attention::PublishedValue>& printed, double median) {
  double nearest = std::abs(printed.front().median - median);
  for (const attention::PublishedValue& value : printed)
    nearest = std::min(nearest, std::abs(value.median - median));
  return nearest;
}

}  // namespace

std::vector<Judged> judge(const attention::Published& published, const std::vector<Measured>& measured,
                          PublishedScore score, bool judged) {
  // Half a unit of the last digit, and what reading a printed decimal as a double may add.
  constexpr double kTolerance = attention::kPrintTolerance + 1e-9;
  std::vector<Judged> rows;
  for (const attention::PublishedModel& model : published.models) {
    if (valuesOf(model, score).empty()) continue;
    Judged row;
    row.published = &model;
    const auto own =
        std::find_if(measured.begin(), measured.end(), [&model](const Measured& one) { return one.row == &model; });
    if (own != measured.end() && !own->stacks.empty()) {
      row.measured = &*own;
      row.off = distance(valuesOf(model, score), quartilesOf(own->stacks.front(), score).median);
      // A score that is no number agrees with nothing.
      if (model.isSafe() && judged && !own->byShape) row.agrees = *row.off <= kTolerance;
    }
    rows.push_back(row);
  }
  return rows;
}

bool passed(const std::vector<Judged>& rows) {
  return std::none_of(rows.begin(), rows.end(), [](const Judged& row) { return row.agrees && !*row.agrees; });
}

}  // namespace sepx::app::cli
