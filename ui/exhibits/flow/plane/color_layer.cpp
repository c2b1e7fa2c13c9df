// SPDX-License-Identifier: Apache-2.0
// What colours the plane: the loss, the basin, the time to converge or the length of the gradient. The picture itself
// is FlowResults' (one shading at a time, with its colour bar and its lock); here are the choice, the read-outs under
// the pointer and the grid that is given away. Frame thread.
#include <cmath>
#include <utility>

#include "engine/markov/convergence_time.h"
#include "ui/exhibits/flow/plane/contour_layers.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
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
  Document result = with.with("flow.show.loss", true);
  return chosenColor(with) == PlaneColor::Basin ? result.with("flow.show.basin", true) : result;
}

class ColorLayer final : public PlaneLayer {
 public:
  void declare(PropertyRegistry& registry, const FlowShared& live) override;
  void read(const Document&, const PropertyRegistry&, const FlowState&) override {}
  void update(const FlowFrame& frame, ExhibitContext&) override {
    const LossPicture* const loss = frame.results.loss();
    picture_ = loss ? std::optional(*loss) : std::nullopt;
  }
  void parts(const FlowFrame&, std::vector<PlanePart>&) const override {}
  void numbers(const FlowState& state, Numbers& numbers) const override;

 private:
  std::optional<LossPicture> picture_;
};

void ColorLayer::declare(PropertyRegistry& registry, const FlowShared& live) {
  using namespace declaring;
  Property color;
  color.key = "flow.color";
  color.label = N_("Colour by");
  color.kind = Kind::Choice;
  color.choices = {"loss", "basin", "time", "gradient"};
  color.choiceLabel = choiceWords;
  color.fallback = std::string("loss");
  color.help = N_(
      "What colours the plane: the loss, where a point ends, the flow's own time until 99 % of the way down is done, "
      "or how steep the loss is. Times and gradients run over powers of ten.");
  color.applies = onPlane(whenField(kCanonicalField));
  color.follow = colorFollows;
  registry.declare(color);

  const FlowState& state = live.state;
  const std::optional<render::Point>& hover = live.hover;
  const auto under = [&state, &hover](PlaneColor of) -> std::optional<double> {
    if (!state.canonical || !hover) return std::nullopt;
    return colorAt(state.chain, of, hover->x, hover->y);
  };
  readOut(registry, "flow.hover.time", N_("Time to converge"), "t₉₉", "",
          N_("The flow's own time from the place under the pointer until 1 % of the loss above its limit is left."),
          "Local-to-Global, section 4", [under](int) { return valueOf(under(PlaneColor::Time)); }, 4,
          {.canonical = true, .plane = true});
  readOut(registry, "flow.hover.gradient", N_("Gradient"), "|∇L|", "nats",
          N_("How steep the loss is under the pointer, and so how fast the flow moves there."),
          "Local-to-Global, Lemma 3", [under](int) { return valueOf(under(PlaneColor::Gradient)); }, 6,
          {.canonical = true, .plane = true});
  explainCanonical(registry, "flow.hover.time", kTimeFormula,
                   [&state, &hover, under](int) -> std::string {
                     const std::optional<double> time = under(PlaneColor::Time);
                     if (!time || !std::isfinite(*time)) return {};
                     const auto limit = markov::exactLimit(state.chain, hover->x, hover->y);
                     if (!limit) return {};
                     const double start =
                         markov::loss(state.chain, markov::Model::EW, Eigen::Vector2d(hover->x, hover->y));
                     return "L(\\theta_0)-L_\\infty = " + formulaFixed(start) + "-" + formulaFixed(limit->loss) +
                            " = " + formulaFixed(start - limit->loss) + " \\\\ t_{99} = " + formulaNumber(*time, 4);
                   },
                   {"l2g-18", "l2g-19"});
  explainCanonical(registry, "flow.hover.gradient", kGradientFormula,
                   [&state, &hover, under](int) -> std::string {
                     const std::optional<double> gradient = under(PlaneColor::Gradient);
                     if (!gradient || !std::isfinite(*gradient)) return {};
                     const double S = markov::reducedS(markov::Model::EW, Eigen::Vector2d(hover->x, hover->y));
                     return "S = " + formulaFixed(S) +
                            ",\\quad \\Lambda'(S) = " + formulaNumber(markov::lambdaFirst(state.chain, S)) +
                            " \\\\ |\\nabla L| = " + formulaNumber(*gradient);
                   },
                   {"l2g-8"});
}

/// Row 0 at the least w, as every grid of the picture.
void ColorLayer::numbers(const FlowState& state, Numbers& numbers) const {
  if (!picture_ || !logarithmic(picture_->color) || picture_->color != state.color) return;
  const LossPicture& picture = *picture_;
  const auto width = static_cast<std::size_t>(picture.width), height = static_cast<std::size_t>(picture.height);
  const std::string name = colorWord(picture.color);
  std::vector<double> es, ws, values;
  for (std::size_t i = 0; i < width; ++i)
    es.push_back(picture.extent.min.x + (static_cast<double>(i) + 0.5) * picture.extent.width() / picture.width);
  for (std::size_t i = 0; i < height; ++i)
    ws.push_back(picture.extent.min.y + (static_cast<double>(i) + 0.5) * picture.extent.height() / picture.height);
  values.reserve(width * height);
  for (std::size_t row = height; row-- > 0;)
    for (std::size_t column = 0; column < width; ++column)
      values.push_back((*picture.losses)[row * width + column]);
  numbers.grids.push_back({name + "_e", {width}, std::move(es)});
  numbers.grids.push_back({name + "_w", {height}, std::move(ws)});
  numbers.grids.push_back({name, {height, width}, std::move(values)});
}

}  // namespace

std::unique_ptr<PlaneLayer> makeColorLayer() {
  return std::make_unique<ColorLayer>();
}

}  // namespace sepx::ui
