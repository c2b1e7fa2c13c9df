// SPDX-License-Identifier: Apache-2.0
// Draws I_common over the plane, hatched and named. Its border is the curve e^2 = g(w)^2 on both sides of the saddle.
// One job computes the region by theory, by integration of a chain on either side of p + q = 1, or by both, counting
// the pixels on which they differ (flow.basin.method). A second layer names the paper's sets. Frame thread.
#include "ui/exhibits/flow/plane/common_layers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/markov/basin.h"
#include "engine/markov/common_region.h"
#include "engine/markov/critical_sets.h"
#include "engine/markov/energy.h"
#include "engine/markov/level_sets.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/page/lane.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr int kMostColumns = 1024, kShareCells = 256;
constexpr std::uint8_t kHatch = 2;  // counter-diagonal; the basins use the other diagonal

struct Request {
  FlowModel model;
  BasinMethod method = BasinMethod::Exact;
  render::Rect view;
  int columns = 0, rows = 0;
  bool operator==(const Request& other) const {
    if (method != other.method || !(view == other.view) || columns != other.columns || rows != other.rows) return false;
    return method == BasinMethod::Exact || model == other.model;  // by theory, the region is the same for every chain
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
  CommonLayer() : PlaneLayer("flow.show.common") {}
  void declare(PropertyRegistry& registry, const FlowShared&) override {
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
        {.key = "flow.show.common",
         .into = &FlowState::showCommon, .label = N_("Good for every chain"), .fallback = false,
         .help = N_("The initial points that reach a global minimum whatever p and q are. Computed by theory or by "
                    "integration, as set for the basins."),
         .formula = set, .errata = {"l2g-15", "l2g-19"}}});
    declareReadOuts(registry, common, {
        {.key = "flow.common.share", .label = N_("Good for every chain"),
         .help = N_("Share of the window that reaches a global minimum whatever p and q are."), .formula = set,
         .withNumbers = part.text([](const auto& of) {
           return shareWithNumbers(of.share, std::size_t{kShareCells} * kShareCells);
         }),
         .errata = {"l2g-19"}, .get = part([](const auto& of) { return of.share; }), .numberWords = shownShare},
        {.key = "flow.common.disagreements", .label = N_("Disagreeing, every chain"),
         .help = N_("Number of pixels on which theory and integration differ, on both sides of p + q = 1."),
         .formula = "\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i\\ne k_i'\\right]",
         .withNumbers = compared.text([](const auto& of) {
           return countWithNumbers(*of.disagreements, of.differs->size());
         }),
         .digits = 0, .get = compared([](const auto& of) { return of.disagreements; })}});
    // clang-format on
  }
  void update(const FlowFrame& frame, ExhibitContext& context) override {
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
  void views(const FlowFrame& frame, PlaneViews& into) const override {
    if (!frame.state.showCommon) return;
    into.add(PlaneLevel::Ground, "common region", Digest().add(region_.revision()),
             [this](const FlowFrame& plane) { return area(plane); });
    into.add(PlaneLevel::Ground, "common border", Digest(), border);
    if (!frame.layout.tiny) into.add(PlaneLevel::Lines, "common name", Digest().add(boxesOver(frame)), name);
  }
  std::uint64_t contentDigest() const override { return region_.revision(); }
  void legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const override {
    if (!frame.state.showCommon || !region()) return;
    rows.push_back(
        overlay::areaRow(frame.theme, markov::LimitKind::GlobalMin, true,
                         (frame.layout.legendOpen ? tr("a global minimum for every p, q: ") : tr("every p, q: ")) +
                             shownShare(region()->share)));
    if (!region()->disagreements) return;
    rows.push_back(overlay::disagreementRow(frame.theme,
                                            tr("for every p, q theory and integration disagree: {n} of {m} pixels"),
                                            *region()->disagreements, region()->differs->size()));
  }
  bool complete() const override { return region_.complete(); }
  void numbers(const FlowState& state, Numbers& numbers) const override {
    if (!state.showCommon || !region() || !region()->theory) return;
    const auto grid = [&numbers](const std::string& name, const markov::CommonMap& map) {
      const auto width = static_cast<std::size_t>(map.window.width),
                 height = static_cast<std::size_t>(map.window.height);
      numbers.grids.push_back({name, {height, width}, rowsUpwards(*map.inside, width)});
    };
    grid("common", *region()->theory);
    if (region()->integrated) grid("common_integrated", *region()->integrated);
  }
  std::string caption(const FlowState& state) const override {
    return state.showCommon ? tr("within the dashed border: a global minimum for every p and q") : "";
  }

 private:
  std::vector<render::Item> area(const FlowFrame& frame) const {
    if (!region() || !region()->theory) return {};
    const bool integrated =
        region_.requested() && region_.requested()->method == BasinMethod::Integrate && region()->integrated;
    const markov::CommonMap& map = integrated ? *region()->integrated : *region()->theory;
    const auto item = [](const markov::CommonMap& of, const auto& labels, render::Color color, std::uint8_t hatch) {
      return labelMapOf(of.window, labels, {render::Color{0, 0, 0, 0}, color}, {0, hatch});
    };
    std::vector<render::Item> items{item(map, map.inside, faded(frame.theme.globalMin, 0.18f), kHatch)};
    if (region()->differs && region()->disagreements.value_or(0) > 0)
      items.push_back(item(*region()->integrated, region()->differs, frame.theme.error, 0));
    return items;
  }
  /// The curve e^2 = g(w)^2 on both sides of the saddle. Where it coincides with I_sad, the line of I_sad covers it.
  static std::vector<render::Item> border(const FlowFrame& frame) {
    const render::Rect& v = frame.state.view;
    std::vector<render::Item> items;
    for (const auto& piece :
         markov::energyContour(markov::saddleEnergy(), v.min.x, v.max.x, v.min.y, std::min(v.max.y, 0.0), 512))
      addLine(items, asPoints(piece), {frame.theme.globalMin, frame.theme.lineWidth, render::Dash::Dashed}, frame);
    return items;
  }
  static std::vector<render::Item> name(const FlowFrame& frame) {
    std::vector<render::Item> items;
    if (const auto place = roomiest(frame, [](render::Point data) { return markov::inCommon(data.x, data.y); }))
      addSetName(items, frame, *place, "common");
    return items;
  }

  const Region* region() const { return region_.result(); }  ///< the latest result, possibly partial; may be null

  Lane<Request, Region> region_{"flow.common"};
};

}  // namespace

std::unique_ptr<PlaneLayer> makeCommonLayer() {
  return std::make_unique<CommonLayer>();
}

namespace {

using markov::LimitKind;

/// Writes a name beside the middle of the visible part of a curve, and appends its place to `places`.
void nameCurve(std::vector<render::Item>& items, const FlowFrame& frame, const std::vector<markov::PlanePoint>& points,
               const std::string& below, std::vector<render::Point>& places) {
  constexpr double kTipOffset = 26, kBorder = 20;
  if (points.size() < 2) return;
  const auto page = [&](double share) {
    const double place = share * static_cast<double>(points.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(place), points.size() - 2);
    const double part = place - static_cast<double>(i);
    return toPage(frame.camera(), {points[i].e + part * (points[i + 1].e - points[i].e),
                                   points[i].w + part * (points[i + 1].w - points[i].w)});
  };
  const render::Rect& plot = frame.layout.plot;
  const std::vector<render::Rect> written = boxesOver(frame);
  for (const double share : {0.55, 0.4, 0.7}) {
    const render::Point at = page(share), before = page(share - 0.05), after = page(share + 0.05);
    const double length = std::hypot(after.x - before.x, after.y - before.y);
    if (!(length > 0)) continue;
    for (const double side : {1.0, -1.0}) {
      const render::Point place{at.x - side * kTipOffset * (after.y - before.y) / length,
                                at.y + side * kTipOffset * (after.x - before.x) / length};
      if (place.x < plot.min.x + kBorder || place.x > plot.max.x - kBorder || place.y < plot.min.y + kBorder ||
          place.y > plot.max.y - kBorder)
        continue;
      if (std::any_of(written.begin(), written.end(), [place](const render::Rect& box) { return box.contains(place); }))
        continue;
      places.push_back(place);
      items.push_back(pageLine(at, place, frame.theme.text));
      addSetName(items, frame, place, below);
      return;
    }
  }
}

class NamesLayer final : public PlaneLayer {
 public:
  NamesLayer() : PlaneLayer("flow.show.names") {}
  void declare(PropertyRegistry& registry, const FlowShared&) override {
    // clang-format off
    declareParameters(registry, {.applies = declaring::onPlane(canonical)}, {
        {.key = "flow.show.names", .label = N_("Region labels"), .fallback = false,
         .help = N_("Labels the regions whose points reach a global minimum, a local minimum, the saddle or a local "
                    "maximum: the paper's sets of initialisations."),
         .equation = "Local-to-Global, Theorems 2 and 8"}});
    // clang-format on
  }
  void views(const FlowFrame& frame, PlaneViews& into) const override {
    if (!shown_ || !frame.state.canonical || frame.state.degenerate() || frame.layout.tiny) return;
    into.add(PlaneLevel::Lines, "names of the sets",
             Digest().add(boxesOver(frame), frame.state.chain.switching() > 0, frame.state.showCommon), names);
  }

 private:
  static std::vector<render::Item> names(const FlowFrame& frame) {
    const markov::Chain& chain = frame.state.chain;
    const render::Rect& v = frame.state.view;
    std::vector<render::Item> items;
    std::vector<render::Point> places;
    const markov::CriticalSets sets = markov::criticalSets(chain, v.min.x, v.max.x, v.min.y, v.max.y, 64);
    if (!frame.layout.compact) {  // a compact picture has no room beside the curves
      for (const markov::Curve& curve : sets.separatrix)
        if (curve.points.back().e > 0) nameCurve(items, frame, curve.points, "sad", places);
      for (const markov::Curve& curve : sets.curves)
        if (curve.kind == LimitKind::LocalMax) nameCurve(items, frame, curve.points, "max", places);
    }
    const auto region = [&](LimitKind kind, const std::string& below) {
      constexpr double kApart = 48;
      const auto place = roomiest(frame, [&](render::Point data) {
        if (kind == LimitKind::GlobalMin && frame.state.showCommon && markov::inCommon(data.x, data.y)) return false;
        const render::Point page = toPage(frame.camera(), data);
        for (const render::Point other : places)
          if (std::hypot(page.x - other.x, page.y - other.y) < kApart) return false;
        return markov::basinLabel(chain, data.x, data.y) == kind;
      });
      if (place) addSetName(items, frame, *place, below);
    };
    region(LimitKind::GlobalMin, "∗");
    region(LimitKind::LocalMin, "min");
    return items;
  }
};

}  // namespace

std::unique_ptr<PlaneLayer> makeNamesLayer() {
  return std::make_unique<NamesLayer>();
}

}  // namespace sepx::ui
