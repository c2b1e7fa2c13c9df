// SPDX-License-Identifier: Apache-2.0
// The job behind the panes of the comparison.
#include "ui/exhibits/weights/compare/compare_pictures.h"

#include <algorithm>

#include "ui/exhibits/weights/compare/compare_board.h"
#include "ui/plots/matrix_view.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kMostCounted = std::size_t{1} << 20;  // entries behind the ends of the colours

}  // namespace

/// Touched by the lane's thread alone.
struct ComparePictures::Workshop {
  std::optional<Request> of;
  std::shared_ptr<const ComparePair> pair;
  std::array<std::unique_ptr<attention::TileSource>, kCompareSides> sources;
};

bool ComparePictures::Request::sameMatrix(const Request& other) const {
  return first == other.first && second == other.second && partner == other.partner && part == other.part &&
         options == other.options && difference == other.difference;
}

bool ComparePictures::Request::operator==(const Request& other) const {
  return sameMatrix(other) && pool == other.pool && crop == other.crop && step == other.step;
}

ComparePictures::ComparePictures() : workshop_(std::make_shared<Workshop>()) {}

void ComparePictures::work(const Request& request, Workshop& shop, ThreadPool& pool, LaneOutput<Published>& output) {
  const auto cancelled = [&output] { return output.cancelled(); };
  Published made;
  if (!shop.of || !shop.of->sameMatrix(request)) {
    shop.of.reset();
    auto second =
        checkpoint::loadFactors(*request.second->checkpoint, *request.partner, request.options, output.whileReading());
    if (!second) {
      made.failure = second.error().sentence;
    } else {
      auto pair = std::make_shared<ComparePair>();
      pair->factors[0] = request.first;
      pair->factors[1] = std::make_shared<const attention::LayerFactors>(std::move(*second));
      if (request.difference)
        pair->factors[2] =
            std::make_shared<const attention::LayerFactors>(differenceFactors(*pair->factors[0], *pair->factors[1]));
      for (std::size_t i = 0; i < kCompareSides; ++i) {
        shop.sources[i].reset();
        if (!pair->factors[i] || cancelled()) continue;
        auto histogram = attention::histogramOf(*pair->factors[i], request.part, kMostCounted, &pool, cancelled);
        if (histogram) pair->histogram[i] = std::make_shared<const attention::Histogram>(std::move(*histogram));
        shop.sources[i] = attention::makeTileSource(pair->factors[i], &pool);
      }
      if (cancelled()) return;
      shop.pair = std::move(pair);
      shop.of = request;
    }
  }
  if (made.failure.empty()) {
    made.pair = shop.pair;
    for (std::size_t i = 0; i < kCompareSides && !cancelled(); ++i) {
      // The difference alone is shown where it is asked for.
      if (!shop.sources[i] || (request.difference && i != 2)) continue;
      attention::Picture picture =
          shop.sources[i]->picture(request.crop, request.step, request.part, request.pool, cancelled);
      if (picture.values.empty()) return;
      made.device = shop.sources[i]->device();
      made.pictures[i] = MatrixPicture(request.crop, std::move(picture));
      made.pictures[i].exact = true;
    }
  }
  output.finish(std::move(made));
}

void ComparePictures::update(const PageFrame& frame, const MatrixLayout& layout,
                             const std::shared_ptr<const checkpoint::Model>& second,
                             const checkpoint::AttentionLayer* partner, ExhibitContext& context) {
  const WeightsState& state = frame.shared.state;
  lane_.refresh(context.jobs);
  percentile_ = state.percentile;
  pool_ = state.pool;
  locked_ = state.locked;
  if (!second || !partner || !frame.shared.factors || layout.panes.empty()) {
    lane_.clear();
    return;
  }
  Request wanted{frame.shared.factors, second, partner, {state.pairing, state.head, state.foldNorm}, {}, state.pool};
  const bool square = frame.shared.factors->rows() == frame.shared.factors->columns();
  wanted.part = !square || state.part == WeightsPart::Full || state.part == WeightsPart::Three ? attention::Part::Full
                : state.part == WeightsPart::Symmetric ? attention::Part::Symmetric
                                                       : attention::Part::Skew;
  wanted.difference = state.blend == WeightsBlend::Difference;
  wanted.step = stepFor(layout.first(), context.scale);
  wanted.crop = cropFor(layout.first(), wanted.step, layout.around());
  if (const Request* const before = lane_.requested()) {
    const bool same = before->sameMatrix(wanted);
    if (same && before->pool == wanted.pool && before->step == wanted.step &&
        holds(before->crop, layout.first(), wanted.step, layout.near()))
      return;
    if (!same) lane_.clear();
  }
  lane_.start(context.jobs, std::move(wanted), tr("pictures of two checkpoints"),
              [shop = workshop_, &pool = context.pool](const Request& request, auto& output) {
                work(request, *shop, pool, output);
              });
}

ColorLimits ComparePictures::limits(CompareSide side) const {
  if (locked_) return *locked_;
  double end = 0;
  const std::shared_ptr<const ComparePair> pair = this->pair();
  // Both checkpoints have one scale, so that colours compare; the difference has its own.
  for (std::size_t i = 0; i < kCompareSides && pair; ++i) {
    const bool counts = side == CompareSide::Difference ? i == 2 : i < 2;
    if (!counts || !pair->histogram[i] || pair->histogram[i]->finite() == 0) continue;
    const double step = static_cast<double>(lane_.requested()->step);
    end = std::max(end, automaticLimits(*pair->histogram[i], ScaleKind::Diverging, percentile_, pool_, step).high);
  }
  return end > 0 ? ColorLimits{-end, end} : ColorLimits{-1, 1};
}

}  // namespace sepx::ui
