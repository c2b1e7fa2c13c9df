// SPDX-License-Identifier: Apache-2.0
// Helpers for the declarations of the Flow exhibit: conditions for rows, names that depend on the chosen field, the
// longer formulas of the paper for the cards, and formulas with the current numbers in them, in the markup of
// formula.h. Intermediate values have as many decimals as are shown; each chain of equations ends with the value of the
// read-out itself. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/markov/basin.h"
#include "engine/markov/chain.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/properties/declarations.h"
#include "ui/properties/registry.h"

namespace sepx::ui::declaring {

/// True on the page of the plane, for a document that satisfies `also`.
Condition onPlane(Condition also = {});
/// Whether `key` is the chosen field.
Condition whenField(const std::string& key);
/// The label of a coordinate: `words` for the canonical field, `other` for another one, followed by the field's name of
/// the variable.
std::function<std::string(const Document&)> coordinateName(const std::vector<FieldPointer>& fields, const char* words,
                                                           const char* other, std::size_t variable);
/// A probability with six decimals.
std::string shownProbability6(double value);

/// LABEL of the command line; "attractor" for the attractors of other fields.
std::string labelOf(markov::LimitKind kind);
/// "local-min" -> "local minimum".
std::string labelWords(const std::string& label);

}  // namespace sepx::ui::declaring

namespace sepx::ui {

/// Declares the colour scale. Called by declareFlow().
void declareLimits(PropertyRegistry& registry, const FlowShared& readings);

inline constexpr const char* kLossFormula =
    "L &= \\pi_0\\left[(1-p)\\,\\ell(-c)+p\\,\\ell(c)\\right] + "
    "\\pi_1\\left[q\\,\\ell(-S-c)+(1-q)\\,\\ell(S+c)\\right] "
    "\\\\ \\ell(z) &= \\log\\left(1+e^{-z}\\right),\\quad S = e^2(1+2w|w|),\\quad c = b_\\star-\\frac{e^2}{2} "
    "\\\\ e^c &= \\frac{\\frac pq-1+\\sqrt{\\left(\\frac pq-1\\right)^2+4\\,\\frac pq\\,e^S}}{2e^S}";
inline constexpr const char* kSeparatrixFormula = "g(w)^2 = w^2-\\log(-w)-\\frac{1+\\log2}{2}";
/// P(I_min) of a Gaussian initialisation in the plane.
inline constexpr const char* kGaussFormula =
    "P(I_{\\mathrm{min}}) &= \\begin{cases} \\frac12+\\int_{-1/\\sqrt2}^{0}\\varphi_\\sigma(w)\\,"
    "\\erf\\frac{g(w)}{\\sigma\\sqrt2}\\,dw & p+q>1 \\\\ \\int_{-\\infty}^{-1/\\sqrt2}\\varphi_\\sigma(w)\\,"
    "\\erf\\frac{g(w)}{\\sigma\\sqrt2}\\,dw & p+q<1 \\end{cases}";
/// Words inside a formula. They are translated when the formula is typeset.
std::string formulaWords(const char* words);
std::string basinFormula();
std::string limitFormula();

std::string marginalWithNumbers(const markov::Chain& chain);
std::string entropyRateWithNumbers(const markov::Chain& chain);
std::string gapWithNumbers(const markov::Chain& chain);
std::string bestSWithNumbers(const markov::Chain& chain);
std::string switchingWithNumbers(const markov::Chain& chain);
std::string lossWithNumbers(const markov::Chain& chain, double e, double w);
std::string energyWithNumbers(double e, double w);
std::string basinWithNumbers(const markov::Chain& chain, double e, double w);
/// The condition that determines the kind of the limit.
std::string limitWithNumbers(const markov::Chain& chain, const PointResult& point);
std::string limitLossWithNumbers(const PointResult& point);
/// The two curves that meet at the limit: the energy contour and the critical set.
std::string limitPlaceWithNumbers(const markov::Chain& chain, double e, double w, const PointResult& point);
std::string time99WithNumbers(const markov::Chain& chain, double e, double w, const PointResult& point);
/// Decay rate of |e| near a limit on e = 0: by theory, and between two samples of the path.
std::string rateTheoryWithNumbers(const markov::Chain& chain, const PointResult& point);
std::string rateWithNumbers(const PointResult& point);
std::string shareWithNumbers(double share, std::size_t count);
/// A count and the total number.
std::string countWithNumbers(std::size_t count, std::size_t all);
std::string gaussWithNumbers(const markov::Chain& chain, double sigma, double probability);

}  // namespace sepx::ui
