// SPDX-License-Identifier: Apache-2.0
// The job that makes the pictures of the wall, in two passes over the places in sight. The first pass makes averages if
// exact pictures take long.
#include "ui/exhibits/weights/wall/wall_thumbs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kShown = 0.995;  // share of the pixels within the colour scale
constexpr double kQuick = 3e8;    // multiplications of a picture that needs no coarse one first
constexpr double kMost = 4e11;    // above this, a picture of extremes stays averaged

ThumbPointer thumbOf(attention::TileSource& source, attention::Part part, attention::Pool pool, bool exact,
                     const std::function<bool()>& cancelled) {
  const Eigen::Index n = source.rows(), m = source.columns();
  const Eigen::Index step = std::max<Eigen::Index>(1, (std::max(n, m) + WallThumbs::kPixels - 1) / WallThumbs::kPixels);
  attention::Picture picture = source.picture({0, n, 0, m}, step, part, pool, cancelled);
  if (picture.values.empty()) return nullptr;
  Thumb thumb;
  thumb.rows = static_cast<int>(picture.rows);
  thumb.columns = static_cast<int>(picture.columns);
  std::vector<float> sizes;
  for (const float value : picture.values)
    if (std::isfinite(value)) sizes.push_back(std::abs(value));
  thumb.nonfinite = sizes.size() < picture.values.size();
  if (!sizes.empty()) {
    const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(kShown * static_cast<double>(sizes.size() - 1));
    std::nth_element(sizes.begin(), at, sizes.end());
    thumb.limit = *at > 0 ? *at : *std::max_element(sizes.begin(), sizes.end());
  }
  thumb.values = std::make_shared<const std::vector<float>>(std::move(picture.values));
  thumb.exact = exact;
  thumb.wide = n != m;
  return std::make_shared<const Thumb>(std::move(thumb));
}

}  // namespace

ThumbPointer WallThumbs::find(WallPlace place) const {
  const auto found = thumbs_.find(place);
  return found == thumbs_.end() ? nullptr : found->second;
}

/// Pairs of pass and place, in the order of work. Pass 0: averages of pictures that take long. Pass 1: the pictures
/// themselves; those that take very long, mostly of whole layers, come last.
std::vector<std::pair<int, WallPlace>> WallThumbs::stepsOf(const Request& request) {
  const std::vector<checkpoint::AttentionLayer>& layers = request.model->map.layers;
  const auto cost = [&](const WallPlace& place) {
    const checkpoint::AttentionLayer& layer = layers[static_cast<std::size_t>(place.layer)];
    const double terms = static_cast<double>(layer.d_h) * (place.head < 0 ? layer.heads : 1);
    return static_cast<double>(layer.d_model) * layer.d_key * terms;
  };
  std::vector<std::pair<int, WallPlace>> steps;
  const bool extreme = request.pool == attention::Pool::Extreme;
  for (const WallPlace& place : request.places)
    if (extreme && cost(place) > kQuick && !request.coarse.contains(place)) steps.emplace_back(0, place);
  for (const bool slow : {false, true})
    for (const WallPlace& place : request.places)
      if ((cost(place) > 40 * kQuick) == slow && (!extreme || cost(place) <= kMost)) steps.emplace_back(1, place);
  return steps;
}

void WallThumbs::work(const Request& request, ThreadPool& pool, LaneOutput<Made>& output) {
  const auto cancelled = [&output] { return output.cancelled(); };
  const std::vector<checkpoint::AttentionLayer>& layers = request.model->map.layers;
  Made made;
  const std::vector<std::pair<int, WallPlace>> steps = stepsOf(request);
  int loadedLayer = -1, loadedHead = -1;
  std::shared_ptr<const attention::LayerFactors> factors;
  for (std::size_t i = 0; i < steps.size() && !cancelled(); ++i) {
    const auto& [pass, place] = steps[i];
    const checkpoint::AttentionLayer& layer = layers[static_cast<std::size_t>(place.layer)];
    // The factors of a small layer are read once and also used for its heads. Of a large one only the columns of the
    // head are read.
    const bool small = static_cast<double>(layer.d_model) * layer.d_h * layer.heads < 4e6;
    const int head = small ? -1 : place.head;
    if (!factors || loadedLayer != place.layer || loadedHead != head) {
      factors.reset();
      checkpoint::FactorOptions options = request.options;
      options.head = head;
      auto read = checkpoint::loadFactors(*request.model->checkpoint, layer, options, output.whileReading());
      if (!read) {
        made.failure = read.error().message;
        output.finish(std::move(made));
        return;
      }
      factors = std::make_shared<const attention::LayerFactors>(std::move(*read));
      loadedLayer = place.layer;
      loadedHead = head;
    }
    const auto of = place.head >= 0 && head < 0
                        ? std::make_shared<const attention::LayerFactors>(attention::headOf(*factors, place.head))
                        : factors;
    const std::unique_ptr<attention::TileSource> source = attention::makeTileSource(of, &pool);
    made.device = source->device();
    const bool exact = pass == 1;
    ThumbPointer thumb = thumbOf(*source, layer.d_model == layer.d_key ? request.part : attention::Part::Full,
                                 exact ? request.pool : attention::Pool::Mean, exact, cancelled);
    if (!thumb) break;
    made.thumbs.emplace_back(place, std::move(thumb));
    output.progress(static_cast<double>(i + 1) / static_cast<double>(steps.size()));
    if (i + 1 < steps.size()) output.publish(made);
  }
  output.finish(std::move(made));
}

void WallThumbs::take(ExhibitContext& context) {
  if (!lane_.refresh(context.jobs)) return;
  for (; taken_ < made().thumbs.size(); ++taken_) {
    const auto& [place, thumb] = made().thumbs[taken_];
    ThumbPointer& kept = thumbs_[place];
    if (!kept || thumb->exact || !kept->exact) kept = thumb;
  }
  ++revision_;
}

void WallThumbs::update(const WeightsShared& shared, const std::vector<WallPlace>& wanted, ExhibitContext& context) {
  take(context);
  const WeightsState& state = shared.state;
  const std::uint64_t of =
      Digest().add(shared.modelRevision, state.pairing, state.foldNorm, state.shownPart(true), state.pool).value();
  if (of != of_) {
    of_ = of;
    thumbs_.clear();
    lane_.clear();
    ++revision_;
  }
  if (!shared.model || !failure().empty()) return;
  std::vector<WallPlace> missing;
  for (const WallPlace& place : wanted)
    if (const ThumbPointer thumb = find(place); !thumb || !thumb->exact) missing.push_back(place);
  // A running job continues if it was started for everything that is missing.
  const bool covered = std::all_of(missing.begin(), missing.end(), [this](const WallPlace& place) {
    const Request* const before = lane_.requested();
    return before && std::find(before->places.begin(), before->places.end(), place) != before->places.end();
  });
  if (missing.empty() || covered) return;
  Request request{shared.model,          std::move(missing), {}, {state.pairing, -1, state.foldNorm},
                  state.shownPart(true), state.pool};
  for (const WallPlace& place : request.places)
    if (find(place)) request.coarse.insert(place);
  taken_ = 0;
  lane_.start(context.jobs, std::move(request), tr("pictures of heads"),
              [&pool = context.pool](const Request& asked, auto& output) { work(asked, pool, output); });
}

}  // namespace sepx::ui
