// SPDX-License-Identifier: Apache-2.0
// Parameters and read-outs of the page of the free bias, each with its card.
#include <cmath>

#include <fmt/format.h>

#include "ui/exhibits/flow/bias/bias_page.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/properties/formula.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace declaring;

namespace {

using markov::BiasPath;

constexpr const char* kPaper = "Local-to-Global, section 3 and A.3";
constexpr const char* kErratum = "l2g-16";
constexpr const char* kSteps =
    "\\theta_{k+1} &= \\theta_k-\\eta\\,\\frac{\\partial L}{\\partial\\theta}(\\theta_k,b_{k,0}) \\\\ b_{k,i+1} &= "
    "b_{k,i}-\\eta\\,\\frac{\\partial L}{\\partial b}(\\theta_{k+1},b_{k,i}),\\quad i<m \\\\ b_{k+1,0} &= b_{k,m}";
constexpr const char* kFreeFlow =
    "\\frac{d\\theta}{dt} &= -\\frac{\\partial L}{\\partial\\theta}(\\theta,b) \\\\ \\frac{db}{dt} &= "
    "-\\frac{\\partial L}{\\partial b}(\\theta,b)";

std::function<bool(const Document&)> here() {
  return onPages({"bias"});
}
std::function<bool(const Document&)> whenOn(std::string key, bool fallback) {
  return onPages({"bias"}, [key = std::move(key), fallback](const Document& document) {
    const Json& value = document.at(key);
    return value.is_boolean() ? value.get<bool>() : fallback;
  });
}
std::string showKey(BiasKind kind) {
  return std::string("flow.bias.show.") + biasWord(kind);
}
bool shownAtFirst(BiasKind kind) {
  return kind != BiasKind::Own;
}

Property whole(std::string key, std::string label, std::string symbol, double min, double max, double fallback,
               double step, std::string help) {
  Property property =
      real(std::move(key), std::move(label), std::move(symbol), min, max, fallback, step, 0, std::move(help));
  property.kind = Kind::Integer;
  property.applies = here();
  return property;
}

void declareShown(PropertyRegistry& registry) {
  constexpr const char* kNames[] = {N_("Free flow"),    N_("1 bias step"),  N_("2 bias steps"),
                                    N_("5 bias steps"), N_("m bias steps"), N_("Exact bias")};
  constexpr const char* kHelp[] = {
      N_("The flow of the loss in which the bias is a parameter like the others."),
      N_("After every step of e and w the bias makes one step of the same size: what the paper calls sufficient."),
      N_("After every step of e and w the bias makes two steps of the same size."),
      N_("After every step of e and w the bias makes five steps of the same size."),
      N_("After every step of e and w the bias makes as many steps as you say."),
      N_("After every step of e and w the bias is the best one: the theory's assumption, with steps."),
  };
  for (const BiasKind kind : kBiasKinds) {
    const auto i = static_cast<std::size_t>(kind);
    Property shown = toggle(showKey(kind), kNames[i], shownAtFirst(kind), kHelp[i]);
    shown.formula = kind == BiasKind::Free ? kFreeFlow : kSteps;
    shown.equation = kPaper;
    shown.errata = {kErratum};
    shown.applies = here();
    registry.declare(shown);
  }
}

void declareNumbers(PropertyRegistry& registry) {
  Property model;
  model.key = "flow.bias.model";
  model.label = N_("Model");
  model.kind = Kind::Choice;
  model.choices = {"ewb", "ewab"};
  model.fallback = std::string("ewb");
  model.help = N_("Whether the attention scalar a takes part; the plane then shows e and w of the path.");
  model.equation = "Local-to-Global, section 5";
  model.choiceLabel = [](const std::string& key) { return key == "ewab" ? "(e, w, a, b)" : "(e, w, b)"; };
  model.applies = here();
  registry.declare(model);

  Property own = whole("flow.bias.m", N_("Bias steps"), "m", 1, 200, 10, 1,
                       N_("How many steps the bias makes after every step of e and w. More of them come nearer to the "
                          "exact bias."));
  own.applies = whenOn(showKey(BiasKind::Own), shownAtFirst(BiasKind::Own));
  own.formula = kSteps;
  registry.declare(own);
  Property rate = real("flow.bias.rate", N_("Rate"), "η", 1e-3, 5, 0.1, 0.01, 3,
                       N_("Learning rate of e, w and the bias alike; a step stands for so much time of the flow."));
  rate.scale = Scale::Logarithmic;
  rate.formula = kSteps;
  rate.applies = here();
  registry.declare(rate);
  Property steps = whole("flow.bias.steps", N_("Steps"), "", 1, 20000, 400, 10,
                         N_("How many steps of e and w are made; the charts end at steps times rate."));
  steps.scale = Scale::Logarithmic;
  registry.declare(steps);
  Property survey =
      toggle("flow.bias.survey", N_("Many starts"), false,
             N_("Draws starts with the σ of the Gaussian cloud and counts how many end elsewhere than the "
                "theory says."));
  survey.errata = {kErratum};
  survey.applies = here();
  registry.declare(survey);
  Property starts = whole("flow.bias.starts", N_("Starts"), "", 10, 5000, 400, 10, N_("How many starts are drawn."));
  starts.scale = Scale::Logarithmic;
  starts.applies = whenOn("flow.bias.survey", false);
  registry.declare(starts);
  Property count = whole("flow.bias.survey-m", N_("Bias steps"), "m", 0, 50, 1, 1,
                         N_("Bias steps after every step, for all of these starts; 0 is the exact bias."));
  count.applies = whenOn("flow.bias.survey", false);
  registry.declare(count);
}

struct Reading {
  const char* member;
  const char* label;
  const char* symbol;
  const char* help;
  const char* formula;
  std::function<Value(const BiasPath&)> get;
  std::function<std::string(const BiasPath&)> withNumbers;
  bool detail = false;
  std::function<std::string(const std::string&)> words = {};
};

std::vector<Reading> readings() {
  const auto value = [](double BiasPath::*member) {
    return [member](const BiasPath& path) { return valueOf(path.*member); };
  };
  return {
      {"end",
       N_("ends in"),
       "",
       N_("The kind of limit that the flow with this bias reaches from the last point; of the exact bias by Theorems 2 "
          "and 8."),
       "",
       [](const BiasPath& path) { return path.diverged ? Value() : Value(std::string(markov::limitName(path.kind))); },
       {},
       false,
       labelWords},
      {"energy", N_("energy"), "ΔE",
       N_("Energy at the last point less that at the start. The theory's orbit has none; with a free bias the energy "
          "is "
          "not conserved."),
       "\\Delta E = E(\\theta_K)-E(\\theta_0),\\quad E = e^2-\\left(w^2+\\sgn(w)\\,\\log|w|\\right)-2a^2",
       value(&BiasPath::energyChange),
       [](const BiasPath& path) -> std::string {
         if (path.energy.empty() || !std::isfinite(path.energyChange)) return {};
         return "\\Delta E = " + formulaNumber(path.energy.back()) + "-" + formulaFactor(path.energy.front()) + " = " +
                formulaNumber(path.energyChange);
       }},
      {"distance", N_("end off by"), "", N_("Distance between the last point and the limit that the theory says."),
       "|\\theta_K-\\theta_\\infty|",
       [](const BiasPath& path) { return path.endDistance ? valueOf(*path.endDistance) : Value(); },
       [](const BiasPath& path) { return path.endDistance ? "= " + formulaNumber(*path.endDistance) : std::string(); }},
      {"farthest", N_("orbit off by"), "",
       N_("Largest distance of a point of the path from the theory's orbit between start and limit."),
       "\\max_k\\,\\min_t\\,|\\theta_k-\\theta(t)|", value(&BiasPath::farthest),
       [](const BiasPath& path) { return "= " + formulaNumber(path.farthest); }},
      {"offset", N_("bias off by"), "", N_("Largest distance of the bias from the best one."),
       "\\max_k\\,|b_k-b_\\star(\\theta_k)|", value(&BiasPath::largestOffset),
       [](const BiasPath& path) { return "= " + formulaNumber(path.largestOffset); }, true},
  };
}

void declareReadOuts(PropertyRegistry& registry, const BiasPage& page) {
  ReadOut theory;
  theory.key = "flow.bias.theory.end";
  theory.label = N_("Theory ends in");
  theory.help = N_("The kind of limit of the flow with the best bias from this start.");
  theory.equation = "Local-to-Global, Theorems 2 and 8";
  theory.words = labelWords;
  theory.applies = here();
  theory.get = [&page](int) {
    const auto& comparison = page.result().comparison;
    return comparison ? Value(std::string(markov::limitName(comparison->kind))) : Value();
  };
  registry.declare(theory);
  for (const BiasKind kind : kBiasKinds)
    for (const Reading& reading : readings()) {
      ReadOut one;
      one.key = std::string("flow.bias.") + biasWord(kind) + "." + reading.member;
      one.label = reading.label;
      one.liveLabel = [&page, kind, label = reading.label](const Document&) {
        return biasName(kind, page.state().own) + ": " + tr(label);
      };
      one.symbol = reading.symbol;
      one.help = reading.help;
      one.equation = kPaper;
      one.formula = reading.formula;
      one.errata = {kErratum};
      one.digits = 4;
      one.detail = reading.detail;
      one.words = reading.words;
      one.applies = whenOn(showKey(kind), shownAtFirst(kind));
      one.get = [&page, kind, get = reading.get](int) {
        const BiasPath* const path = page.path(kind);
        return path ? get(*path) : Value();
      };
      if (reading.withNumbers)
        one.withNumbers = [&page, kind, with = reading.withNumbers](int) {
          const BiasPath* const path = page.path(kind);
          return path ? with(*path) : std::string();
        };
      registry.declare(one);
    }
}

void declareSurvey(PropertyRegistry& registry, const BiasPage& page) {
  struct Many {
    const char* member;
    const char* label;
    const char* help;
    int digits;
    double (*get)(const markov::BiasSurvey&);
    bool exact = false;  ///< of the same starts with the exact bias
  };
  constexpr Many kMany[] = {
      {"other", N_("End elsewhere"), N_("Starts whose kind of limit is not that of the theory."), 0,
       [](const markov::BiasSurvey& s) { return static_cast<double>(s.otherEnd); }},
      {"other-exact", N_("Exact bias"),
       N_("The same count with the exact bias: what the size of the steps alone does."), 0,
       [](const markov::BiasSurvey& s) { return static_cast<double>(s.otherEnd); }, true},
      {"unsettled", N_("Still moving"),
       N_("Starts that had not come to rest after all steps, 6,000 at least; they are not counted."), 0,
       [](const markov::BiasSurvey& s) { return static_cast<double>(s.unsettled); }},
      {"distance", N_("Ends off by"),
       N_("Median distance from the theory's end, over the starts that end at the same kind of limit."), 4,
       [](const markov::BiasSurvey& s) { return s.medianDistance; }},
      {"energy", N_("Energy off by"),
       N_("Median size of the change of energy, over the starts that end at the same kind of limit."), 4,
       [](const markov::BiasSurvey& s) { return s.medianEnergy; }},
  };
  for (const Many& many : kMany) {
    ReadOut one;
    one.key = std::string("flow.bias.many.") + many.member;
    one.label = many.label;
    one.help = many.help;
    one.digits = many.digits;
    one.errata = {kErratum};
    one.equation = kPaper;
    one.applies = whenOn("flow.bias.survey", false);
    one.get = [&page, get = many.get, exact = many.exact](int) {
      const std::optional<markov::BiasSurvey>& survey = exact ? page.result().exactSurvey : page.result().survey;
      return survey ? valueOf(get(*survey)) : Value();
    };
    registry.declare(one);
  }
}

}  // namespace

void declareBias(PropertyRegistry& registry, const BiasPage& page) {
  declareShown(registry);
  declareNumbers(registry);
  declareReadOuts(registry, page);
  declareSurvey(registry, page);
}

}  // namespace sepx::ui
