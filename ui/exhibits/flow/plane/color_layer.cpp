// SPDX-License-Identifier: Apache-2.0
// What colours the plane: the loss, the basin, the time to converge or the length of the gradient. The picture itself
// is FlowResults' (one shading at a time, with its colour bar and its lock); here are the choice, the read-outs under
// the pointer and the grid that is given away. Frame thread.
#include <cmath>
#include <utility>

#include "engine/markov/convergence_time.h"
#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/properties/formula.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kShare = 0.01;  // of the loss above the limit that is left
constexpr const char* kTimeFormula =
    "t_{99} = \\min\\left\\{t : L(\\theta_t)-L_\\infty < 0.01\\,\\left(L(\\theta_0)-L_\\infty\\right)\\right\\}";
constexpr const char* kGradientFormula =
    "|\\nabla L| = |\\Lambda'(S)|\\,\\sqrt{(2e\\,v)^2+(4e^2|w|)^2},\\quad v = 1+2w|w|";

std::string choiceWords(const std::string& key) {
  if (key == "basin") return tr("basin");
  if (key == "time") return tr("time to converge");
  if (key == "gradient") return tr("gradient |∇L|");
  return tr("loss");
}

/// A colour that is chosen is shown.
Result<Document> colorFollows(const Document&, const Document& with) {
  Document result = withSoundLimits(with).with("flow.show.loss", true);
  return chosenColor(with) == PlaneColor::Basin ? result.with("flow.show.basin", true) : result;
}

class ColorLayer final : public PlaneLayer {
 public:
  void declare(PropertyRegistry& registry, const FlowShared& live) override {
    using namespace declaring;
    const FlowState& state = live.state;
    const Getters pointer([&state, &hover = live.hover](int) { return state.canonical && hover ? &*hover : nullptr; });
    const auto under = [&state](PlaneColor of) {
      return [&state, of](render::Point at) { return colorAt(state.chain, of, at.x, at.y); };
    };
    const auto timeText = [&state](render::Point at) -> std::string {
      const double time = colorAt(state.chain, PlaneColor::Time, at.x, at.y);
      const auto limit = markov::exactLimit(state.chain, at.x, at.y);
      if (!std::isfinite(time) || !limit) return {};
      const double start = lossAt(state, at.x, at.y);
      return "L(\\theta_0)-L_\\infty = " + formulaFixed(start) + "-" + formulaFixed(limit->loss) + " = " +
             formulaFixed(start - limit->loss) + " \\\\ t_{99} = " + formulaNumber(time, 4);
    };
    const auto gradientText = [&state](render::Point at) -> std::string {
      const double gradient = colorAt(state.chain, PlaneColor::Gradient, at.x, at.y);
      if (!std::isfinite(gradient)) return {};
      const double S = markov::reducedS(markov::Model::EW, Eigen::Vector2d(at.x, at.y));
      return "S = " + formulaFixed(S) + ",\\quad \\Lambda'(S) = " + formulaNumber(markov::lambdaFirst(state.chain, S)) +
             " \\\\ |\\nabla L| = " + formulaNumber(gradient);
    };
    // clang-format off
    declareParameters(registry, {.applies = onPlane(canonical)}, {
        {.key = "flow.color",
         .into = &FlowState::color, .label = N_("Colour by"), .choices = {"loss", "basin", "time", "gradient"},
         .help = N_("The quantity that colours the plane: the loss, the kind of limit, the time until 1 % of the "
                    "loss above the limit is left, or the norm of the gradient. Times and gradients have a "
                    "logarithmic scale."),
         .choiceLabel = choiceWords, .follow = colorFollows}});
    declareReadOuts(registry, {.prefix = "flow.hover.", .applies = onPlane(canonical), .formulaApplies = canonical}, {
        {.key = "time", .label = N_("Time to converge"), .symbol = "t₉₉",
         .help = N_("Time of the flow from the place under the pointer until 1 % of the loss above its limit is left."),
         .equation = "Local-to-Global, section 4", .formula = kTimeFormula, .withNumbers = pointer.text(timeText),
         .errata = {"l2g-18", "l2g-19"}, .digits = 4, .get = pointer(under(PlaneColor::Time))},
        {.key = "gradient", .label = N_("Gradient"), .symbol = "|∇L|", .unit = "nats",
         .help = N_("Norm of the gradient under the pointer, which is the speed of the flow."),
         .equation = "Local-to-Global, Lemma 7", .formula = kGradientFormula, .withNumbers = pointer.text(gradientText),
         .errata = {"l2g-8"}, .get = pointer(under(PlaneColor::Gradient))}});
    // clang-format on
  }
  void update(const FlowFrame& frame, ExhibitContext&) override {
    const LossPicture* const loss = frame.results.loss();
    picture_ = loss ? std::optional(*loss) : std::nullopt;
  }
  /// Row 0 at the least w, as every grid of the picture.
  void numbers(const FlowState& state, Numbers& numbers) const override {
    if (!picture_ || !logarithmic(picture_->color) || picture_->color != state.color) return;
    const LossPicture& picture = *picture_;
    const auto width = static_cast<std::size_t>(picture.width), height = static_cast<std::size_t>(picture.height);
    const std::string name = colorWord(picture.color);
    const auto middles = [](double from, double span, std::size_t count) {
      std::vector<double> at;
      for (std::size_t i = 0; i < count; ++i)
        at.push_back(from + (static_cast<double>(i) + 0.5) * span / static_cast<double>(count));
      return at;
    };
    const render::Rect& box = picture.extent;
    numbers.grids.push_back({name + "_e", {width}, middles(box.min.x, box.width(), width)});
    numbers.grids.push_back({name + "_w", {height}, middles(box.min.y, box.height(), height)});
    numbers.grids.push_back({name,
                             {height, width},
                             rowsUpwards(std::vector<double>(picture.losses->begin(), picture.losses->end()), width)});
  }

 private:
  std::optional<LossPicture> picture_;
};

}  // namespace

std::unique_ptr<PlaneLayer> makeColorLayer() {
  return std::make_unique<ColorLayer>();
}

}  // namespace sepx::ui
