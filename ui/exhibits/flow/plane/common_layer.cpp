// SPDX-License-Identifier: Apache-2.0
// I_common over the plane, hatched and named, its border the curve e^2 = g(w)^2 on both sides of the saddle. By theory,
// by integration of a chain on either side of p + q = 1, or both with the pixels counted on which they differ
// (flow.basin.method). One job; the frame thread only takes over what it published.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/markov/common_region.h"
#include "engine/markov/energy.h"
#include "engine/markov/level_sets.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibit/lane.h"
#include "ui/exhibits/flow/plane/contour_layers.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_declare_numbers.h"
#include "ui/exhibits/flow/shared/flow_lines.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr int kMostColumns = 1024, kShareCells = 256;
constexpr std::uint8_t kHatch = 2;  // counter-diagonal: the basins have the other one

struct Request {
  FlowModel model;
  BasinMethod method = BasinMethod::Exact;
  render::Rect view;
  int columns = 0, rows = 0;
  bool operator==(const Request& other) const {
    if (method != other.method || !(view == other.view) || columns != other.columns || rows != other.rows) return false;
    return method == BasinMethod::Exact || model == other.model;  // in theory it is the same for every chain
  }
};

struct Region {
  std::optional<markov::CommonMap> theory, integrated;
  double share = 0;
  std::shared_ptr<const std::vector<std::uint8_t>> differs;
  std::optional<std::size_t> disagreements;
};

dynamics::BasinWindow gridOf(const render::Rect& view, int columns, int rows) {
  return {view.min.x, view.max.x, view.min.y, view.max.y, columns, rows};
}

void work(const Request& request, ThreadPool& pool, LaneOutput<Region>& output) {
  Region region;
  region.share = markov::commonByTheory(gridOf(request.view, kShareCells, kShareCells), pool).share;
  region.theory = markov::commonByTheory(gridOf(request.view, request.columns, request.rows), pool);
  if (request.method == BasinMethod::Exact) {
    output.finish(std::move(region));
    return;
  }
  if (!output.publish(region)) return;
  const dynamics::BasinWindow grid = countingGrid(request.model, request.view);
  region.integrated = markov::commonByIntegration(
      *request.model.field, request.model.chain, grid, pool, [&output] { return output.cancelled(); },
      [&output](double share) { output.progress(share); });
  if (!region.integrated) return;
  const markov::CommonMap twin = markov::commonByTheory(grid, pool);
  auto differs = std::make_shared<std::vector<std::uint8_t>>(markov::differences(twin, *region.integrated));
  region.disagreements = static_cast<std::size_t>(std::count(differs->begin(), differs->end(), std::uint8_t{1}));
  region.differs = std::move(differs);
  output.finish(std::move(region));
}

class CommonLayer final : public PlaneLayer {
 public:
  void declare(PropertyRegistry& registry, const FlowShared& live) override;
  void read(const Document&, const PropertyRegistry&, const FlowState&) override {}
  void update(const FlowFrame& frame, ExhibitContext& context) override;
  void parts(const FlowFrame& frame, std::vector<PlanePart>& into) const override;
  void legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const override;
  LayerKey legendKey(const FlowFrame& frame) const override { return {frame.state.showCommon, region_.revision()}; }
  std::string toggle() const override { return "flow.show.common"; }
  bool complete() const override { return region_.complete(); }
  void numbers(const FlowState& state, Numbers& numbers) const override;
  std::string caption(const FlowState& state) const override {
    return state.showCommon ? tr("within the dashed border: a global minimum for every p and q") : "";
  }

 private:
  std::vector<render::Item> area(const FlowFrame& frame) const;
  std::vector<render::Item> border(const FlowFrame& frame) const;
  static std::vector<render::Item> name(const FlowFrame& frame);

  const Region* region() const { return region_.result(); }  ///< as far as it has got; null: nothing yet

  Lane<Request, Region> region_{"flow.common"};
};

void CommonLayer::declare(PropertyRegistry& registry, const FlowShared&) {
  using namespace declaring;
  const Getters part([this](int) { return region(); });
  const Getters compared([this](int) { return region() && region()->disagreements ? region() : nullptr; });
  const char* const where = "Local-to-Global, section 4";
  const char* const set =
      "I_{\\mathrm{common}} = \\left\\{(e,w) : w<0,\\ e^2>g(w)^2\\right\\},\\quad g(w)^2 = "
      "w^2-\\log(-w)-\\frac{1+\\log2}{2}";
  const Common common{.applies = onPlane(canonical), .equation = where, .formulaApplies = canonical};
  // clang-format off
  declareParameters(registry, common, {
      {.key = "flow.show.common", .label = N_("All p and q"), .fallback = false,
       .help = N_("The starting points that reach a global minimum whatever p and q are. By theory or by integration, as "
                  "the basins are."),
       .formula = set, .errata = {"l2g-15", "l2g-19"}}});
  declareReadOuts(registry, common, {
      {.key = "flow.common.share", .label = N_("All p and q"),
       .help = N_("Share of the window that reaches a global minimum whatever p and q are."), .formula = set,
       .withNumbers = part.text([](const auto& of) {
         return shareWithNumbers(of.share, std::size_t{kShareCells} * kShareCells);
       }),
       .errata = {"l2g-19"}, .get = part([](const auto& of) { return of.share; }), .numberWords = shownShare},
      {.key = "flow.common.disagreements", .label = N_("Disagreeing, all p, q"),
       .help = N_("How many pixels differ between theory and integration on both sides of p + q = 1."),
       .formula = "\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i\\ne k_i'\\right]",
       .withNumbers = compared.text([](const auto& of) {
         return countWithNumbers(*of.disagreements, of.differs->size());
       }),
       .digits = 0, .get = compared([](const auto& of) { return of.disagreements; })}});
  // clang-format on
}

void CommonLayer::update(const FlowFrame& frame, ExhibitContext& context) {
  region_.refresh(context.jobs);
  const render::Rect& plot = frame.layout.plot;
  if (!frame.state.showCommon || plot.width() < 8 || plot.height() < 8) {
    region_.clear();
    return;
  }
  const int columns = std::clamp(static_cast<int>(plot.width()), 8, kMostColumns);
  const int rows = std::max(8, static_cast<int>(columns * plot.height() / plot.width()));
  region_.request(context.jobs, {frame.state, frame.state.method, frame.state.view, columns, rows},
                  tr("region that is good for every chain"),
                  [&pool = context.pool](const Request& request, auto& output) { work(request, pool, output); });
}

std::vector<render::Item> CommonLayer::area(const FlowFrame& frame) const {
  if (!region() || !region()->theory) return {};
  const bool integrated =
      region_.requested() && region_.requested()->method == BasinMethod::Integrate && region()->integrated;
  const markov::CommonMap& map = integrated ? *region()->integrated : *region()->theory;
  const auto item = [](const markov::CommonMap& of, const std::shared_ptr<const std::vector<std::uint8_t>>& labels,
                       render::Color color, std::uint8_t hatch) {
    const dynamics::BasinWindow& w = of.window;
    return render::LabelMap{{{w.xMin, w.yMin}, {w.xMax, w.yMax}}, w.width,   w.height, labels,
                            {render::Color{0, 0, 0, 0}, color},   {0, hatch}};
  };
  std::vector<render::Item> items{item(map, map.inside, faded(frame.theme.globalMin, 0.18f), kHatch)};
  if (region()->differs && region()->disagreements.value_or(0) > 0)
    items.push_back(item(*region()->integrated, region()->differs, frame.theme.error, 0));
  return items;
}

/// e^2 = g(w)^2 on both sides of the saddle; where it is I_sad, that line lies over it.
std::vector<render::Item> CommonLayer::border(const FlowFrame& frame) const {
  const render::Rect& v = frame.state.view;
  std::vector<render::Item> items;
  for (const auto& piece :
       markov::energyContour(markov::saddleEnergy(), v.min.x, v.max.x, v.min.y, std::min(v.max.y, 0.0), 512)) {
    std::vector<render::Point> line;
    for (const markov::PlanePoint& point : piece)
      line.push_back({point.e, point.w});
    addLine(items, line, {frame.theme.globalMin, frame.theme.lineWidth, render::Dash::Dashed}, frame);
  }
  return items;
}

std::vector<render::Item> CommonLayer::name(const FlowFrame& frame) {
  std::vector<render::Item> items;
  if (const auto place = roomiest(frame, [](render::Point data) { return markov::inCommon(data.x, data.y); }))
    addSetName(items, frame, *place, "common");
  return items;
}

void CommonLayer::parts(const FlowFrame& frame, std::vector<PlanePart>& into) const {
  if (!frame.state.showCommon) return;
  into.push_back({"common region", PlaneLevel::Ground, {region_.revision()}, [this, &frame] { return area(frame); }});
  into.push_back({"common border", PlaneLevel::Ground, {}, [this, &frame] { return border(frame); }});
  if (!frame.layout.tiny)
    into.push_back({"common name", PlaneLevel::Lines, boxesKey(frame), [&frame] { return name(frame); }});
}

void CommonLayer::legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const {
  if (!frame.state.showCommon || !region()) return;
  LegendRow row =
      overlay::areaRow(frame, markov::LimitKind::GlobalMin, true,
                       (frame.layout.legendOpen ? tr("a global minimum for every p, q: ") : tr("every p, q: ")) +
                           shownShare(region()->share));
  rows.push_back(std::move(row));
  if (!region()->disagreements) return;
  std::string text = tr("for every p, q theory and integration disagree: {n} of {m} pixels");
  text.replace(text.find("{n}"), 3, std::to_string(*region()->disagreements));
  text.replace(text.find("{m}"), 3, std::to_string(region()->differs->size()));
  LegendRow count = overlay::areaRow(frame, markov::LimitKind::Undecided, false, std::move(text));
  count.color = frame.theme.error;
  rows.push_back(std::move(count));
}

void CommonLayer::numbers(const FlowState& state, Numbers& numbers) const {
  if (!state.showCommon || !region() || !region()->theory) return;
  const auto grid = [&numbers](const std::string& name, const markov::CommonMap& map) {
    const auto width = static_cast<std::size_t>(map.window.width), height = static_cast<std::size_t>(map.window.height);
    std::vector<std::uint8_t> rows;  // from the least w up, as every grid of the picture
    rows.reserve(map.inside->size());
    for (std::size_t row = height; row-- > 0;)
      rows.insert(rows.end(), map.inside->begin() + static_cast<std::ptrdiff_t>(row * width),
                  map.inside->begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
    numbers.grids.push_back({name, {height, width}, std::move(rows)});
  };
  grid("common", *region()->theory);
  if (region()->integrated) grid("common_integrated", *region()->integrated);
}

}  // namespace

std::unique_ptr<PlaneLayer> makeCommonLayer() {
  return std::make_unique<CommonLayer>();
}

}  // namespace sepx::ui
