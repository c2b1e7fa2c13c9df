// SPDX-License-Identifier: Apache-2.0
// Starts jobs on the lanes for stale results and collects finished ones.
#include "ui/exhibits/flow/shared/flow_results.h"

#include <algorithm>
#include <limits>

#include "engine/core/random.h"
#include "engine/markov/basin.h"
#include "engine/markov/gaussian.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr int kMostTimes = 320;  // per side of a picture of times: about a second on one core

/// The picture with `values` computed for the scale of `limits`.
LossPicture colored(LossPicture picture, const std::optional<ColorLimits>& limits) {
  picture.scale = ColorScale(limits.value_or(picture.own), logarithmic(picture.color));
  auto places = std::make_shared<std::vector<float>>(picture.losses->size());
  // Beyond the ends the colour is constant. The place is clamped so that it fits a float.
  std::transform(picture.losses->begin(), picture.losses->end(), places->begin(), [&scale = picture.scale](float loss) {
    return static_cast<float>(std::clamp(scale.place(loss), -0.5, 1.5));
  });
  picture.values = std::move(places);
  return picture;
}

/// The value that colours the point (x, y).
double valueAt(const FlowModel& model, PlaneColor color, double x, double y) {
  return model.canonical && logarithmic(color) ? colorAt(model.chain, color, x, y) : lossAt(model, x, y);
}

LossPicture paintLoss(const FlowModel& model, PlaneColor color, const render::Rect& view, int width, int height,
                      const std::optional<ColorLimits>& limits, ThreadPool& pool, const LaneWork& work) {
  std::vector<double> values(static_cast<std::size_t>(width) * height);
  pool.parallelFor(0, static_cast<std::size_t>(height), 8, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last && !work.cancelled(); ++row) {
      const double y = view.max.y - (static_cast<double>(row) + 0.5) * view.height() / height;
      for (int column = 0; column < width; ++column)
        values[row * width + column] = valueAt(model, color, view.min.x + (column + 0.5) * view.width() / width, y);
    }
  });
  LossPicture picture{view, width, height, nullptr, nullptr, {}, {}, color};
  picture.own = model.canonical ? limitsOf(model.chain, color, view) : limitsOf(values);
  picture.losses = std::make_shared<std::vector<float>>(values.begin(), values.end());
  return colored(std::move(picture), limits);
}

std::shared_ptr<const Cloud> drawCloud(double sigma, int samples, int seed, std::uint64_t streamOfSeed, bool above) {
  // By the theorems, the basins depend on p and q only through the sign of p + q - 1.
  const markov::Chain chain = above ? markov::Chain{0.75, 0.75} : markov::Chain{0.25, 0.25};
  auto cloud = std::make_shared<Cloud>();
  RandomStream stream(static_cast<std::uint64_t>(seed), streamOfSeed);
  std::size_t local = 0;
  for (int i = 0; i < samples; ++i) {
    const double e = sigma * stream.normal(), w = sigma * stream.normal();
    const markov::LimitKind kind = markov::basinLabel(chain, e, w);
    cloud->points.push_back({e, w});
    cloud->kinds.push_back(kind);
    local += kind == markov::LimitKind::LocalMin ? 1 : 0;
  }
  cloud->share = samples > 0 ? static_cast<double>(local) / samples : 0;
  return cloud;
}

/// In a figure every point gets its numbers, because nobody waits for the frame.
Extent extentOf(const FlowState& state, std::size_t point, bool figure) {
  if (!hasPath(state, point)) return figure ? Extent::Clock : Extent::End;
  return state.showBackward ? Extent::Both : Extent::Path;
}

}  // namespace

std::size_t pathStride(const FlowState& state) {
  constexpr std::size_t kMostPaths = 2000;
  return state.canonical ? (std::max<std::size_t>(state.points.size(), 1) + kMostPaths - 1) / kMostPaths : 1;
}

bool hasPath(const FlowState& state, std::size_t point) {
  return point % pathStride(state) == 0 || static_cast<int>(point) == state.selected;
}

void FlowResults::updatePoints(const FlowState& state, ExhibitContext& context) {
  if (!model_ || !(*model_ == state)) {
    model_ = state;
    ++modelStamp_;
  }
  paths_.update(
      state.points.size(), state.selected,
      [&](std::size_t i) {
        return PointWork{modelStamp_, state.points[i].e, state.points[i].w, extentOf(state, i, context.figure)};
      },
      [model = *model_](const PointWork& work) { return followPoint(model, work.e, work.w, work.extent); },
      [](const PointWork&) { return PointResult{}; }, tr("paths of all points"), context);
}

void FlowResults::update(const FlowState& state, const render::Rect& plot, ExhibitContext& context) {
  updatePoints(state, context);
  updateLoss(state, plot, context);
  basin_.update(state, plot, context);
  updateCloud(state, context);
  updateProbability(state);
}

bool FlowResults::complete() const {
  return paths_.complete() && loss_.complete() && basin_.complete() && cloud_.complete();
}

void FlowResults::updateLimits(const FlowState& state, const ExhibitContext& context) {
  ownLimits_.reset();
  limits_.reset();
  if (!state.showLoss || !hasLoss(state) || state.color == PlaneColor::Basin) return;
  if (state.canonical && state.color == PlaneColor::Loss)
    ownLimits_ = limitsOf(state.chain);
  else if (loss() && loss()->color == state.color)
    ownLimits_ = loss()->own;
  if (state.locked) limits_ = state.locked;
  const bool shares = state.color == PlaneColor::Loss && context.sharedLimits && sound(*context.sharedLimits);
  if (!limits_ && shares) limits_ = context.sharedLimits;
  if (!limits_) limits_ = ownLimits_;
}

void FlowResults::updateLoss(const FlowState& state, const render::Rect& plot, ExhibitContext& context) {
  loss_.refresh(context.jobs);
  updateLimits(state, context);
  const bool basins = state.color == PlaneColor::Basin;
  if (!state.showLoss || !hasLoss(state) || basins || plot.width() < 8 || plot.height() < 8) {
    loss_.clear();
    return;
  }
  // The loss is smooth and interpolated when drawn, so half the resolution is enough. A time costs as much as a hundred
  // losses.
  const int most = state.color == PlaneColor::Time ? kMostTimes : 1024;
  LossRequest wanted{state,
                     state.color,
                     state.view,
                     std::clamp(static_cast<int>(plot.width() / 2), 8, most),
                     std::clamp(static_cast<int>(plot.height() / 2), 8, most),
                     limits_ == ownLimits_ ? std::nullopt : limits_};
  const char* const name = state.color == PlaneColor::Time       ? tr("time to converge over the window")
                           : state.color == PlaneColor::Gradient ? tr("gradient over the window")
                                                                 : tr("loss over the window");
  // A finished picture of the same numbers only needs new colours.
  const bool recolor = loss_.finished() && loss_.answered()->sameLosses(wanted);
  loss_.request(context.jobs, std::move(wanted), name,
                [&pool = context.pool, kept = recolor ? std::optional(*loss_.result()) : std::nullopt](
                    const LossRequest& request, auto& output) {
                  if (kept) {
                    output.finish(colored(*kept, request.limits));
                    return;
                  }
                  const auto painted = [&](int divisor) {
                    return paintLoss(request.model, request.color, request.view, std::max(4, request.width / divisor),
                                     std::max(4, request.height / divisor), request.limits, pool, output);
                  };
                  output.progress(0.1);
                  if (output.publish(painted(4))) output.finish(painted(1));
                });
}

void FlowResults::updateCloud(const FlowState& state, ExhibitContext& context) {
  cloud_.refresh(context.jobs);
  if (!state.showCloud || state.degenerate()) {
    cloud_.clear();
    return;
  }
  cloud_.request(context.jobs, {state.sigma, state.samples, state.seed, context.seed, state.chain.switching() > 0},
                 tr("cloud of initialisations"), [](const CloudRequest& request, auto&) {
                   return drawCloud(request.sigma, request.samples, request.seed, request.stream, request.above);
                 });
}

void FlowResults::updateProbability(const FlowState& state) {
  if (!state.canonical || state.degenerate()) {
    probability_.reset();
    probabilityOf_.reset();
    return;
  }
  const std::pair<double, bool> of{state.sigma, state.chain.switching() > 0};
  if (probabilityOf_ == of) return;
  probabilityOf_ = of;
  probability_ = markov::probabilityLocalMinimum(of.first, of.second);
}

}  // namespace sepx::ui
