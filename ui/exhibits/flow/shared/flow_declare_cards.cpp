// SPDX-License-Identifier: Apache-2.0
// The cards of the Flow exhibit: every formula as in the paper (equation numbers stand in the declarations), and which
// of the paper's errors a person should know at that place. Getters compute no more than a formula.
#include <utility>

#include "engine/markov/canonical_model.h"
#include "ui/exhibits/flow/shared/flow_declare.h"
#include "ui/exhibits/flow/shared/flow_declare_numbers.h"
#include "ui/properties/formula.h"
#include "ui/properties/tr.h"

namespace sepx::ui {
namespace {

using CardNumbers = std::function<std::string(int)>;

constexpr const char* kLossFormula =
    "L &= \\pi_0\\left[(1-p)\\,\\ell(-c)+p\\,\\ell(c)\\right] + "
    "\\pi_1\\left[q\\,\\ell(-S-c)+(1-q)\\,\\ell(S+c)\\right] "
    "\\\\ \\ell(z) &= \\log\\left(1+e^{-z}\\right),\\quad S = e^2(1+2w|w|),\\quad c = b_\\star-\\frac{e^2}{2} "
    "\\\\ e^c &= \\frac{\\frac pq-1+\\sqrt{\\left(\\frac pq-1\\right)^2+4\\,\\frac pq\\,e^S}}{2e^S}";
constexpr const char* kCurve = "g(w)^2 = w^2-\\log(-w)-\\frac{1+\\log2}{2}";

std::string text(const char* words) {
  return std::string("\\text{") + tr(words) + "}";
}

std::string basinFormula() {
  const std::string localMin = text(N_("local minimum")), saddle = text(N_("saddle")), max = text(N_("local maximum")),
                    global = text(N_("global minimum")), other = text(N_("otherwise"));
  return "p+q>1:\\ & \\begin{cases}" + localMin + " & w\\ge0 \\\\" + localMin + " & -1/\\sqrt2<w<0,\\ e^2<g(w)^2 \\\\" +
         saddle + " & -1/\\sqrt2\\le w<0,\\ e^2=g(w)^2 \\\\" + max + " & w<-1/\\sqrt2,\\ e=0 \\\\" + global + " & " +
         other + "\\end{cases} \\\\ p+q<1:\\ & \\begin{cases}" + localMin + " & w<-1/\\sqrt2,\\ e^2<g(w)^2 \\\\" +
         saddle + " & w\\le-1/\\sqrt2,\\ e^2=g(w)^2 \\\\" + max + " & w>-1/\\sqrt2,\\ e=0 \\\\" + global + " & " +
         other + "\\end{cases} \\\\ & " + kCurve;
}

std::string limitFormula() {
  return "\\begin{cases}" + text(N_("global minimum")) + " & S = S_\\star \\\\" + text(N_("local minimum")) +
         " & e=0,\\ (p+q-1)(1+2w|w|)>0 \\\\" + text(N_("local maximum")) + " & e=0,\\ (p+q-1)(1+2w|w|)<0 \\\\" +
         text(N_("saddle")) + " & e=0,\\ w=-1/\\sqrt2 \\end{cases}";
}

class Cards {
 public:
  Cards(PropertyRegistry& registry, const FlowShared& readings) : registry_(registry), r_(readings) {}

  void points();
  void clocks();
  void model();
  void basins();
  void pointer();
  void parameters();

 private:
  /// A card whose formula is of the canonical plane.
  void add(std::string_view key, std::string formula, CardNumbers numbers = {}, std::vector<std::string> errata = {}) {
    const auto canonical = [](const Document& document) { return chosenField(document) == kCanonicalField; };
    registry_.explain(key, {std::move(formula), std::move(numbers), std::move(errata), canonical});
  }
  CardNumbers ofChain(std::string (*make)(const markov::Chain&)) {
    return [&state = r_.state, make](int) { return state.canonical ? make(state.chain) : std::string(); };
  }
  /// From the place of a point and what became of it.
  using OfPoint = std::string (*)(const markov::Chain&, double, double, const PointResult&);
  CardNumbers ofPoint(OfPoint make) {
    return [&state = r_.state, &results = r_.results, make](int index) -> std::string {
      const auto i = static_cast<std::size_t>(index);
      if (!state.canonical || index < 0 || i >= state.points.size() || i >= results.points()) return {};
      return make(state.chain, state.points[i].e, state.points[i].w, results.point(i));
    };
  }
  CardNumbers ofHover(std::string (*make)(const markov::Chain&, double, double)) {
    return [&state = r_.state, &hover = r_.hover, make](int) {
      return state.canonical && hover ? make(state.chain, hover->x, hover->y) : std::string();
    };
  }

  PropertyRegistry& registry_;
  const FlowShared& r_;
};

void Cards::points() {
  add("flow.points[].loss", kLossFormula,
      ofPoint([](const markov::Chain& chain, double e, double w, const PointResult&) {
        return lossWithNumbers(chain, e, w);
      }),
      {"l2g-10", "l2g-6", "l2g-12"});
  add("flow.points[].energy", "E(e,w) = e^2-\\left(w^2+\\sgn(w)\\,\\log|w|\\right)",
      ofPoint([](const markov::Chain&, double e, double w, const PointResult&) { return energyWithNumbers(e, w); }),
      {"l2g-11"});
  add("flow.points[].basin", basinFormula(),
      ofPoint([](const markov::Chain& chain, double e, double w, const PointResult&) {
        return basinWithNumbers(chain, e, w);
      }),
      {"l2g-8", "l2g-19"});
  add("flow.points[].status", "", {}, {"l2g-9", "l2g-17"});
  add("flow.points[].limit.kind", limitFormula(),
      ofPoint([](const markov::Chain& chain, double, double, const PointResult& point) {
        return limitWithNumbers(chain, point);
      }),
      {"l2g-11"});
  add("flow.points[].limit.loss",
      "L(\\theta_\\infty) = \\begin{cases} H(x_{n+1}\\mid x_n) & " + text(N_("global minimum")) + " \\\\ H(\\pi) & " +
          text(N_("otherwise")) + "\\end{cases}",
      ofPoint(
          [](const markov::Chain&, double, double, const PointResult& point) { return limitLossWithNumbers(point); }),
      {"l2g-11"});
  for (const char* key : {"flow.points[].limit.e", "flow.points[].limit.w"}) {
    add(key,
        "E(e_\\infty,w_\\infty) = E(e_0,w_0),\\quad \\begin{cases} e_\\infty^2\\,(1+2w_\\infty|w_\\infty|) = S_\\star "
        "& " +
            text(N_("global minimum")) + " \\\\ e_\\infty = 0 & " + text(N_("otherwise")) + "\\end{cases}",
        ofPoint(limitPlaceWithNumbers), {"l2g-9"});
  }
  add("flow.points[].drift", "\\max_t \\frac{|E(\\theta_t)-E(\\theta_0)|}{1+|E(\\theta_0)|}",
      ofPoint([](const markov::Chain&, double, double, const PointResult& point) {
        return point.drift ? "= " + formulaNumber(*point.drift) : std::string();
      }));
}

void Cards::clocks() {
  add("flow.points[].time99",
      "\\min\\left\\{t : L(\\theta_t)-L_\\infty < 0.01\\,(L(\\theta_0)-L_\\infty)\\right\\},\\quad "
      "\\frac{d\\theta_t}{dt} = -\\nabla L(\\theta_t)",
      ofPoint(time99WithNumbers), {"l2g-19", "l2g-17"});
  add("flow.points[].rate.theory", "|e_t| \\sim e^{-rt},\\quad r = 2\\pi_0\\pi_1\\,(p+q-1)\\,(1+2w_\\infty|w_\\infty|)",
      ofPoint([](const markov::Chain& chain, double, double, const PointResult& point) {
        return rateTheoryWithNumbers(chain, point);
      }),
      {"l2g-18"});
  add("flow.points[].rate", "r = \\frac{\\log|e_{t_1}|-\\log|e_{t_2}|}{t_2-t_1}",
      ofPoint([](const markov::Chain&, double, double, const PointResult& point) { return rateWithNumbers(point); }),
      {"l2g-18"});
  add("flow.points[].from.words", "\\frac{d\\theta_t}{dt} = +\\nabla L(\\theta_t)", {}, {"l2g-9"});
}

void Cards::model() {
  add("flow.entropy.marginal",
      "H(\\pi) = -\\pi_0\\log\\pi_0-\\pi_1\\log\\pi_1,\\quad \\pi_0 = \\frac{q}{p+q},\\ \\pi_1 = \\frac{p}{p+q}",
      ofChain(marginalWithNumbers));
  add("flow.entropy.rate", "H(x_{n+1}\\mid x_n) = \\pi_0\\,h(p)+\\pi_1\\,h(q),\\quad h(x) = -x\\log x-(1-x)\\log(1-x)",
      ofChain(rateWithNumbers));
  add("flow.entropy.gap", "H(\\pi)-H(x_{n+1}\\mid x_n) = I(x_n;x_{n+1})", ofChain(gapWithNumbers),
      {"l2g-11", "l2g-17"});
  add("flow.S_star", "S_\\star = \\log\\frac{(1-p)(1-q)}{p\\,q}", ofChain(bestSWithNumbers), {"l2g-17"});
  add("flow.switching", "p+q-1", ofChain(switchingWithNumbers), {"l2g-19", "l2g-17"});
}

void Cards::basins() {
  const FlowResults& results = r_.results;
  const auto integratedPixels = [&results] {
    return results.basin().integrated ? results.basin().integrated->labels.size() : std::size_t{0};
  };
  add("flow.basin.disagreement", "\\frac1N\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i\\ne k_i'\\right]",
      [&results, integratedPixels](int) {
        const std::size_t count = integratedPixels();
        if (!results.basin().disagreements || count == 0) return std::string();
        return shareWithNumbers(static_cast<double>(*results.basin().disagreements) / static_cast<double>(count),
                                count);
      });
  add("flow.basin.disagreements", "\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i\\ne k_i'\\right]",
      [&results, integratedPixels](int) {
        if (!results.basin().disagreements) return std::string();
        return "= " + formulaNumber(static_cast<double>(*results.basin().disagreements), 0) +
               ",\\quad N = " + formulaNumber(static_cast<double>(integratedPixels()), 0);
      });
  for (const markov::LimitKind kind :
       {markov::LimitKind::GlobalMin, markov::LimitKind::LocalMin, markov::LimitKind::Saddle,
        markov::LimitKind::LocalMax, markov::LimitKind::Undecided}) {
    add("flow.basin.share." + std::string(markov::limitName(kind)),
        "\\frac1N\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i = \\text{" + kindWords(kind) + "}\\right]",
        [&results, kind, integratedPixels](int) {
          const auto label = static_cast<std::size_t>(kind);
          const BasinPicture& basin = results.basin();
          if (label >= basin.shares.size()) return std::string();
          return shareWithNumbers(basin.shares[label], basin.exact ? basin.exact->labels.size() : integratedPixels());
        },
        {"l2g-19"});
  }
  add("flow.gauss.probability",
      "P(I_{\\mathrm{min}}) &= \\begin{cases} \\frac12+\\int_{-1/\\sqrt2}^{0}\\varphi_\\sigma(w)\\,"
      "\\erf\\frac{g(w)}{\\sigma\\sqrt2}\\,dw & p+q>1 \\\\ \\int_{-\\infty}^{-1/\\sqrt2}\\varphi_\\sigma(w)\\,"
      "\\erf\\frac{g(w)}{\\sigma\\sqrt2}\\,dw & p+q<1 \\end{cases} \\\\ " +
          std::string("g(w)^2 &= w^2-\\log(-w)-\\frac{1+\\log2}{2},\\quad \\varphi_\\sigma(w) = "
                      "\\frac{e^{-w^2/2\\sigma^2}}{\\sigma\\sqrt{2\\pi}}"),
      [&state = r_.state, &results](int) {
        const std::optional<double> value = results.gaussProbability();
        return state.canonical && value ? gaussWithNumbers(state.chain, state.sigma, *value) : std::string();
      },
      {"l2g-14", "l2g-19"});
  add("flow.gauss.measured",
      "\\frac1N\\sum_{i=1}^{N}\\mathbb{1}\\left[\\theta_i\\in I_{\\mathrm{min}}\\right],\\quad "
      "\\theta_i\\sim\\mathcal{N}(0,\\sigma^2 I_2)",
      [&results](int) {
        return results.cloud() ? shareWithNumbers(results.cloud()->share, results.cloud()->points.size())
                               : std::string();
      },
      {"l2g-14"});
}

void Cards::pointer() {
  add("flow.hover.loss", kLossFormula, ofHover(lossWithNumbers), {"l2g-10"});
  add("flow.hover.basin", basinFormula(), ofHover(basinWithNumbers), {"l2g-8", "l2g-19"});
  add("flow.play.time", "\\frac{d\\theta_t}{dt} = -\\nabla L(\\theta_t),\\quad \\theta_t = (e_t,w_t)", {},
      {"l2g-18", "l2g-8"});
}

void Cards::parameters() {
  add("flow.p", "p = P(x_{n+1}=1\\mid x_n=0)", {}, {"l2g-19", "l2g-17"});
  add("flow.q", "q = P(x_{n+1}=0\\mid x_n=1)", {}, {"l2g-19", "l2g-17"});
  add("flow.points[].e", "\\mathbf{x}_n = e\\left(x_n-\\frac12\\right)\\alpha", {}, {"l2g-12", "l2g-15"});
  add("flow.points[].w",
      "\\mathbf{W}_1 = \\frac{|w|}{\\sqrt d}\\,\\mathbf{1}\\,\\alpha^\\top,\\quad \\mathbf{W}_2 = "
      "\\frac{w}{\\sqrt d}\\,\\alpha\\,\\mathbf{1}^\\top",
      {}, {"l2g-15"});
  add("flow.gauss.sigma", "\\theta_0\\sim\\mathcal{N}(0,\\sigma^2 I_2)", {}, {"l2g-14"});
  add("flow.show.separatrix", "e^2 = g(w)^2,\\quad " + std::string(kCurve), {}, {"l2g-8", "l2g-19"});
}

}  // namespace

void declareCards(PropertyRegistry& registry, const FlowShared& readings) {
  Cards cards(registry, readings);
  cards.points();
  cards.clocks();
  cards.model();
  cards.basins();
  cards.pointer();
  cards.parameters();
}

}  // namespace sepx::ui
