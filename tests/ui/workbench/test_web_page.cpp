// SPDX-License-Identifier: Apache-2.0
// Exported web pages: every text stays text, nothing is loaded from elsewhere, the size is limited, and the recipe can
// be read back. Tests with a browser are in tests/hosts/test_browser.cpp.
#include <regex>

#include <fmt/format.h>

#include "engine/render/recipe.h"
#include "tests/ui/workbench/figure_rig.h"
#include "ui/document/state_text.h"
#include "ui/properties/formula_mathml.h"
#include "ui/workbench/web_page.h"
#include "ui/workbench/web_script.h"
#include "ui/workbench/web_text.h"

using namespace sepx;
using namespace sepx::ui;
using namespace sepx::test;

namespace {

const std::string kHostile = "</script><script>alert(1)</script><!-- \" onload='x' &amp; \x01 \xff ${} `";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

std::string written(const WebPage& page) {
  const auto made = webPage(page);
  INFO((made ? std::string() : made.error().message));
  REQUIRE(made);
  return *made;
}

/// Checks that a page loads nothing and runs only its own script.
void checkClosed(const std::string& html) {
  CHECK(html.find("http:") == std::string::npos);
  CHECK(html.find("https:") == std::string::npos);
  CHECK(html.find("//cdn") == std::string::npos);
  CHECK(html.find(" src=") == std::string::npos);
  CHECK(html.find("<link") == std::string::npos);
  CHECK(html.find("@import") == std::string::npos);
  CHECK(count(html, "<script") == 3);  // recipe, values, and the script of the page
  CHECK(count(html, "<script>") == 1);
  CHECK(count(html, webPolicy()) == 1);
  const std::regex link("(href|url)\\s*[=(]\\s*[\"']?([^\"')]{0,12})");
  for (std::sregex_iterator at(html.begin(), html.end(), link), end; at != end; ++at) {
    const std::string to = (*at)[2];
    INFO(to);
    CHECK((to.starts_with("data:") || to.starts_with("#")));
  }
}

WebPage hostilePage() {
  WebPage page;
  page.title = page.version = kHostile;
  page.recipe = Json{{"program", "separatrix"}, {"state", {{"version", 1}, {"note", kHostile}}}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
  page.introduction = {{Block::Kind::Paragraph, 0, 0, {{kHostile, true, true, true}, {kHostile}}},
                       {Block::Kind::Item, 2, 3, {{kHostile}}},
                       {Block::Kind::Code, 0, 0, {{kHostile, false, false, true}}},
                       {Block::Kind::Heading, 0, 0, {{"$" + kHostile + "$", false, false, true}}}};
  WebPicture picture;
  picture.svg.text = "<svg viewBox=\"0 0 1 1\"></svg>";
  picture.title = picture.caption = picture.state = kHostile;
  picture.views = {{kHostile, kHostile, kHostile, {{kHostile, {{{1, 2}, kHostile}}}}, true}};
  picture.planes = {{kHostile, kHostile, kHostile, {}, 0, 1, 0, 1, {{kHostile, 1, 1, {1.0}, {kHostile}}}}};
  picture.formulas = {{kHostile, kHostile, "x < y \\text{" + kHostile + "}", kHostile, kHostile}};
  WebSection section{kHostile, page.introduction, {picture, picture}, WebSlider{kHostile, {kHostile, kHostile}, 1}};
  Question question;
  question.text = question.because = kHostile;
  question.choices = {{kHostile, true}, {kHostile, false}};
  section.questions = {question};
  page.sections = {section};
  return page;
}

const char* const kPoints = "set flow.p 0.3\nset flow.q 0.9\nadd point 1,-0.4\nadd point -0.5,0.7\nwait settled\n";

std::string valuesIn(const std::string& html) {
  const std::string begin = "<script type=\"application/json\" id=\"values\">";
  const std::size_t from = html.find(begin) + begin.size();
  return html.substr(from, html.find('<', from) - from);
}

}  // namespace

TEST_CASE("Hostile texts in a page stay text") {
  const std::string html = written(hostilePage());
  checkClosed(html);
  CHECK(html.find("alert(1)<") == std::string::npos);
  CHECK(html.find("<!--") == std::string::npos);
  CHECK(html.find("onload='x'") != std::string::npos);  // as text, where no attribute can begin
  CHECK(count(html, "<svg") == 2);
  const Json values = Json::parse(valuesIn(html));
  CHECK(values["sections"][0]["pictures"][0]["views"][0]["name"].get<std::string>().starts_with("</script>"));
  const auto recipe = render::recipeIn(html);
  REQUIRE(recipe);
  REQUIRE(*recipe);
  CHECK(Json::parse(**recipe)["state"]["note"].get<std::string>().starts_with("</script>"));
}

TEST_CASE("Escaped text and JSON contain nothing that begins an element") {
  CHECK(htmlText("a<b>&\"c\"") == "a&lt;b&gt;&amp;&quot;c&quot;");
  const std::string json = htmlJson(Json{{"<k>", "</script>&\u2028"}});
  CHECK(json.find_first_of("<>&") == std::string::npos);
  CHECK(std::all_of(json.begin(), json.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  CHECK(Json::parse(json)["<k>"] == "</script>&\u2028");
}

TEST_CASE("Prose keeps its styles, lists and formulas") {
  CHECK(htmlProse({{Block::Kind::Paragraph, 0, 0, {{"a", true}, {" b ", false, true}, {"c", false, false, true}}}}) ==
        "<p><strong>a</strong><em> b </em><code>c</code></p>\n");
  const std::string list = htmlProse({{Block::Kind::Item, 0, 0, {{"one"}}},
                                      {Block::Kind::Item, 1, 1, {{"inner"}}},
                                      {Block::Kind::Item, 0, 0, {{"two"}}},
                                      {Block::Kind::Paragraph, 0, 0, {{"after"}}}});
  CHECK(list == "<ul>\n<li>one<ol>\n<li>inner</li></ol>\n</li>\n<li>two</li></ul>\n<p>after</p>\n");
  const std::string formula = htmlMixed("so $\\frac{a_1}{2}<b$ holds");
  CHECK(formula.starts_with("so <math"));
  CHECK(formula.find("<mfrac><mrow><msub>") != std::string::npos);
  CHECK(formula.find("<mo>&lt;</mo>") != std::string::npos);
  CHECK(htmlMixed("costs 5 $") == "costs 5 $");
}

TEST_CASE("Formulas are converted to MathML elements") {
  const auto html = [](const char* markup) {
    const auto formula = Formula::parse(markup);
    REQUIRE(formula);
    return mathMl(*formula, true);
  };
  CHECK(html("x^2").find("<msup><mrow><mi>x</mi></mrow><mrow><mn>2</mn></mrow></msup>") != std::string::npos);
  CHECK(html("12.5").find("<mn>12.5</mn>") != std::string::npos);
  CHECK(html("\\sqrt{x}").find("<msqrt>") != std::string::npos);
  CHECK(html("\\sum_{i=1}^n i").find("<munderover>") != std::string::npos);
  CHECK(html("\\begin{cases} a & b \\\\ c & d \\end{cases}").find("<mtable><mtr><mtd") != std::string::npos);
  CHECK(html("\\log x").find("<mi>log</mi>") != std::string::npos);
  CHECK(html("x").find("display=\"block\"") != std::string::npos);
}

TEST_CASE("A page that would be too large is refused with the limit") {
  WebPage page = hostilePage();
  page.sections[0].pictures[0].svg.text += std::string(kLargestPage, 'x');
  const auto made = webPage(page);
  REQUIRE_FALSE(made);
  CHECK(made.error().kind == ErrorKind::OutputFailed);
  CHECK(made.error().message.find("5 MB") != std::string::npos);
}

TEST_CASE("Only pages of the program have recipes, and a truncated recipe is refused") {
  const auto none = render::recipeIn("<!doctype html><p>Separatrix-Recipe");
  REQUIRE(none);
  CHECK_FALSE(*none);
  const auto svgInside = render::recipeIn("<!DOCTYPE html><svg><metadata>x</metadata></svg>");
  REQUIRE(svgInside);
  CHECK_FALSE(*svgInside);
  const std::string html = written(hostilePage());
  const auto cut = render::recipeIn(html.substr(0, html.find("Separatrix-Recipe") + 60));
  REQUIRE_FALSE(cut);
  CHECK(cut.error().kind == ErrorKind::BadInput);
}

TEST_CASE("The answers of homework are left out of a page") {
  WebPage page = hostilePage();
  CHECK(written(page).find("<summary>Answer") != std::string::npos);
  page.answers = false;
  CHECK(written(page).find("<summary>Answer") == std::string::npos);
}

TEST_CASE("A slider is parsed, or refused as invalid") {
  const auto good = parseSweep("flow.p=0.2..0.8/13");
  REQUIRE(good);
  CHECK(good->key == "flow.p");
  CHECK(good->from == 0.2);
  CHECK(good->to == 0.8);
  CHECK(good->count == 13);
  REQUIRE(parseSweep("a@2.b=-1..1e3"));
  for (const char* wrong : {"", "flow.p", "=1..2", "flow.p=1", "flow.p=1..", "flow.p=1..1", "flow.p=1..2/1",
                            "flow.p=1..2/62", "flow.p=1..2/2.5", "flow.p=nan..2", "flow.p=1..inf", "flow.p=a..b"}) {
    INFO(wrong);
    const auto refused = parseSweep(wrong);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::Usage);
  }
}

TEST_CASE("The page of a picture has the values under the pointer and restores the state") {
  const Place place;
  Bench bench;
  bench.play(kPoints);
  const std::string path = place.path("page.html");
  make(bench, request(path));
  const std::string html = content(path);
  CHECK(html.size() < kLargestPage);
  checkClosed(html);
  const Json picture = Json::parse(valuesIn(html))["sections"][0]["pictures"][0];
  CHECK(picture["width"] == 420);
  REQUIRE(picture["views"].size() == 1);
  const Json& cells = picture["views"][0]["rows"];
  REQUIRE(cells.size() == 2);
  CHECK(cells[0]["cells"][0][2].get<std::string>().find("point 1 of 2") != std::string::npos);
  // The plane has the values that the exhibit computes.
  REQUIRE(picture["planes"].size() == 1);
  const Json& plane = picture["planes"][0];
  CHECK(plane["x"] == "e");
  REQUIRE(plane["layers"].size() == 2);
  CHECK(plane["layers"][0]["name"] == "loss");
  CHECK(plane["layers"][1]["words"].size() >= 4);
  CHECK(html.find("<math") != std::string::npos);  // formulas of the read-outs
  CHECK(html.find("sepx:1:") != std::string::npos);

  const Document before = bench.workbench().document();
  bench.play("set flow.p 0.6\nopen " + path);
  CHECK(bench.workbench().document() == before);
}

TEST_CASE("A page exported again from its own recipe is the same file") {
  const Place place;
  Bench bench;
  bench.play(kPoints);
  ui::FigureRequest wanted = request(place.path("page.html"));
  wanted.sweep = {"flow.p", 0.2, 0.4, 3};
  make(bench, wanted);
  const auto recipe = render::readRecipe(wanted.path);
  REQUIRE(recipe);
  REQUIRE(*recipe);
  auto parsed = parseRecipe(**recipe);
  REQUIRE(parsed);
  CHECK(parsed->request.sweep == wanted.sweep);
  parsed->request.path = place.path("again.html");
  bench.play("open " + wanted.path);
  make(bench, parsed->request);
  CHECK((content(wanted.path) == content(parsed->request.path)));
}

TEST_CASE("The slider of a page has a picture for each of its values") {
  const Place place;
  Bench bench;
  bench.play(kPoints);
  ui::FigureRequest wanted = request(place.path("page.html"));
  wanted.sweep = {"flow.p", 0.2, 0.6, 3};
  make(bench, wanted);
  const std::string html = content(wanted.path);
  checkClosed(html);
  const Json section = Json::parse(valuesIn(html))["sections"][0];
  CHECK(section["slider"]["label"] == "p");
  CHECK(section["slider"]["values"] == Json({"0.200", "0.400", "0.600"}));
  CHECK(section["start"] == 0);  // 0.3 is equally near to 0.4; the first one is used
  REQUIRE(section["pictures"].size() == 3);
  CHECK(count(html, "<svg") == 3);
  CHECK(count(html, "@font-face") <= 4);  // once for all pictures
  // The pictures use different ids.
  CHECK(count(html, "id=\"p0-plot1\"") == 1);
  CHECK(count(html, "id=\"p2-plot1\"") == 1);
  CHECK(section["pictures"][0]["planes"][0]["layers"][0] != section["pictures"][2]["planes"][0]["layers"][0]);
}

TEST_CASE("A page with a three-dimensional picture stays small") {
  const Place place;
  Bench bench;
  bench.play("set flow.page space\nadd point 1,-0.4,0.2\nwait settled");
  const std::string path = place.path("page.html");
  make(bench, request(path));
  const std::string html = content(path);
  CHECK(html.size() < 1'000'000);
  CHECK(count(html, "data:image/png") == 1);
  checkClosed(html);
}

TEST_CASE("An impossible slider is refused") {
  const Place place;
  Bench bench;
  ui::FigureRequest wanted = request(place.path("page.html"));
  wanted.sweep = {"flow.q", 0.2, 2, 3};
  CHECK(refusal(bench, wanted, ErrorKind::Usage).find("q") != std::string::npos);
  wanted.sweep = {"flow.model", 0.2, 2, 3};
  CHECK(refusal(bench, wanted, ErrorKind::Usage).find("flow.model") != std::string::npos);
  wanted.sweep = {"nothing", 0.2, 2, 3};
  refusal(bench, wanted, ErrorKind::Usage);
  wanted = request(place.path("figure.svg"));
  wanted.sweep = {"flow.p", 0.2, 0.4, 3};
  refusal(bench, wanted, ErrorKind::Usage);
  wanted = request(place.path("lesson.html"));
  wanted.lesson = true;
  CHECK(refusal(bench, wanted, ErrorKind::Usage).find("lesson") != std::string::npos);
  CHECK(place.names().empty());
}

TEST_CASE("A script exports pages") {
  const Place place;
  Bench bench;
  bench.play(std::string(kPoints) + "export page.html flow.q=0.2..0.8/3\n", place.folder.string());
  CHECK(place.names() == std::vector<std::string>{"page.html"});
  CHECK(count(content(place.path("page.html")), "<svg") == 3);
}

TEST_CASE("A lesson with a failing step gives no page, and the error names the line") {
  const Place place;
  {
    std::ofstream lesson(place.path("lesson.md"));
    lesson << "# One file\n\n## First\n\n```steps\nadd point 1,-0.4\n```\n\n"
              "## Second\n\n```steps\nopen gone.safetensors\n```\n";
  }
  Bench bench;
  bench.play("open " + place.path("lesson.md"));
  ui::FigureRequest wanted = request(place.path("lesson.html"));
  wanted.lesson = true;
  const std::string why = refusal(bench, wanted, ErrorKind::BadInput);
  CHECK(why.find("lesson.md:12: ") != std::string::npos);
  CHECK(why.find("gone.safetensors") != std::string::npos);
  CHECK(place.names() == std::vector<std::string>{"lesson.md"});
}

TEST_CASE("A lesson becomes one page with a section for each step") {
  const Place place;
  {
    std::ofstream lesson(place.path("lesson.md"));
    lesson << "# Two states\n\nBefore `$p+q=1$`.\n\n## First\n\nA *point*.\n\n```steps\nadd point 1,-0.4\n```\n\n"
              "## Words alone\n\nNothing moves.\n\n## Second\n\n```steps\nset flow.p 0.3\n```\n\n"
              "```ask\nquestion \"Which?\"\nchoice \"this\" correct\nchoice \"that\"\nbecause \"it is\"\n```\n";
  }
  Bench bench;
  bench.play("open " + place.path("lesson.md"));
  ui::FigureRequest wanted = request(place.path("lesson.html"));
  wanted.lesson = true;
  make(bench, wanted);
  const std::string html = content(wanted.path);
  checkClosed(html);
  CHECK(count(html, "<section") == 3);
  CHECK(count(html, "<svg") == 2);
  CHECK(html.find("<h1>Two states</h1>") != std::string::npos);
  CHECK(html.find("<p>A <em>point</em>.</p>") != std::string::npos);
  CHECK(html.find("Which?") != std::string::npos);
  CHECK(html.find("<summary>Answer</summary><p>this. it is</p>") != std::string::npos);
  const auto recipe = render::readRecipe(wanted.path);
  REQUIRE(recipe);
  REQUIRE(*recipe);
  CHECK(parseRecipe(**recipe));
}
