// SPDX-License-Identifier: Apache-2.0
// Formulas: accepted and refused markup, and the positions of glyphs and rules.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "engine/core/random.h"
#include "ui/properties/formula_layout.h"
#include "ui/properties/formula_nodes.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

std::string plain(const std::string& markup) {
  const Result<Formula> formula = Formula::parse(markup);
  return formula ? formula->plainText() : "error: " + formula.error().message;
}

const FormulaFont& font() {
  const Result<FormulaFont>& shared = FormulaFont::shared();
  if (!shared) FAIL(shared.error().message);
  return *shared;
}

FormulaBox box(const std::string& markup, double maxWidth = 0, bool display = true) {
  const Result<Formula> formula = Formula::parse(markup);
  if (!formula) FAIL(formula.error().message);
  return layOut(*formula, font(), {20, maxWidth, display});
}

std::uint32_t of(char32_t code) {
  return font().glyph(code);
}
FormulaGlyph place(const FormulaBox& box, char32_t code) {
  for (const FormulaGlyph& glyph : box.glyphs)
    if (glyph.glyph == of(code)) return glyph;
  FAIL("no such glyph");
  return {};
}

}  // namespace

TEST_CASE("Formulas are written as plain text", "[formula]") {
  CHECK(plain("p+q-1") == "p + q − 1");
  CHECK(plain("-x") == "−x");
  CHECK(plain("a = -x") == "a = −x");
  CHECK(plain("\\frac{a+b}{2}") == "(a + b)/2");
  CHECK(plain("e^{2w}_0") == "e_0^(2w)");
  CHECK(plain("\\sqrt{w^2-1}") == "√(w^2 − 1)");
  CHECK(plain("\\left(\\frac ab\\right)^2") == "(a/b)^2");
  CHECK(plain("\\pi_0\\log\\pi_0") == "π_0 log π_0");
  CHECK(plain("\\exp(x)") == "exp(x)");
  CHECK(plain("\\begin{cases} 1 & x>0 \\\\ 0 & \\text{else} \\end{cases}") == "{ 1, x > 0; 0, else }");
  CHECK(plain("\\sum_{i=1}^N x_i") == "∑_(i = 1)^N x_i");
  CHECK(plain("H(\\pi)") == "H(π)");
  CHECK(plain("π·2 − e′") == "π ⋅ 2 − e′");
  CHECK(plain("a &= b \\\\ &= c") == "a = b\n= c");
  CHECK(plainOfMixed("with $\\sigma^2\\ll 1$ and $x$") == "with σ^2 ≪ 1 and x");
  CHECK(plainOfMixed("costs 5 $ or so") == "costs 5 $ or so");
}

TEST_CASE("Numbers in formulas are read", "[formula]") {
  CHECK(formulaNumber(0.5) == "0.5");
  CHECK(formulaNumber(-0.25) == "−0.25");
  CHECK(formulaFactor(-0.25) == "(−0.25)");
  CHECK(formulaNumber(0) == "0");
  CHECK(formulaNumber(12) == "12");
  CHECK(formulaFixed(0.5, 6) == "0.500000");
  CHECK(plain(formulaNumber(3.7e-9)) == "3.70 ⋅ 10^(−9)");
  CHECK(plain(formulaNumber(9.9999e-12)) == "1.00 ⋅ 10^(−11)");
  CHECK(formulaNumber(INFINITY) == "\\infty");
  CHECK(plain(formulaNumber(NAN)) == "undefined");
}

TEST_CASE("Invalid markup is refused with its position", "[formula]") {
  for (const char* wrong :
       {"{", "}", "a^", "\\frac{1}", "\\sqrt[2", "\\left(x", "\\left(x\\right", "\\unknown", "\\begin{cases}a",
        "\\begin{matrix}", "x_1_2", "\\mathrm{a\\b}", "\\text", "\\left a b\\right)", "\xff", "a\\", "\\right)"}) {
    INFO(wrong);
    const Result<Formula> formula = Formula::parse(wrong);
    REQUIRE_FALSE(formula);
    CHECK(formula.error().kind == ErrorKind::Usage);
    CHECK_FALSE(formula.error().message.empty());
  }
  std::string deep;
  for (int i = 0; i < 5000; ++i)
    deep += "\\sqrt{";
  CHECK_FALSE(Formula::parse(deep));
  std::string scripts = "x";
  for (int i = 0; i < 5000; ++i)
    scripts += "^{x";
  CHECK_FALSE(Formula::parse(scripts));
  std::string fractions;
  for (int i = 0; i < 3000; ++i)
    fractions += "\\frac";
  CHECK_FALSE(Formula::parse(fractions));
}

TEST_CASE("No markup crashes the parser or the typesetter", "[formula]") {
  const std::vector<std::string> pieces{"\\frac",
                                        "{",
                                        "}",
                                        "a",
                                        "^",
                                        "_",
                                        "\\sqrt",
                                        "[",
                                        "]",
                                        "\\left",
                                        "(",
                                        ")",
                                        "\\right",
                                        ".",
                                        "\\\\",
                                        "&",
                                        "\\begin{cases}",
                                        "\\end{cases}",
                                        "\\sum",
                                        "'",
                                        "1",
                                        " ",
                                        "\\hat",
                                        "\\text{ab}",
                                        "\\alpha",
                                        "=",
                                        "+",
                                        "|",
                                        "\\log",
                                        "\\",
                                        "\xCF",
                                        "\x80",
                                        ",",
                                        "\\int",
                                        "\\mathbb{R}",
                                        "-",
                                        "\\quad"};
  RandomStream random(7, 0);
  int parsed = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string markup;
    const auto length = static_cast<int>(random.uniform() * 14);
    for (int i = 0; i < length; ++i)
      markup += pieces[static_cast<std::size_t>(random.uniform() * static_cast<double>(pieces.size()))];
    const Result<Formula> formula = Formula::parse(markup);
    if (!formula) continue;
    ++parsed;
    INFO(markup);
    const FormulaBox set = layOut(*formula, font(), {16, random.uniform() < 0.5 ? 0.0 : 60.0, true});
    REQUIRE(std::isfinite(set.width));
    REQUIRE(std::isfinite(set.height()));
    formula->plainText();
    for (const FormulaGlyph& glyph : set.glyphs)
      REQUIRE((std::isfinite(glyph.x) && std::isfinite(glyph.y)));
  }
  CHECK(parsed > 1000);
}

TEST_CASE("Subscripts and superscripts are smaller and shifted", "[formula]") {
  const FormulaBox set = box("x_1^2");
  const FormulaGlyph base = place(set, slanted('x')), sub = place(set, '1'), sup = place(set, '2');
  CHECK(base.size == 20);
  CHECK(sub.size < 0.85 * base.size);
  CHECK(sup.size == sub.size);
  CHECK(sup.y < 0);
  CHECK(sub.y > 0);
  CHECK(sub.x > base.x);
}

TEST_CASE("The bar of a fraction lies on the axis, between numerator and denominator", "[formula]") {
  const FormulaBox set = box("\\frac{a}{b+c}");
  REQUIRE(set.rules.size() == 1);
  const FormulaRule rule = set.rules[0];
  CHECK(rule.y + rule.height / 2 == Approx(-20 * font().constants().axis));
  CHECK(place(set, slanted('a')).y < rule.y);
  const FormulaGlyph below = place(set, slanted('b'));
  CHECK(below.y - 20 * font().extent(below.glyph).ascent > rule.y + rule.height);
  const FormulaGlyph above = place(set, slanted('a'));
  CHECK(above.x + 10 * font().extent(above.glyph).advance == Approx(rule.x + rule.width / 2));
}

TEST_CASE("A root sign covers its argument", "[formula]") {
  for (const char* inside : {"x", "\\frac{a}{b}", "\\frac{\\frac ab}{\\frac cd}"}) {
    INFO(inside);
    const FormulaBox alone = box(inside, 0, false), set = box("\\sqrt{" + std::string(inside) + "}", 0, false);
    const FormulaRule* bar = nullptr;
    for (const FormulaRule& rule : set.rules)
      if (rule.continues >= 0) bar = &rule;
    REQUIRE(bar);
    CHECK(bar->y + bar->height < -alone.ascent);
    CHECK(bar->width >= alone.width);
    const FormulaGlyph& hook = set.glyphs[static_cast<std::size_t>(bar->continues)];
    CHECK(hook.y - hook.size * font().extent(hook.glyph).ascent == Approx(bar->y).margin(0.3));
  }
}

TEST_CASE("Brackets grow with their content and stay on the axis", "[formula]") {
  const FormulaBox small = box("\\left(x\\right)"), large = box("\\left(\\frac{\\frac ab}{\\frac cd}\\right)");
  CHECK(large.height() > 1.5 * small.height());
  const FormulaBox inside = box("\\frac{\\frac ab}{\\frac cd}");
  CHECK(large.ascent >= 0.85 * inside.ascent);
  CHECK(box("\\left.x\\right)").width < small.width);
  std::string tower = "x";
  for (int i = 0; i < 12; ++i)
    tower = "\\frac{" + tower + "}{y}";
  const FormulaBox built = box("\\left\\{" + tower + "\\right\\}");
  CHECK(built.height() > 5 * small.height());
}

TEST_CASE("The limits of a displayed sum are below and above it", "[formula]") {
  const FormulaBox set = box("\\sum_{i=1}^{N} x_i");
  CHECK(place(set, slanted('N')).y < -10);
  CHECK(place(set, '1').y > 10);
  const FormulaBox inLine = box("\\sum_{i=1}^{N} x_i", 0, false);
  CHECK(inLine.height() < set.height());
  CHECK(inLine.width > set.width);
}

TEST_CASE("Binary signs have space around them, and a sign before a number has none", "[formula]") {
  CHECK(box("a+b").width > box("a{+}b").width + 2);
  CHECK(box("=-b").width == Approx(box("={-}b").width));
  CHECK(box("(-b)").width == Approx(box("({-}b)").width));
  CHECK(box("e^{a+b}").width == Approx(box("e^{a{+}b}").width));  // no space in scripts
}

TEST_CASE("Long formulas break at relations and signs, and aligned formulas line up at their mark", "[formula]") {
  const std::string sum = "L = aaaa+bbbb+cccc+dddd+eeee+ffff+gggg+hhhh+iiii";
  const FormulaBox one = box(sum), several = box(sum, 150);
  CHECK(several.width <= 150);
  CHECK(several.height() > 2 * one.height());
  CHECK(several.glyphs.size() == one.glyphs.size());
  CHECK(several.ascent <= one.ascent);
  const FormulaBox aligned = box("L &= a \\\\ &= b");
  const std::uint32_t equal = of('=');
  double first = -1;
  for (const FormulaGlyph& glyph : aligned.glyphs) {
    if (glyph.glyph != equal) continue;
    if (first < 0) first = glyph.x;
    CHECK(glyph.x == Approx(first));
  }
}

TEST_CASE("The font contains every symbol and letter that formulas use", "[formula]") {
  for (const char* name :
       {"alpha",   "beta",   "sigma", "varphi", "theta", "epsilon", "phi",    "pi",         "Lambda", "infty",
        "partial", "nabla",  "ell",   "prime",  "star",  "cdot",    "times",  "pm",         "le",     "ge",
        "ne",      "approx", "ll",    "gg",     "in",    "to",      "mapsto", "Rightarrow", "langle", "rangle",
        "Vert",    "sum",    "prod",  "int",    "mid",   "top",     "ldots",  "propto",     "sim"}) {
    const FormulaSymbol* symbol = formulaSymbol(std::string_view(name));
    INFO(name);
    REQUIRE(symbol);
    CHECK(of(slanted(symbol->code)) != 0);
  }
  for (char32_t letter = 'a'; letter <= 'z'; ++letter) {
    CHECK(of(slanted(letter)) != 0);
    CHECK(of(boldUpright(letter)) != 0);
    CHECK(of(slanted(letter - 'a' + 'A')) != 0);
    CHECK(of(calligraphic(letter - 'a' + 'A')) != 0);
    CHECK(of(doubleStruck(letter - 'a' + 'A')) != 0);
    CHECK(plainLetter(slanted(letter)) == letter);
  }
}
