// SPDX-License-Identifier: Apache-2.0
// Checks figure requests, and writes and reads recipes: the request as JSON beside the state, so that a figure that is
// dropped on the window restores the state, and the same request gives the same bytes again. Pure.
#include "ui/workbench/figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <type_traits>

#include "engine/core/ascii.h"
#include "engine/core/terminal_text.h"
#include "ui/document/json_text.h"
#include "ui/page/exhibit.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/figure_format.h"

namespace sepx::ui {

namespace fs = std::filesystem;

namespace {

constexpr double kMillimetre = 72 / 25.4;
constexpr double kLeast = 36, kMost = 14400;  // points: half an inch; the largest page of a PDF
constexpr double kLeastText = 2, kMostText = 200;
constexpr double kFewestPixels = 0.1, kMostPixels = 100;
constexpr double kMostSeconds = 3600, kMostRate = 240;

constexpr std::array<std::pair<const char*, FigureFormat>, 8> kEndings{{{".png", FigureFormat::Png},
                                                                        {".svg", FigureFormat::Svg},
                                                                        {".pdf", FigureFormat::Pdf},
                                                                        {".html", FigureFormat::Html},
                                                                        {".csv", FigureFormat::Csv},
                                                                        {".npz", FigureFormat::Npz},
                                                                        {".mp4", FigureFormat::Mp4},
                                                                        {".webm", FigureFormat::Webm}}};

Result<void> inRange(double value, double least, double most, const char* what) {
  if (value >= least && value <= most) return {};
  return fail(ErrorKind::Usage, trFormat("{} of a figure must be from {} to {}", what, least, most));
}

std::string text(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

/// Replaces the prefix `from` by `to` in every string of a recipe. Paths of the user's files are stored below "~/", so
/// that a shared figure does not reveal the name of the home folder.
void replaceFolder(Json& json, const std::string& from, const std::string& to) {
  if (json.is_structured()) {
    for (Json& inner : json)
      replaceFolder(inner, from, to);
  } else if (json.is_string()) {
    const std::string& text = json.get_ref<const std::string&>();
    if (text.starts_with(from)) json = to + text.substr(from.size());
  }
}

/// "/home/NAME/"; empty if unknown.
std::string homeFolder() {
  const char* const home = std::getenv("HOME");
  const std::string folder = home ? home : "";
  if (folder.size() < 2 || folder.front() != '/') return {};
  return folder.back() == '/' ? folder : folder + '/';
}

/// {"training.curves.loss": {"x": [0, 100], "y": [2, 3], "turned": "x"}}
Json toJson(const ChartParts& parts) {
  Json all = Json::object();
  for (const auto& [name, part] : parts) {
    Json& one = all[name] = Json::object();
    if (part.window) {
      one["x"] = {part.window->min.x, part.window->max.x};
      one["y"] = {part.window->min.y, part.window->max.y};
    }
    if (part.turnedX || part.turnedY) one["turned"] = std::string(part.turnedX ? "x" : "") + (part.turnedY ? "y" : "");
  }
  return all;
}

std::optional<std::pair<double, double>> spanIn(const Json& of, const char* key) {
  if (!of.contains(key) || !of[key].is_array() || of[key].size() != 2) return std::nullopt;
  const Json &low = of[key][0], &high = of[key][1];
  if (!low.is_number() || !high.is_number() || !(low.get<double>() < high.get<double>())) return std::nullopt;
  return std::pair(low.get<double>(), high.get<double>());
}

ChartParts partsIn(const Json& json) {
  ChartParts parts;
  for (const auto& [name, one] : json.items()) {
    if (!one.is_object()) continue;
    ChartPart part;
    const auto x = spanIn(one, "x"), y = spanIn(one, "y");
    if (x && y) part.window = render::Rect{{x->first, y->first}, {x->second, y->second}};
    const std::string turned = text(one, "turned");
    part.turnedX = turned.find('x') != std::string::npos;
    part.turnedY = turned.find('y') != std::string::npos;
    parts.emplace_back(name, part);
  }
  return parts;
}

std::vector<std::string> textsIn(const Json& json) {
  std::vector<std::string> all;
  for (const Json& one : json)
    if (one.is_string()) all.push_back(one.get<std::string>());
  return all;
}

/// Returns a sweep without a key if any part of the JSON is malformed.
FigureSweep sweepIn(const Json& json) {
  FigureSweep sweep;
  const auto number = [&json](const char* key) { return json.contains(key) && json[key].is_number(); };
  if (!json.is_object() || !number("from") || !number("to") || !number("count")) return sweep;
  const double count = json["count"].get<double>();
  sweep.from = json["from"].get<double>();
  sweep.to = json["to"].get<double>();
  if (!(count >= 2 && count <= kMostSwept) || sweep.from == sweep.to) return {};
  sweep.count = static_cast<int>(count);
  sweep.key = text(json, "key");
  return sweep;
}

/// Calls visit(name, value) for each field of a request that every recipe contains.
template <class Visit>
void eachField(FigureRequest& request, Visit visit) {
  visit("width", request.width);
  visit("height", request.height);
  visit("text_size", request.textSize);
  visit("scale", request.scale);
  visit("theme", request.theme);
  visit("pane", request.pane);
  visit("legend", request.legend);
  visit("caption", request.caption);
  visit("title", request.title);
  visit("seconds", request.seconds);
  visit("frames_per_second", request.framesPerSecond);
}

}  // namespace

const std::vector<FigurePreset>& figurePresets() {
  static const std::vector<FigurePreset> presets{
      {"window", N_("Same as window"), 0, 0, 0},
      {"single-column", N_("Single column, 88 mm"), 88 * kMillimetre, 92 * kMillimetre, 8},
      {"double-column", N_("Double column, 183 mm"), 183 * kMillimetre, 112 * kMillimetre, 8},
      {"slide", N_("Slide, 16:9"), 960, 540, 18},
  };
  return presets;
}

double heightOfPanels(const FigureRequest& request, std::size_t panels) {
  // In units of the text size.
  constexpr double kLeastPanel = 22, kBeside = 1.35, kAlone = 1.6, kGap = 1.2, kWords = 8;
  constexpr std::size_t kMostInRow = 3;
  constexpr double kUsualText = 13;
  const double text = request.textSize > 0 ? request.textSize : kUsualText, width = request.width / text;
  const auto fit = static_cast<std::size_t>(std::max(1.0, width / kLeastPanel));
  std::size_t perRow = std::min({fit, kMostInRow, std::max<std::size_t>(panels, 1)});
  if (perRow == kMostInRow && panels == kMostInRow + 1) perRow = 2;
  const auto columns = static_cast<double>(perRow),
             rows = std::ceil(static_cast<double>(std::max<std::size_t>(panels, 1)) / columns);
  const double each = (width - kGap * (columns - 1)) / columns / (perRow == 1 ? kAlone : kBeside);
  return std::round(text * (rows * each + (rows - 1) * kGap + kWords));
}

Result<void> applyPreset(FigureRequest& request, const std::string& key) {
  constexpr double kPrintScale = 300.0 / 72;  // pixels per point: 300 dpi for print
  const auto& presets = figurePresets();
  const auto preset =
      std::find_if(presets.begin(), presets.end(), [&](const FigurePreset& one) { return one.key == key; });
  if (preset == presets.end()) {
    std::string known;
    for (const FigurePreset& one : presets)
      known += (known.empty() ? "" : ", ") + one.key;
    return fail(ErrorKind::Usage, excerpt(key, 60) + ": " + tr("there is no such preset; available: ") + known);
  }
  if (preset->width <= 0) return {};
  request.width = preset->width;
  request.height = preset->height;
  request.textSize = preset->textSize;
  request.scale = kPrintScale;
  request.theme = "light";
  const bool slide = preset->key == "slide";
  if (!request.views.empty() && !slide) request.height = heightOfPanels(request, request.views.size());
  return {};
}

std::optional<FigureFormat> figureFormat(const std::string& path) {
  if (path.empty()) return FigureFormat::Clipboard;
  if (path.back() == '/') return FigureFormat::Frames;
  const std::string ending = lowerCase(fs::path(path).extension().string());
  for (const auto& [known, format] : kEndings) {
    if (ending == known) return format;
  }
  return std::nullopt;
}

std::string tableName(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string name = path.substr(slash == std::string::npos ? 0 : slash + 1);
  const auto last = name.rfind('.');
  const auto before = last == std::string::npos || last == 0 ? last : name.rfind('.', last - 1);
  if (last == std::string::npos || before == std::string::npos || before == 0) return {};
  return name.substr(before + 1, last - before - 1);
}

Result<void> checkFigure(const FigureRequest& request) {
  if (!figureFormat(request.path)) {
    return fail(
        ErrorKind::Usage,
        request.path + ": " +
            tr("the name must end in .png, .svg, .pdf, .html, .csv, .npz, .mp4, .webm, or in / for a folder of frames"));
  }
  const bool page = *figureFormat(request.path) == FigureFormat::Html;
  if (!page && (request.lesson || !request.sweep.key.empty()))
    return fail(ErrorKind::Usage, request.path + ": " + tr("only a page (.html) can have a slider or a whole lesson"));
  if (request.lesson && !request.sweep.key.empty())
    return fail(ErrorKind::Usage, request.path + ": " + tr("a page of a whole lesson cannot have a slider"));
  if (!request.theme.empty() && !findTheme(request.theme))
    return fail(ErrorKind::Usage, request.theme + ": " + tr("there is no such theme"));
  if (request.pane < 0 || request.pane > kMostPanes)
    return fail(ErrorKind::Usage, trFormat("a window has panes 1 to {}", kMostPanes));
  if (auto good = inRange(request.width, kLeast, kMost, tr("the width in points")); !good) return good;
  if (auto good = inRange(request.height, kLeast, kMost, tr("the height in points")); !good) return good;
  if (request.textSize != 0) {
    if (auto good = inRange(request.textSize, kLeastText, kMostText, tr("the text size in points")); !good) return good;
  }
  if (auto good = inRange(request.scale, kFewestPixels, kMostPixels, tr("the scale")); !good) return good;
  if (auto good = inRange(request.seconds, 0, kMostSeconds, tr("the length in seconds")); !good) return good;
  return inRange(request.framesPerSecond, 1, kMostRate, tr("the number of frames per second"));
}

FigureRequest windowFigure(const Workbench& of, gpu::Extent extent, float scale, std::string path) {
  FigureRequest request;
  request.path = std::move(path);
  request.scale = scale;
  request.width = extent.width / static_cast<double>(scale);
  request.height = extent.height / static_cast<double>(scale);
  request.theme = of.theme();
  return request;
}

Json recipeOf(const Workbench& of, const Document& state) {
  Json recipe{{"program", "separatrix"}, {"version", of.options().version}, {"seed", of.options().seed}};
  recipe["state"] = state.toJson();
  Json sources = Json::array();
  for (int pane = 1; pane <= of.panes(); ++pane) {
    for (const SourceFile& source : of.exhibit(pane).sources()) {
      Json one{{"path", source.path}};
      if (!source.sha256.empty()) one["sha256"] = source.sha256;
      if (std::find(sources.begin(), sources.end(), one) == sources.end()) sources.push_back(std::move(one));
    }
  }
  if (!sources.empty()) recipe["sources"] = std::move(sources);
  return recipe;
}

std::string recipeOf(const Workbench& of, const Document& state, FigureRequest request) {
  Json recipe = recipeOf(of, state);
  // Created as an object, because a null value that its first key turns into an object cannot be destroyed if memory
  // runs out.
  Json figure = Json::object();
  eachField(request, [&figure](const char* key, const auto& value) { figure[key] = value; });
  if (!request.views.empty()) figure["views"] = request.views;
  if (!request.parts.empty()) figure["parts"] = toJson(request.parts);
  if (const FigureSweep& sweep = request.sweep; !sweep.key.empty())
    figure["sweep"] = {{"key", sweep.key}, {"from", sweep.from}, {"to", sweep.to}, {"count", sweep.count}};
  recipe["figure"] = std::move(figure);
  if (const std::string home = homeFolder(); !home.empty()) replaceFolder(recipe, home, "~/");
  return compactText(recipe);
}

Result<FigureRecipe> parseRecipe(const std::string& recipe) {
  Result<Json> json = parseJson(recipe);
  if (!json) return tl::unexpected(json.error());
  if (const std::string home = homeFolder(); !home.empty()) replaceFolder(*json, "~/", home);
  if (!json->is_object() || text(*json, "program") != "separatrix" || !json->contains("state"))
    return fail(ErrorKind::BadInput, tr("its recipe was not written by Separatrix"));
  FigureRecipe result;
  auto document = Document::fromJson((*json)["state"]);
  if (!document) return tl::unexpected(document.error());
  result.document = std::move(*document);
  result.version = text(*json, "version");
  if (json->contains("seed")) {
    if (!(*json)["seed"].is_number_integer() || (*json)["seed"] < 0)
      return fail(ErrorKind::BadInput, tr("the seed of its recipe is not a whole number"));
    result.seed = (*json)["seed"].get<std::uint64_t>();
  }
  if (!json->contains("figure") || !(*json)["figure"].is_object()) return result;
  const Json& figure = (*json)["figure"];
  if (figure.contains("views")) result.request.views = textsIn(figure["views"]);
  if (figure.contains("parts")) result.request.parts = partsIn(figure["parts"]);
  if (figure.contains("sweep")) result.request.sweep = sweepIn(figure["sweep"]);
  Result<void> read;
  eachField(result.request, [&]<class Field>(const char* key, Field& to) {
    if (!figure.contains(key)) return;
    const Json& value = figure[key];
    if constexpr (std::is_same_v<Field, bool>) {
      if (value.is_boolean()) to = value.get<bool>();
    } else if constexpr (std::is_same_v<Field, std::string>) {
      to = text(figure, key);
    } else if (!value.is_number()) {
      read = fail(ErrorKind::BadInput, trFormat("figure.{} of the recipe is not a number", key));
    } else if constexpr (std::is_same_v<Field, int>) {
      to = static_cast<int>(std::clamp(value.get<double>(), 0.0, double{kMostPanes}));
    } else {
      to = value.get<double>();
    }
  });
  if (!read) return tl::unexpected(read.error());
  return result;
}

}  // namespace sepx::ui
