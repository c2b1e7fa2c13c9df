// SPDX-License-Identifier: Apache-2.0
// The job that reads the factors behind the panes of the comparison.
#include "ui/exhibits/weights/compare/compare_pictures.h"

#include <algorithm>

#include "ui/exhibits/weights/compare/compare_board.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

ComparePictures::Made ComparePictures::make(const Request& request, const LaneWork& work) {
  auto second =
      checkpoint::loadFactors(*request.second->checkpoint, *request.partner, request.options, work.whileReading());
  if (!second) return {{}, second.error().sentence};
  Made made{{request.first, std::make_shared<const attention::LayerFactors>(std::move(*second)), nullptr}, {}};
  if (request.difference)
    made.factors[2] =
        std::make_shared<const attention::LayerFactors>(differenceFactors(*made.factors[0], *made.factors[1]));
  return made;
}

void ComparePictures::update(const PageFrame& frame, const MatrixPanes& panes,
                             const std::shared_ptr<const checkpoint::Model>& second,
                             const checkpoint::AttentionLayer* partner, bool ownScales, ExhibitContext& context) {
  const WeightsState& state = frame.shared.state;
  const Factors& first = frame.shared.factors;
  const bool difference = state.blend == WeightsBlend::Difference;
  lane_.refresh(context.jobs);
  locked_ = state.locked;
  ownScales_ = ownScales;
  part_ = state.shownPart(first && first->rows() == first->columns());
  Request wanted{first, second, partner, {state.pairing, state.head, state.foldNorm}, difference};
  const bool shown = second && partner && first && !panes.panes.empty();
  if (!shown || !lane_.isFor(wanted)) lane_.clear();
  if (shown)
    lane_.request(context.jobs, std::move(wanted), tr("reading the weights of a layer"),
                  [](const Request& request, auto& output) { return make(request, output); });
  for (const CompareSide side : {CompareSide::First, CompareSide::Second, CompareSide::Difference}) {
    const bool asked = difference == (side == CompareSide::Difference);
    results_[static_cast<std::size_t>(side)].update(frame, asked ? factors(side) : nullptr, panes, context);
  }
}

std::uint64_t ComparePictures::revision() const {
  std::uint64_t sum = lane_.revision();
  for (const MatrixResults& one : results_)
    sum += one.revision();
  return sum;
}

bool ComparePictures::complete() const {
  return lane_.complete() &&
         std::all_of(results_.begin(), results_.end(), [](const MatrixResults& one) { return one.complete(); });
}

bool ComparePictures::resting() const {
  return std::any_of(results_.begin(), results_.end(), [](const MatrixResults& one) { return one.resting(); });
}

const std::string& ComparePictures::device() const {
  const MatrixResults& difference = results(CompareSide::Difference);
  return difference.device().empty() ? results(CompareSide::First).device() : difference.device();
}

/// Both checkpoints have one scale, so that colours compare, unless a person wants two; the difference has its own.
ColorLimits ComparePictures::limits(CompareSide side) const {
  if (locked_) return *locked_;
  const auto end = [this](CompareSide of) {
    const std::optional<ColorLimits> own = results(of).ownLimits();
    return own ? std::max(-own->low, own->high) : 0.0;
  };
  const bool alone = ownScales_ || side == CompareSide::Difference;
  const double high = alone ? end(side) : std::max(end(CompareSide::First), end(CompareSide::Second));
  return high > 0 ? ColorLimits{-high, high} : ColorLimits{-1, 1};
}

}  // namespace sepx::ui
