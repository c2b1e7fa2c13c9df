// SPDX-License-Identifier: Apache-2.0
// See figure_panels.h.
#include "ui/workbench/figure_panels.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "engine/core/terminal_text.h"
#include "ui/page/exhibit.h"
#include "ui/page/page_key.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kMostNamed = 3;     // panels of a whole page that its title names
constexpr std::size_t kQuotedView = 100;  // bytes of a name in a sentence

/// Splits "training@2.curves.loss" into "training.curves.loss" and 2; 0 if the name has no pane number.
std::pair<std::string, int> splitName(const std::string& name) {
  const std::size_t at = name.find('@'), point = std::min(name.find('.'), name.size());
  if (at == std::string::npos || point < at) return {name, 0};
  int pane = 0;
  std::from_chars(name.data() + at + 1, name.data() + point, pane);
  return {name.substr(0, at) + name.substr(point), pane};
}

std::string withPane(const std::string& name, int pane) {
  const std::size_t point = std::min(name.find('.'), name.size());
  return fmt::format("{}@{}{}", name.substr(0, point), pane, name.substr(point));
}

/// A label without its unit: "loss" for "loss (nats)".
std::string shortLabel(const std::string& label) {
  return label.substr(0, label.find(" ("));
}

std::vector<FigurePanel> standing(const Workbench& figure, int pane) {
  std::vector<FigurePanel> panels = figure.exhibit(pane).panels();
  std::erase_if(panels, [](const FigurePanel& one) { return !one.box; });
  return panels;
}

std::string pageName(const Workbench& of, int pane) {
  const std::string key = of.inPane(pageKey(of.exhibit(pane).key()), pane);
  const auto found = of.find(key);
  const auto value = of.get(key);
  if (!found || !found->property || !value || !found->property->choiceLabel) return {};
  return found->property->choiceLabel(toString(*value));
}

}  // namespace

std::string panelName(const Workbench& of, int pane, const FigurePanel& panel) {
  return of.panes() > 1 ? withPane(panel.name, pane) : panel.name.substr(panel.name.find('.') + 1);
}

std::vector<FigureChoice> choicesOf(const FigureRequest& request, int panes) {
  std::vector<FigureChoice> all;
  const int first = request.pane > 0 ? request.pane : 1, last = request.pane > 0 ? request.pane : panes;
  for (int pane = first; pane <= last; ++pane) {
    FigureChoice& choice = all.emplace_back();
    choice.legend = request.legend;
    for (const std::string& asked : request.views)
      if (const auto& [name, of] = splitName(asked); of == 0 || of == pane) choice.views.push_back(name);
    for (const auto& [asked, part] : request.parts)
      if (const auto& [name, of] = splitName(asked); std::max(of, 1) == pane) choice.parts.emplace_back(name, part);
  }
  return all;
}

ChartParts partsOf(const Workbench& window) {
  ChartParts all;
  for (int pane = 1; pane <= window.panes(); ++pane)
    for (const auto& [name, part] : window.exhibit(pane).chartParts())
      all.emplace_back(pane > 1 ? withPane(name, pane) : name, part);
  return all;
}

Result<void> checkViews(const Workbench& figure, const FigureRequest& request) {
  const std::vector<FigureChoice> choices = choicesOf(request, figure.panes());
  std::string known;
  std::vector<std::string> names;
  for (int pane = 1; pane <= figure.panes(); ++pane)
    for (const FigurePanel& panel : figure.exhibit(pane).panels()) {
      names.push_back(panel.name);
      known += (known.empty() ? "" : ", ") + panelName(figure, pane, panel);
    }
  for (const std::string& asked : request.views) {
    const std::string name = splitName(asked).first;
    if (std::any_of(names.begin(), names.end(), [&](const std::string& one) { return matchesView(name, one); }))
      continue;
    const std::string quoted = excerpt(asked, kQuotedView);
    return fail(ErrorKind::Usage, known.empty()
                                      ? trFormat("{}: this page has no views that can be panels of a figure", quoted)
                                      : trFormat("{}: there is no such view here; available: {}", quoted, known));
  }
  return {};
}

std::vector<render::Rect> panelBoxes(const Workbench& figure) {
  std::vector<render::Rect> boxes;
  for (int pane = 1; pane <= figure.panes(); ++pane)
    for (const FigurePanel& panel : standing(figure, pane))
      boxes.push_back(*panel.box);
  return boxes;
}

std::vector<render::Point> panelCorners(const Workbench& figure, const std::vector<render::PlacedScene>& panes) {
  std::vector<render::Point> corners;
  for (std::size_t i = 0; i < panes.size(); ++i) {
    const render::Point origin = panes[i].origin;
    const std::vector<FigurePanel> panels = standing(figure, static_cast<int>(i) + 1);
    for (const FigurePanel& panel : panels)
      corners.push_back({origin.x + panel.box->min.x, origin.y + panel.box->min.y});
    if (panels.empty()) corners.push_back({origin.x + 4, origin.y + 4});
  }
  return corners;
}

std::vector<PaneCaption> captionsOf(const Workbench& figure) {
  std::vector<PaneCaption> all;
  std::size_t letter = 0;
  for (int pane = 1; pane <= figure.panes(); ++pane) {
    PaneCaption& caption = all.emplace_back();
    caption.text = figure.exhibit(pane).caption();
    const std::vector<FigurePanel> panels = standing(figure, pane);
    const bool several = panels.size() > 1 || (figure.panes() > 1 && !panels.empty());
    for (const FigurePanel& panel : several ? panels : std::vector<FigurePanel>(1)) {
      const std::string own = panelLetter(letter++);
      caption.letters += (caption.letters.empty() ? "" : ", ") + own;
      if (several) caption.panels += (caption.panels.empty() ? "" : ", ") + own + " " + panel.label;
    }
    if (several) caption.panels += ".";
  }
  return all;
}

std::string titleOf(const Workbench& of, const std::vector<FigureChoice>& choices, int first) {
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const int pane = first + static_cast<int>(i);
    if (pane > of.panes()) break;
    const Exhibit& exhibit = of.exhibit(pane);
    std::string title = exhibit.title();
    if (const std::string page = pageName(of, pane); !page.empty()) title += " · " + page;
    std::vector<std::string> labels;
    const std::vector<std::string>& wanted = choices[i].views;
    for (const FigurePanel& panel : exhibit.panels()) {
      const std::string label = shortLabel(panel.label);
      const bool meant = wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& asked) {
                           return matchesView(asked, panel.name);
                         });
      if (meant && !label.empty() && std::find(labels.begin(), labels.end(), label) == labels.end())
        labels.push_back(label);
    }
    if (!labels.empty() && (!wanted.empty() || labels.size() <= kMostNamed))
      title += ": " + fmt::format("{}", fmt::join(labels, ", "));
    if (std::find(titles.begin(), titles.end(), title) == titles.end()) titles.push_back(std::move(title));
  }
  return fmt::format("{}", fmt::join(titles, "; "));
}

std::string figureTitle(const Workbench& of, const FigureRequest& request) {
  return titleOf(of, choicesOf(request, of.panes()), std::max(request.pane, 1));
}

std::string remarkOf(const Workbench& figure) {
  std::vector<std::string> missing;
  for (int pane = 1; pane <= figure.panes(); ++pane)
    for (std::string& one : figure.exhibit(pane).leftOut())
      if (std::find(missing.begin(), missing.end(), one) == missing.end()) missing.push_back(std::move(one));
  return missing.empty() ? std::string() : trFormat("No room for: {}.", fmt::format("{}", fmt::join(missing, ", ")));
}

}  // namespace sepx::ui
