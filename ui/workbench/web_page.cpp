// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/web_page.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "engine/render/recipe.h"
#include "engine/render/svg_text.h"
#include "ui/document/json_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/web_script.h"
#include "ui/workbench/web_text.h"

namespace sepx::ui {
namespace {

constexpr double kReach = 14;  // units within which a cell is under the pointer

/// Rounds to five significant digits, which are more than a picture shows.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, 4 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(scale) && scale > 0 ? std::round(value * scale) / scale : value;
}

double place(double value) {
  return std::round(value * 10) / 10;
}

Json valuesOf(const WebView& view) {
  Json made{{"name", view.name}, {"label", view.label}};
  Json& rows = made["rows"] = Json::array();
  for (const WebRow& row : view.rows) {
    Json cells = Json::array();
    for (const WebCell& cell : row.cells)
      cells.push_back({place(cell.at.x), place(cell.at.y), cell.text});
    rows.push_back({{"name", row.name}, {"cells", std::move(cells)}});
  }
  return made;
}

Json valuesOf(const WebPlane& plane) {
  Json made{{"x", plane.x}, {"y", plane.y}};
  made["box"] = {place(plane.box.min.x), place(plane.box.min.y), place(plane.box.max.x), place(plane.box.max.y)};
  made["from"] = {plane.left, plane.bottom};
  made["to"] = {plane.right, plane.top};
  made["log"] = {plane.logX, plane.logY};
  Json& layers = made["layers"] = Json::array();
  for (const WebPlane::Layer& layer : plane.layers) {
    Json one{{"name", layer.name}, {"columns", layer.columns}, {"rows", layer.rows}};
    Json& values = one["values"] = Json::array();
    for (const double value : layer.values) {
      if (!std::isfinite(value))
        values.push_back(nullptr);
      else if (value == std::floor(value) && std::abs(value) < 1e9)
        values.push_back(static_cast<std::int64_t>(value));
      else
        values.push_back(rounded(value));
    }
    if (!layer.words.empty()) one["words"] = layer.words;
    layers.push_back(std::move(one));
  }
  return made;
}

Json valuesOf(const WebSection& section) {
  Json made{{"start", section.slider ? section.slider->start : 0}};
  if (section.slider) made["slider"] = {{"label", section.slider->label}, {"values", section.slider->values}};
  Json& pictures = made["pictures"] = Json::array();
  for (const WebPicture& picture : section.pictures) {
    Json one{{"width", picture.width}, {"height", picture.height}, {"reach", kReach}};
    one["views"] = Json::array();
    for (const WebView& view : picture.views)
      one["views"].push_back(valuesOf(view));
    one["planes"] = Json::array();
    for (const WebPlane& plane : picture.planes)
      one["planes"].push_back(valuesOf(plane));
    pictures.push_back(std::move(one));
  }
  return made;
}

std::string element(const char* name, const char* kind, const std::string& text) {
  return text.empty() ? text : fmt::format("<{0} class=\"{1}\">{2}</{0}>\n", name, kind, htmlText(text));
}

std::string pictureText(const WebPicture& picture, const std::string& at) {
  std::string out = "<figure class=\"picture\">\n" + element("p", "at", at);
  out += fmt::format("<div class=\"frame\" style=\"max-width:{}px\">{}</div>\n", std::lround(picture.width),
                     picture.svg.text);
  std::string thinned;
  for (const WebView& view : picture.views)
    if (view.thinned) thinned += (thinned.empty() ? "" : ", ") + (view.label.empty() ? view.name : view.label);
  std::string caption = picture.caption;
  if (!thinned.empty()) caption += " " + trFormat("This page does not contain every value of: {}.", thinned);
  if (!caption.empty()) out += "<figcaption>" + htmlText(caption) + "</figcaption>\n";
  if (!picture.state.empty())
    out +=
        fmt::format("<details class=\"state\"><summary>{}</summary><p>{}</p><p><code>{}</code></p></details>\n",
                    htmlText(tr("Open this state in Separatrix")),
                    htmlText(tr("Copy this line, and paste it into a window of the program, or drop this page on it.")),
                    htmlText(picture.state));
  return out + "</figure>\n";
}

/// `known`: formulas that were written further up.
std::string formulasText(std::vector<WebFormula> formulas, std::set<std::string>& known) {
  std::erase_if(formulas, [&known](const WebFormula& one) { return !known.insert(one.formula).second; });
  if (formulas.empty()) return {};
  std::string out = fmt::format("<details class=\"formulas\"><summary>{}</summary>\n<dl>\n", htmlText(tr("Formulas")));
  for (const WebFormula& one : formulas) {
    out += fmt::format("<dt>{} = {}</dt>\n<dd>{}", htmlText(one.name), htmlText(one.value),
                       htmlFormula(one.formula, true));
    if (!one.numbers.empty()) out += htmlFormula(one.numbers, true);
    if (!one.source.empty()) out += fmt::format("<span class=\"source\">{}</span>", htmlText(one.source));
    out += "</dd>\n";
  }
  return out + "</dl>\n</details>\n";
}

std::string picturesText(const WebSection& section, std::size_t number, std::set<std::string>& known) {
  if (section.pictures.empty()) return {};
  std::string out = fmt::format("<div class=\"pictures\" data-section=\"{}\">\n", number);
  if (section.slider) {
    const std::string label = htmlText(section.slider->label);
    out += fmt::format(
        "<div class=\"slider\"><span>{0}</span><input type=\"range\" min=\"0\" max=\"{1}\" step=\"1\" "
        "value=\"{2}\" aria-label=\"{0}\"><output></output></div>\n",
        label, section.pictures.size() - 1, section.slider->start);
  }
  out += fmt::format("<p class=\"value\" aria-live=\"polite\" data-hint=\"{}\"></p>\n",
                     htmlText(tr("Point at the picture, or press Tab and arrow keys, to read its values.")));
  for (std::size_t i = 0; i < section.pictures.size(); ++i)
    out += pictureText(section.pictures[i],
                       section.slider ? section.slider->label + " = " + section.slider->values[i] : std::string());
  out += "<div class=\"tip\" hidden></div>\n</div>\n";
  const std::size_t first = section.slider ? section.slider->start : 0;
  return out + formulasText(section.pictures[first].formulas, known);
}

/// The answer is collapsed, which needs no script.
std::string questionText(const Question& question, bool withAnswer) {
  std::string out = "<div class=\"question\"><p>" + htmlText(question.text) + "</p>\n";
  std::string answers;
  if (!question.choices.empty()) {
    out += "<ul>\n";
    for (const Choice& choice : question.choices) {
      out += "<li>" + htmlText(choice.text) + "</li>\n";
      if (choice.correct) answers += (answers.empty() ? "" : "; ") + htmlText(choice.text);
    }
    out += "</ul>\n";
  }
  if (question.number && question.number->key.empty()) answers = htmlText(formatShortest(question.number->value));
  if (!question.because.empty()) answers += (answers.empty() ? "" : ". ") + htmlText(question.because);
  if (!answers.empty() && withAnswer)
    out += fmt::format("<details><summary>{}</summary><p>{}</p></details>\n", htmlText(tr("Answer")), answers);
  return out + "</div>\n";
}

std::string sectionText(const WebSection& section, std::size_t number, bool answers, std::set<std::string>& known) {
  std::string out = fmt::format("<section id=\"section-{}\">\n", number);
  if (!section.title.empty()) out += "<h2>" + htmlText(section.title) + "</h2>\n";
  out += htmlProse(section.prose) + picturesText(section, number, known);
  for (const Question& question : section.questions)
    out += questionText(question, answers);
  return out + "</section>\n";
}

std::string headText(const WebPage& page) {
  std::set<char32_t> characters[2];
  for (const WebSection& section : page.sections)
    for (const WebPicture& picture : section.pictures)
      for (const int bold : {0, 1})
        characters[bold].insert(picture.svg.characters[bold].begin(), picture.svg.characters[bold].end());
  std::string out =
      fmt::format("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n", htmlText(page.language));
  out += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", webPolicy());
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += fmt::format("<meta name=\"generator\" content=\"Separatrix {}\">\n", htmlText(page.version));
  out += "<title>" + htmlText(page.title) + "</title>\n";
  if (const auto recipe = parseJson(page.recipe))
    out +=
        fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", render::kRecipeKey, htmlJson(*recipe));
  out +=
      "<style>\n" + render::svg::fontFaceRules(characters[0], characters[1]) + std::string(webStyle()) + "</style>\n";
  return out + "</head>\n";
}

}  // namespace

Result<std::string> webPage(const WebPage& page) {
  std::string out = headText(page);
  out += "<body>\n<main>\n<header>\n<h1>" + htmlText(page.title) + "</h1>\n" + htmlProse(page.introduction) +
         "</header>\n";
  Json values{{"sections", Json::array()}};
  std::set<std::string> known;
  for (std::size_t i = 0; i < page.sections.size(); ++i) {
    out += sectionText(page.sections[i], i, page.answers, known);
    values["sections"].push_back(valuesOf(page.sections[i]));
    if (out.size() > kLargestPage) break;
  }
  out += fmt::format(
      "<footer>{}</footer>\n</main>\n",
      htmlText(trFormat("Made with Separatrix {}. Drop this page on its window to open its state.", page.version)));
  out += fmt::format(
      "<script type=\"application/json\" id=\"values\">{}</script>\n<script>{}</script>\n</body>\n</html>\n",
      htmlJson(values), webScript());
  if (out.size() <= kLargestPage) return out;
  return fail(ErrorKind::OutputFailed,
              trFormat("the page would have more than {} MB; choose fewer slider values, a smaller size, or fewer "
                       "views",
                       kLargestPage / 1'000'000));
}

}  // namespace sepx::ui
