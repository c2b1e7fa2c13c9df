// SPDX-License-Identifier: Apache-2.0
// ViewBoard in a figure: the page as it is, or some of its views as panels of one size in a grid, with aligned plots
// and one legend below. Letters and captions are added by the code that lays out the page of the figure.
#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/board.h"

namespace sepx::ui {

namespace {

constexpr double kPanelGap = 1.2;                    // between panels, multiples of the type size
constexpr double kLetterLine = 1.2;                  // room for a letter above a panel without a title, likewise
constexpr double kMostLegend = 0.4;                  // share of the height
constexpr double kWideChart = 1.45, kSquareOne = 1;  // preferred width over height of a panel
constexpr const char* kLegendName = "panel-legend-";

bool isLegend(const View& view) {
  return std::holds_alternative<LegendContent>(view.content);
}

/// Whether a view is meaningful by itself. `free`: it is placed by the layout, not at a fixed position or in a stack.
bool standsAlone(const View& view, bool free) {
  if (const auto* chart = std::get_if<ChartContent>(&view.content)) return !chart->chart.plot;
  if (const auto* matrix = std::get_if<MatrixContent>(&view.content)) return matrix->values != nullptr;
  if (const auto* picture = std::get_if<PictureContent>(&view.content)) return free && picture->read;
  return free && std::holds_alternative<TableContent>(view.content);
}

bool canBePanel(const Arrangement& stack) {
  return std::all_of(stack.parts.begin(), stack.parts.end(),
                     [](const Arrangement& part) { return part.kind == Arrangement::Kind::View && !part.at; });
}

/// Whether some chart has several named lines, and none of the names is in a legend of the page or of a chart, or above
/// a matrix.
bool lacksLegend(const std::vector<View>& views, const std::vector<PlacedPart>& parts) {
  std::vector<const ChartContent*> charts;
  std::vector<std::string> named;
  const auto addNames = [&named](const std::vector<LegendEntry>& entries) {
    for (const LegendEntry& entry : entries)
      named.push_back(entry.name);
  };
  for (const View& view : views) {
    const bool placed =
        std::any_of(parts.begin(), parts.end(), [&view](const PlacedPart& part) { return part.view == view.name; });
    if (!placed) continue;
    if (isLegend(view)) return false;  // it explains the charts, in its own words
    if (const auto* matrix = std::get_if<MatrixContent>(&view.content); matrix && matrix->head)
      addNames({*matrix->head});
    const auto* const chart = std::get_if<ChartContent>(&view.content);
    if (!chart) continue;
    if (chart->chart.legend)
      addNames(legendOf(chart->chart));
    else
      charts.push_back(chart);
  }
  return std::any_of(charts.begin(), charts.end(), [&named](const ChartContent* chart) {
    const std::vector<LegendEntry> entries = legendOf(chart->chart);
    return entries.size() > 1 && std::none_of(entries.begin(), entries.end(), [&named](const LegendEntry& entry) {
             return std::find(named.begin(), named.end(), entry.name) != named.end();
           });
  });
}

/// The number of panels in a row with which their shape comes nearest to `shape`, width over height.
std::size_t panelsInRow(const render::Rect& box, std::size_t count, double gap, double shape) {
  std::size_t best = 1;
  double least = 1e9;
  for (std::size_t perRow = 1; perRow <= count; ++perRow) {
    const render::Rect one = gridOf(box, count, perRow, gap).front();
    const double away = std::abs(std::log(std::max(one.width(), 1.0) / std::max(one.height(), 1.0) / shape));
    if (away <= least) least = away, best = perRow;
  }
  return best;
}

}  // namespace

void ViewBoard::choose(const FigureChoice& choice) {
  if (choice_ == choice) return;
  choice_ = choice;
  pictureRoom_.reset();
  placedOf_ = 0;
}

std::vector<ViewBoard::Panel> ViewBoard::allPanels() const {
  std::vector<Panel> panels;
  // A page with nothing to show has only sentences.
  const auto isSentence = [](const View& view) { return std::holds_alternative<TextContent>(view.content); };
  if (!picture_.empty() && !std::all_of(views_.views.begin(), views_.views.end(), isSentence))
    panels.push_back({picture_, {}});
  const auto add = [&](const auto& self, const Arrangement& part, bool free) -> void {
    free = free && !part.at;
    if (part.kind == Arrangement::Kind::View) {
      const View* const view = named(part.view);
      const bool known =
          std::any_of(panels.begin(), panels.end(), [&](const Panel& one) { return one.name == part.view; });
      if (view && !known && standsAlone(*view, free)) panels.push_back({view->name, {view->name}});
      return;
    }
    const bool stack = part.kind == Arrangement::Kind::Stack;
    if (stack && free && part.parts.size() > 1 && canBePanel(part)) {
      Panel& panel = panels.emplace_back();
      for (const Arrangement& one : part.parts)
        panel.views.push_back(one.view);
      panel.name = panel.views.front();
      return;
    }
    for (const Arrangement& one : part.parts)
      self(self, one, free && !stack);
  };
  add(add, views_.arrangement, true);
  // If the page has a picture of its own, the views that it has no room for can be panels too.
  for (const View& view : views_.views) {
    const bool known = std::any_of(panels.begin(), panels.end(), [&](const Panel& one) {
      return one.name == view.name || std::find(one.views.begin(), one.views.end(), view.name) != one.views.end();
    });
    if (!picture_.empty() && !known && standsAlone(view, false)) panels.push_back({view.name, {view.name}});
  }
  return panels;
}

bool ViewBoard::isChosenPanel(const std::string& view) const {
  return std::any_of(choice_.views.begin(), choice_.views.end(),
                     [&](const std::string& asked) { return matchesView(asked, prefix_ + view); });
}

const ChartContent* ViewBoard::chartOf(const Panel& panel) const {
  const View* const view = panel.views.empty() ? nullptr : named(panel.views.back());
  return view ? std::get_if<ChartContent>(&view->content) : nullptr;
}

std::string ViewBoard::labelOf(const Panel& panel) const {
  if (panel.views.empty()) return tr(pictureName_);
  for (const std::string& name : panel.views) {
    const View* const view = named(name);
    if (!view) continue;
    if (const auto* chart = std::get_if<ChartContent>(&view->content))
      return chart->chart.title.empty() ? chart->chart.y.name : chart->chart.title;
    const auto* const matrix = std::get_if<MatrixContent>(&view->content);
    if (matrix && !matrix->title.empty()) return matrix->title;
    if (matrix && matrix->head) return trFormat("matrix, {}", matrix->head->name);
    const Shown* const shown = shownAs(name);
    const std::optional<ReadableView> read = shown ? shown->placed->read() : std::nullopt;
    if (read && !read->label.empty()) return read->label;
  }
  return panel.name;
}

std::vector<FigurePanel> ViewBoard::panels() const {
  std::vector<FigurePanel> all;
  for (const Panel& panel : allPanels()) {
    const auto cell = cells_.find(panel.name);
    all.push_back(
        {prefix_ + panel.name, labelOf(panel), cell == cells_.end() ? std::nullopt : std::optional(cell->second)});
  }
  return all;
}

ChartParts ViewBoard::chartParts() const {
  ChartParts parts;
  for (const Shown& shown : shown_)
    if (const std::optional<ChartPart> part = shown.placed->part()) parts.emplace_back(prefix_ + shown.name, *part);
  return parts;
}

std::vector<PlacedPart> ViewBoard::figureParts(const PageArea& area) {
  leftOut_.clear();
  cells_.clear();
  if (divided()) return panelParts(area);
  const auto isOff = [this](const std::string& name) {
    const View* const view = named(name);
    return view && isLegend(*view) && !choice_.legend;
  };
  const auto natural = [&](const std::string& name, double width) {
    const View* const view = named(name);
    return view && !isOff(name) ? heightOf(*view, width, area.theme, true) : 0.0;
  };
  std::vector<PlacedPart> all = placeParts(views_.arrangement, area.area, natural, &leftOut_);
  std::erase_if(all, [&](const PlacedPart& part) { return isOff(part.view); });
  if (choice_.legend && leftOut_.empty() && lacksLegend(views_.views, all)) leftOut_.emplace_back(tr("the legend"));
  return all;
}

std::vector<std::string> ViewBoard::addLegends(const std::vector<Panel>& panels) {
  std::vector<LegendEntry> ofPage;
  for (const View& view : views_.views)
    if (const auto* legend = std::get_if<LegendContent>(&view.content))
      ofPage.insert(ofPage.end(), legend->entries.begin(), legend->entries.end());
  const bool charts = std::any_of(panels.begin(), panels.end(), [&](const Panel& panel) { return chartOf(panel); });
  struct Group {
    std::uint64_t of;
    std::string letters;
    std::vector<LegendEntry> entries;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const ChartContent* const chart = chartOf(panels[i]);
    std::vector<LegendEntry> entries;
    if (chart && (chart->chart.legend || ofPage.empty())) entries = ui::legendOf(chart->chart);
    if (chart && !chart->chart.legend && entries.size() == 1) entries.clear();  // the name of the axis suffices
    if (entries.empty() && (chart != nullptr) == charts && !(chart && chart->chart.legend)) entries = ofPage;
    if (entries.empty()) continue;
    const std::uint64_t of = digestOf(View{"", LegendContent{entries}});
    const std::string letter = panelLetter(choice_.firstLetter + i);
    const auto same = std::find_if(groups.begin(), groups.end(), [of](const Group& one) { return one.of == of; });
    if (same == groups.end())
      groups.push_back({of, letter, std::move(entries)});
    else
      same->letters += ", " + letter;
  }
  std::vector<std::string> names;
  for (Group& group : groups) {
    if (groups.size() > 1) group.entries.insert(group.entries.begin(), {group.letters, {.width = 0}});
    names.push_back(kLegendName + std::to_string(names.size()));
    views_.views.push_back({names.back(), LegendContent{std::move(group.entries)}, nothingExported});
    digests_.push_back(digestOf(views_.views.back()));
  }
  return names;
}

void ViewBoard::placePicture(const PageArea& area, const render::Rect& room, std::vector<PlacedPart>& into) const {
  std::vector<std::string> apart;
  for (const Panel& panel : allPanels())
    apart.insert(apart.end(), panel.views.begin(), panel.views.end());
  const auto natural = [&](const std::string& name, double width) {
    const View* const view = named(name);
    return view ? heightOf(*view, width, area.theme, true) : 0.0;
  };
  for (PlacedPart& part : placeParts(views_.arrangement, room, natural))
    if (std::find(apart.begin(), apart.end(), part.view) == apart.end()) into.push_back(std::move(part));
}

std::vector<PlacedPart> ViewBoard::panelParts(const PageArea& area) {
  for (std::size_t i = views_.views.size(); i-- > 0;)
    if (views_.views[i].name.starts_with(kLegendName)) {
      views_.views.erase(views_.views.begin() + static_cast<std::ptrdiff_t>(i));
      digests_.erase(digests_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  std::vector<Panel> panels = allPanels();
  std::erase_if(panels, [this](const Panel& panel) { return !isChosenPanel(panel.name); });
  std::vector<PlacedPart> placed;
  pictureRoom_.reset();
  if (panels.empty()) return placed;
  const double unit = area.theme.textSize, pad = area.theme.space, gap = kPanelGap * unit;
  render::Rect room{{area.area.min.x + pad, area.area.min.y + pad}, {area.area.max.x - pad, area.area.max.y - pad}};
  std::vector<std::pair<std::string, double>> legends;
  double below = 0;
  for (const std::string& name : choice_.legend ? addLegends(panels) : std::vector<std::string>()) {
    legends.emplace_back(name, heightOf(*named(name), room.width(), area.theme, true));
    below += legends.back().second;
  }
  if (below > kMostLegend * room.height()) {
    leftOut_.emplace_back(tr("the legend"));
    legends.clear();
    below = 0;
  }
  room.max.y -= std::max(below > 0 ? below + pad : 0, choice_.below - pad);
  double top = room.max.y + pad;
  for (const auto& [name, height] : legends) {
    placed.push_back({name, {{room.min.x, top}, {room.max.x, top + height}}});
    top += height;
  }
  const bool charts = std::any_of(panels.begin(), panels.end(), [this](const Panel& panel) { return chartOf(panel); });
  const std::vector<render::Rect> cells =
      gridOf(room, panels.size(), panelsInRow(room, panels.size(), gap, charts ? kWideChart : kSquareOne), gap);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    cells_[panels[i].name] = cells[i];
    if (panels[i].views.empty()) {
      pictureRoom_ = render::Rect{{cells[i].min.x, cells[i].min.y + kLetterLine * unit}, cells[i].max};
      placePicture(area, *pictureRoom_, placed);
    }
    for (const std::string& name : panels[i].views) {
      // The title of a chart is on the line of the letter.
      const View* const view = named(name);
      const auto* const chart = view ? std::get_if<ChartContent>(&view->content) : nullptr;
      render::Rect box = cells[i];
      if (!chart || chart->chart.title.empty()) box.min.y += kLetterLine * unit;
      placed.push_back({name, box});
    }
  }
  return placed;
}

}  // namespace sepx::ui
