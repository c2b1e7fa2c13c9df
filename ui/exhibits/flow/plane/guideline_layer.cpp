// SPDX-License-Identifier: Apache-2.0
#include "ui/exhibits/flow/plane/guideline_layer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/markov/basin.h"
#include "engine/markov/common_region.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr render::Point kRecommended{0.5, -1};  // A.3.2: e = 0.5, w1 = 1, w2 = -1
constexpr std::size_t kMostMoves = 160;         // most lines from old to new starts; more would hide the picture

/// The effect of the guideline on a cloud.
struct GuidelineEffect {
  std::vector<std::size_t> outside;  ///< indices outside I_common: these are moved
  double inCommonBefore = 0;         ///< shares of all points
  double stuckBefore = 0, stuckAfter = 0;
};

GuidelineEffect guidelineEffect(const Cloud& cloud, const markov::Chain& chain) {
  GuidelineEffect moved;
  std::size_t stuck = 0, after = 0;
  const bool good = markov::basinLabel(chain, kRecommended.x, kRecommended.y) == markov::LimitKind::GlobalMin;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    const bool inside = markov::inCommon(cloud.points[i].x, cloud.points[i].y);
    const bool local = cloud.kinds[i] == markov::LimitKind::LocalMin;
    stuck += local ? 1 : 0;
    after += (inside ? local : !good) ? 1 : 0;
    if (!inside) moved.outside.push_back(i);
  }
  const double all = std::max<double>(1, static_cast<double>(cloud.points.size()));
  moved.inCommonBefore = 1 - static_cast<double>(moved.outside.size()) / all;
  moved.stuckBefore = static_cast<double>(stuck) / all;
  moved.stuckAfter = static_cast<double>(after) / all;
  return moved;
}

/// The boxes of the points' handles and names, and of the ends of their paths.
std::vector<render::Rect> handlesOver(const FlowFrame& frame) {
  constexpr double kHandle = 11, kName = 30;  // points: half a handle, reach of a name above it
  std::vector<render::Rect> boxes;
  for (const FlowPoint& point : frame.state.points) {
    const render::Point at = toPage(frame.camera(), {point.e, point.w});
    const double right = point.name.empty() ? kHandle : kName + textWidth(point.name, frame.theme.smallSize);
    boxes.push_back({{at.x - kHandle, at.y - (point.name.empty() ? kHandle : kName)}, {at.x + right, at.y + kHandle}});
  }
  for (std::size_t i = 0; i < frame.results.points(); ++i) {
    const std::vector<render::Point>& path = frame.results.point(i).path;
    if (path.empty()) continue;
    const render::Point end = toPage(frame.camera(), path.back());
    boxes.push_back({{end.x - kHandle, end.y - kHandle}, {end.x + kHandle, end.y + kHandle}});
  }
  return boxes;
}

/// The label of the recommended start, on a side that is free of handles, names and boxes.
std::optional<render::Label> targetName(const FlowFrame& frame, std::size_t moved) {
  const Theme& theme = frame.theme;
  const std::string text = frame.layout.compact
                               ? tr("guideline")
                               : filled(tr("guideline (0.5, −1): {n} points"), "{n}", std::to_string(moved));
  const double away = 15, half = 0.5 * textWidth(text, theme.smallSize) + away + 4;
  const render::Point page = toPage(frame.camera(), kRecommended);
  std::vector<render::Rect> taken = boxesOver(frame);
  std::ranges::copy(handlesOver(frame), std::back_inserter(taken));
  LabelPlacer room(frame, std::move(taken));
  for (const render::Point way : {render::Point{half, 0},
                                  {half + 2 * away, 0},  // beyond the name of a point at that place
                                  {-half, 0},
                                  {0, 2 * away},
                                  {0, -2 * away},
                                  {half, 2 * away},
                                  {-half, 2 * away},
                                  {-half, -2 * away}})
    if (auto label = room.place({page.x + way.x, page.y + way.y}, text, theme.smallSize, theme.text)) return label;
  return std::nullopt;
}

/// The recommended start of all moved points, drawn over the cloud.
std::vector<render::Item> target(const FlowFrame& frame, std::size_t moved) {
  const Theme& theme = frame.theme;
  std::vector<render::Item> items;
  if (!nearWindow(frame, kRecommended)) return items;
  items.push_back(render::Marker{kRecommended, render::Shape::Circle, 13, theme.globalMin, theme.plotBackground, 2});
  items.push_back(render::Marker{kRecommended, render::Shape::Ring, 21, theme.globalMin, theme.globalMin, 2});
  if (std::optional<render::Label> label = targetName(frame, moved)) items.emplace_back(std::move(*label));
  return items;
}

class GuidelineLayer final : public PlaneLayer {
 public:
  GuidelineLayer() : PlaneLayer("flow.guideline") {}
  void declare(PropertyRegistry& registry, const FlowShared&) override {
    using namespace declaring;
    const Getters moved([this](int) { return moved_ ? &*moved_ : nullptr; });
    const auto count = [this](double GuidelineEffect::*member) {
      return [this, member](int) {
        return moved_ && cloud_ ? shareWithNumbers((*moved_).*member, cloud_->points.size()) : std::string();
      };
    };
    const auto cloudFollows = [](const Document&, const Document& with) -> Result<Document> {
      return whenOn("flow.guideline")(with) ? with.with("flow.show.cloud", true) : with;
    };
    const std::string mean = "\\frac1N\\sum_{i=1}^{N}\\mathbb{1}\\left[\\theta_i\\in ";
    const char* const where = "Local-to-Global, section 4, A.3.2";
    // clang-format off
    declareParameters(registry, {.applies = onPlane(canonical), .equation = where, .formulaApplies = canonical}, {
        {.key = "flow.guideline", .label = N_("Guideline"), .fallback = false,
         .help = N_("Replaces every point of the Gaussian cloud outside the region that is good for every chain by e "
                    "= 0.5, w = −1, and shows the shares before and after."),
         .formula = "\\theta_i \\mapsto \\begin{cases} \\theta_i & \\theta_i\\in I_{\\mathrm{common}} \\\\ (0.5,-1) & "
                    "\\theta_i\\notin I_{\\mathrm{common}} \\end{cases}",
         .errata = {"l2g-15"}, .follow = cloudFollows}});
    declareReadOuts(registry, {.prefix = "flow.guideline.", .applies = onPlane(canonical), .equation = where,
                               .formulaApplies = canonical, .numberWords = shownShare}, {
        {.key = "common", .label = N_("Good for all"),
         .help = N_("Share of the Gaussian cloud that reaches a global minimum whatever p and q are, before the "
                    "guideline is applied; afterwards all of it does."),
         .formula = mean + "I_{\\mathrm{common}}\\right]", .withNumbers = count(&GuidelineEffect::inCommonBefore),
         .errata = {"l2g-15"}, .get = moved(&GuidelineEffect::inCommonBefore)},
        {.key = "before", .label = N_("Stuck before"),
         .help = N_("Share of the Gaussian cloud that ends in a local minimum of the current chain."),
         .formula = mean + "I_{\\mathrm{min}}\\right]", .withNumbers = count(&GuidelineEffect::stuckBefore),
         .errata = {"l2g-14"}, .get = moved(&GuidelineEffect::stuckBefore)},
        {.key = "after", .label = N_("Stuck after"),
         .help = N_("The same share after the guideline has moved the points that are not good for every chain."),
         .formula = mean + "I_{\\mathrm{min}}\\right]", .withNumbers = count(&GuidelineEffect::stuckAfter),
         .errata = {"l2g-15"}, .get = moved(&GuidelineEffect::stuckAfter)}});
    // clang-format on
  }
  void read(const Document& document, const PropertyRegistry& registry, const FlowState& state) override {
    shown_ = state.showCloud && registry.toggle(document, "flow.guideline");
  }
  void update(const FlowFrame& frame, ExhibitContext&) override {
    const std::shared_ptr<const Cloud> cloud = shown_ ? frame.results.cloud() : nullptr;
    const double switching = frame.state.chain.switching();
    if (cloud == cloud_ && of_ == switching) return;
    cloud_ = cloud;
    of_ = switching;
    moved_ = cloud_ ? std::optional<GuidelineEffect>(guidelineEffect(*cloud_, frame.state.chain)) : std::nullopt;
  }
  void views(const FlowFrame& frame, PlaneViews& into) const override {
    if (!shown_ || !moved_ || frame.state.degenerate()) return;
    const std::uint64_t cloud = frame.results.cloudRevision();
    into.add(PlaneLevel::Lines, "guideline moves", Digest().add(cloud),
             [this](const FlowFrame& plane) { return items(plane); });
    const std::optional<render::Label> name = targetName(frame, moved_->outside.size());
    into.add(PlaneLevel::Lines, "guideline",
             Digest().add(boxesOver(frame), cloud, name ? name->at.x : 0, name ? name->at.y : 0),
             [this](const FlowFrame& plane) { return target(plane, moved_->outside.size()); });
  }
  void legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const override {
    if (!shown_ || !moved_) return;
    const auto both = [](std::string text, double before, double after) {
      return filled(filled(std::move(text), "{a}", shownShare(before)), "{b}", shownShare(after));
    };
    rows.push_back(overlay::glyphRow(
        frame.theme, markov::LimitKind::GlobalMin,
        both(frame.layout.legendOpen ? tr("guideline, local minimum: {a} → {b}") : tr("guideline: {a} → {b}"),
             moved_->stuckBefore, moved_->stuckAfter)));
    if (!frame.layout.legendOpen) return;
    // The row about the cloud's points in I_common has the swatch of that region, as CommonLayer draws it.
    rows.push_back(
        overlay::areaRow(frame.theme, markov::LimitKind::GlobalMin, true,
                         both(tr("cloud, in I_common (good for every p, q): {a} → {b}"), moved_->inCommonBefore, 1)));
  }
  void panel(const FlowFrame&, ExhibitContext&, PagePanel& panel) override {
    if (shown_) panel.rows("flow.guideline.", {"common", "before", "after"});
  }
  void numbers(const FlowState&, Numbers& numbers) const override {
    if (!shown_ || !moved_ || !cloud_) return;
    Table table{"guideline", {numberColumn("e"), numberColumn("w"), numberColumn("e_after"), numberColumn("w_after")}};
    for (const render::Point at : cloud_->points) {
      const render::Point after = markov::inCommon(at.x, at.y) ? at : kRecommended;
      addRow(table, at.x, at.y, after.x, after.y);
    }
    numbers.tables.push_back(std::move(table));
  }
  std::string caption(const FlowState&) const override {
    return shown_ ? tr("rings: cloud points that the guideline moves to (0.5, −1)") : "";
  }
  std::vector<FlowPage::Command> commands(const Document& document) override {
    const bool one = hasSelected(document) && canonical(document);
    const auto follow = [](const FlowPageFrame& frame, ExhibitContext& context) {
      const FlowState& state = frame.state();
      if (state.selected < 0 || !state.canonical)
        return context.editor.say(tr("Select a point of the canonical plane first."));
      commitStep(context,
                 withPoint(context.editor.document(), static_cast<std::size_t>(state.selected), kRecommended.x,
                           kRecommended.y),
                 tr("place the point by the guideline"));
    };
    return {{"flow.follow-guideline", tr("Place the point by the guideline"), "", tr("Exhibit"), one, follow}};
  }

 private:
  std::vector<render::Item> items(const FlowFrame& frame) const {
    std::vector<render::Item> items;
    if (!cloud_ || !moved_) return items;
    const Theme& theme = frame.theme;
    const std::vector<std::size_t>& outside = moved_->outside;
    const std::size_t step = std::max<std::size_t>(1, (outside.size() + kMostMoves - 1) / kMostMoves);
    for (std::size_t i = 0; i < outside.size(); i += step)
      items.push_back(render::Polyline{
          {cloud_->points[outside[i]], kRecommended}, {faded(theme.globalMin, 0.22f), 1, render::Dash::Solid}, {}});
    for (const std::size_t i : outside)
      if (nearWindow(frame, cloud_->points[i]))
        items.push_back(render::Marker{cloud_->points[i], render::Shape::Ring, 8, theme.textMuted, theme.textMuted, 1});
    return items;
  }

  std::shared_ptr<const Cloud> cloud_;
  std::optional<GuidelineEffect> moved_;
  std::optional<double> of_;  ///< p + q - 1 that moved_ belongs to
};

}  // namespace

std::unique_ptr<PlaneLayer> makeGuidelineLayer() {
  return std::make_unique<GuidelineLayer>();
}

}  // namespace sepx::ui
