// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/web_maker.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/number.h"
#include "engine/core/try.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/figure_panels.h"
#include "ui/workbench/state_share.h"

namespace sepx::ui {
namespace {

// Largest numbers of cells whose texts are kept: all cells of a matrix of 64 rows if it is the only picture.
constexpr std::size_t kMostCells = 4200, kMostCellsOfMany = 1500, kMostCellsInAll = 24'000;

/// The values of the slider; those of an integer parameter are distinct.
std::vector<double> valuesOf(const FigureSweep& sweep, const Property& property) {
  const bool logarithmic = property.scale == Scale::Logarithmic && sweep.from > 0 && sweep.to > 0;
  std::vector<double> values;
  for (int i = 0; i < sweep.count; ++i) {
    const double share = static_cast<double>(i) / (sweep.count - 1);
    double value = logarithmic ? sweep.from * std::pow(sweep.to / sweep.from, share)
                               : sweep.from + share * (sweep.to - sweep.from);
    // Removes rounding errors: 0.2 to 0.8 in twelve steps has 0.25, not 0.25000000000000006.
    constexpr double kDigits = 1e12;
    value = property.kind == Kind::Integer ? std::round(value) : std::round(value * kDigits) / kDigits;
    if (values.empty() || values.back() != value) values.push_back(value);
  }
  return values;
}

std::size_t nearest(const std::vector<double>& values, const Value& now) {
  const double* const value = std::get_if<double>(&now);
  if (!value) return 0;
  const auto least = std::min_element(values.begin(), values.end(), [value](double a, double b) {
    return std::abs(a - *value) < std::abs(b - *value);
  });
  return static_cast<std::size_t>(least - values.begin());
}

}  // namespace

std::string pageLanguage() {
  std::string key = language();
  std::ranges::replace(key, '_', '-');
  return key == "pseudo" ? "en" : key;
}

Result<FigureSweep> parseSweep(const std::string& text) {
  const auto wrong = [&text] {
    return fail(
        ErrorKind::Usage,
        trFormat("{}: a slider is written KEY=FROM..TO or KEY=FROM..TO/N with N from 2 to {}: flow.p=0.2..0.8/13", text,
                 kMostSwept));
  };
  const std::size_t equal = text.find('='), dots = text.find("..", equal);
  if (equal == std::string::npos || equal == 0 || dots == std::string::npos) return wrong();
  const std::size_t slash = std::min(text.find('/', dots), text.size());
  FigureSweep sweep;
  sweep.key = text.substr(0, equal);
  const auto from = parseNumber(text.substr(equal + 1, dots - equal - 1));
  const auto to = parseNumber(text.substr(dots + 2, slash - dots - 2));
  if (!from || !to || !std::isfinite(*from) || !std::isfinite(*to) || *from == *to) return wrong();
  sweep.from = *from;
  sweep.to = *to;
  if (slash == text.size()) return sweep;
  const auto count = parseNumber(text.substr(slash + 1));
  if (!count || *count != std::floor(*count) || *count < 2 || *count > kMostSwept) return wrong();
  sweep.count = static_cast<int>(*count);
  return sweep;
}

Result<void> WebPictures::begin(Workbench& figure) {
  const FigureSweep& sweep = request_.sweep;
  if (sweep.key.empty()) return {};
  key_ = sweep.key;
  const auto whose = splitPaneKey(sweep.key);
  if (request_.pane > 0 && whose && whose->pane == request_.pane && figure.panes() == 1) key_ = whose->key;
  const auto found = figure.find(key_);
  const Property* const property = found ? found->property : nullptr;
  if (!property || (property->kind != Kind::Real && property->kind != Kind::Integer))
    return fail(ErrorKind::Usage, trFormat("{}: there is no numeric parameter of this name for a slider", sweep.key));
  values_ = valuesOf(sweep, *property);
  if (values_.size() < 2) return fail(ErrorKind::Usage, trFormat("{}: the slider has one value only", sweep.key));
  WebSlider& slider = section_.slider.emplace();
  slider.label = shortName(*property);
  for (const double value : values_) {
    slider.values.push_back(formatValue(*property, value));
    if (auto good = accept(*property, value, sweep.key); !good) return tl::unexpected(good.error());
  }
  if (const auto now = figure.get(key_)) slider.start = nearest(values_, *now);
  return set(figure);
}

Result<void> WebPictures::set(Workbench& figure) {
  return figure.set(key_, values_[section_.pictures.size()]);
}

Result<bool> WebPictures::add(Workbench& figure, const std::vector<render::PlacedScene>& placed, const FigurePage& page,
                              const Theme& theme, const std::string& title) {
  WebPicture picture;
  picture.title = title;
  picture.width = page.width;
  picture.height = page.height;
  if (request_.caption) picture.caption = captionText(captionsOf(figure));
  const std::string prefix = prefix_ + std::to_string(section_.pictures.size()) + "-";
  const std::string label = picture.caption.empty() ? title : title + ". " + picture.caption;
  picture.svg = render::toSvgElement(
      placed, {page.width, page.height, request_.width, request_.height, theme.plotBackground}, prefix, label);
  const std::size_t pictures = std::max<std::size_t>(1, values_.size());
  const std::size_t most = pictures > 1 || !request_.idPrefix.empty() ? kMostCellsOfMany : kMostCells;
  collectValues(figure, static_cast<double>(page.pixelsPerUnit), std::min(most, kMostCellsInAll / pictures), picture);
  // A state that is too large to be shown is still in the recipe of the page.
  if (auto state = stateText(figure); state && state->size() <= kLongestShownState) picture.state = std::move(*state);
  section_.pictures.push_back(std::move(picture));
  if (section_.pictures.size() >= values_.size()) return false;
  SEPX_TRY(set(figure));
  return true;
}

double WebPictures::share() const {
  return static_cast<double>(section_.pictures.size()) / static_cast<double>(std::max<std::size_t>(1, values_.size()));
}

}  // namespace sepx::ui
