// SPDX-License-Identifier: Apache-2.0
// The cards of the Flow exhibit: every read-out has one, every formula can be typeset, every erratum id is known, and
// evaluating the formula with the present numbers gives the number that is shown.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "engine/core/number.h"
#include "tests/ui/exhibits/flow/flow_rig.h"
#include "ui/properties/errata.h"
#include "ui/properties/formula.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// Evaluates a plain-text expression of numbers: + − ⋅ / ^ √ log and juxtaposition.
class Calculator {
 public:
  explicit Calculator(std::string text) : text_(std::move(text)) {}
  double value() {
    const double result = sum();
    skip();
    if (at_ != text_.size()) return std::nan("");
    return result;
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
  }
  bool take(std::string_view sign) {
    skip();
    if (text_.compare(at_, sign.size(), sign) != 0) return false;
    at_ += sign.size();
    return true;
  }
  bool ahead(std::string_view sign) {
    skip();
    return text_.compare(at_, sign.size(), sign) == 0;
  }
  double sum() {
    double result = product();
    for (;;) {
      if (take("+"))
        result += product();
      else if (take("−"))
        result -= product();
      else
        return result;
    }
  }
  double product() {
    double result = power();
    for (;;) {
      skip();
      if (take("⋅"))
        result *= power();
      else if (take("/"))
        result /= power();
      else if (at_ < text_.size() &&
               (std::isdigit(static_cast<unsigned char>(text_[at_])) || ahead("(") || ahead("log")))
        result *= power();
      else
        return result;
    }
  }
  double power() {
    if (take("−")) return -power();
    if (take("log")) return std::log(power());
    if (take("√")) return std::sqrt(power());
    double base = 0;
    if (take("(")) {
      base = sum();
      if (!take(")")) return std::nan("");
    } else {
      skip();
      const std::size_t begin = at_;
      while (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
        ++at_;
      base = parseNumber(text_.substr(begin, at_ - begin)).value_or(std::nan(""));
    }
    return take("^") ? std::pow(base, power()) : base;
  }

  std::string text_;
  std::size_t at_ = 0;
};

/// The parts between the equal signs in the last line.
std::vector<std::string> chain(const std::string& markup) {
  const Result<Formula> formula = Formula::parse(markup);
  if (!formula) FAIL(formula.error().message);
  std::string text = formula->plainText();
  text = text.substr(text.rfind('\n') + 1);
  std::vector<std::string> parts;
  for (std::size_t from = 0;;) {
    const std::size_t to = text.find(" = ", from);
    parts.push_back(text.substr(from, to - from));
    if (to == std::string::npos) return parts;
    from = to + 3;
  }
}

const ReadOut& readOut(const Rig& rig, const std::string& key) {
  std::string element = key;
  if (const auto list = key.find("[]"); list != std::string::npos) element.replace(list, 2, "[0]");
  const auto found = rig.editor.registry.find(element);
  if (!found || !found->readOut) FAIL(key);
  return *found->readOut;
}

}  // namespace

TEST_CASE("Every read-out has a card", "[cards]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  REQUIRE(rig.add(0.9, -0.4));
  rig.set("flow.show.cloud", true);
  rig.set("flow.basin.method", std::string("both"));
  rig.settle();
  std::set<std::string> linked;
  const auto formulaOf = [](const std::string& markup) {
    INFO(markup);
    if (markup.empty()) return;
    const Result<Formula> formula = Formula::parse(markup);
    INFO((formula ? "" : formula.error().message));
    CHECK(formula.has_value());
  };
  for (const ReadOut& one : rig.editor.registry.readOuts()) {
    INFO(one.key);
    CHECK(one.help.size() > 10);  // the text of the card
    formulaOf(one.formula);
    for (const int index : {-1, 0, 1, 7})
      if (one.withNumbers) formulaOf(one.withNumbers(index));
    CHECK(one.formula.empty() <= !one.withNumbers);  // numbers belong to a formula
    linked.insert(one.errata.begin(), one.errata.end());
  }
  for (const Property& one : rig.editor.registry.properties()) {
    INFO(one.key);
    CHECK(one.help.size() > 10);
    formulaOf(one.formula);
    linked.insert(one.errata.begin(), one.errata.end());
  }
  for (const std::string& id : linked) {
    INFO(id);
    CHECK(findErratum(id) != nullptr);
  }
  for (const Erratum& one : errata()) {
    if (one.paper != Paper::LocalToGlobal) continue;
    INFO(one.id);
    CHECK(linked.count(one.id) == (one.shown ? 1 : 0));
  }
}

TEST_CASE("Evaluating a formula with the present numbers gives the number that is shown", "[cards]") {
  for (const auto& [p, q] : {std::pair(0.5, 0.8), std::pair(0.2, 0.3), std::pair(0.123456, 0.6)}) {
    Rig rig;
    rig.set("flow.p", p);
    rig.set("flow.q", q);
    for (const auto& [e, w] : {std::pair(0.3, 0.2), std::pair(-1.2, -0.45), std::pair(0.1, -1.3)})
      REQUIRE(rig.add(e, w));
    rig.set("flow.show.cloud", true);
    rig.settle();
    const auto check = [&](const std::string& key, int index = -1) {
      const ReadOut& one = readOut(rig, key);
      const std::string markup = one.withNumbers(index);
      INFO(key << ": " << markup);
      const std::vector<std::string> parts = chain(markup);
      REQUIRE(parts.size() >= 2);
      const double shown = std::get<double>(one.get(index));
      CHECK(Calculator(parts.back()).value() == Approx(shown).margin(1e-6));
      CHECK(Calculator(parts[parts.size() - 2]).value() == Approx(shown).margin(2e-5));
    };
    check("flow.entropy.marginal");
    check("flow.entropy.rate");
    check("flow.entropy.gap");
    check("flow.S_star");
    for (int i = 0; i < 3; ++i) {
      check("flow.points[].loss", i);
      check("flow.points[].energy", i);
    }
    for (int i = 0; i < 3; ++i)
      if (const ReadOut& rate = readOut(rig, "flow.points[].rate.theory"); std::holds_alternative<double>(rate.get(i)))
        check("flow.points[].rate.theory", i);
    check("flow.gauss.measured");
    check("flow.basin.share.global-min");
    // The fraction contains the exact pixel counts.
    const ReadOut& share = readOut(rig, "flow.basin.share.global-min");
    const std::vector<std::string> parts = chain(share.withNumbers(-1));
    REQUIRE(parts.size() >= 2);
    CHECK(Calculator(parts[parts.size() - 2]).value() == Approx(std::get<double>(share.get(-1))).margin(1e-12));
  }
}

TEST_CASE("Cards follow the point and apply only to their field", "[cards]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  rig.settle();
  const ReadOut& loss = readOut(rig, "flow.points[].loss");
  const std::string before = loss.withNumbers(0);
  rig.set("flow.points[0].e", 0.7);
  rig.settle();
  CHECK(loss.withNumbers(0) != before);
  CHECK(loss.withNumbers(5).empty());
  CHECK(loss.formulaApplies(rig.editor.document()));
  rig.set("flow.field", std::string("duffing"));
  rig.settle();
  CHECK_FALSE(loss.formulaApplies(rig.editor.document()));
  CHECK(loss.withNumbers(0).empty());
}

TEST_CASE("Cards of basins give the reason for every kind of basin", "[cards]") {
  Rig rig;
  for (const auto& [e, w] : {std::pair(0.3, 0.2), std::pair(0.0, -1.0), std::pair(1.0, -0.5), std::pair(0.05, -0.6),
                             std::pair(0.4, 0.0), std::pair(0.0, 0.0)})
    REQUIRE(rig.add(e, w));
  for (const double q : {0.8, 0.2, 0.5}) {
    rig.set("flow.q", q);
    rig.settle();
    for (int i = 0; i < 6; ++i) {
      const std::string text = toString(readOut(rig, "flow.points[].basin").get(i));
      for (const char* key : {"basin", "limit.kind", "limit.loss", "limit.e", "energy", "loss"}) {
        const std::string markup = readOut(rig, std::string("flow.points[].") + key).withNumbers(i);
        INFO(q << " " << i << " " << key << ": " << markup);
        CHECK((markup.empty() || Formula::parse(markup).has_value()));
      }
      const std::string why = Formula::parse(readOut(rig, "flow.points[].basin").withNumbers(i))->plainText();
      INFO(why << " / " << text);
      if (text == "local-min") CHECK(why.find("local minimum") != std::string::npos);
      if (text == "local-max") CHECK(why.find("local maximum") != std::string::npos);
      if (text == "undecided") CHECK(why.find("no basins") != std::string::npos);
    }
  }
}
