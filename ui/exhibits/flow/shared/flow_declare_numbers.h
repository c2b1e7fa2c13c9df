// SPDX-License-Identifier: Apache-2.0
// The formulas of the cards with the present numbers in them, in the markup of formula.h. Intermediate values have the
// decimals that are shown; each chain ends with the value of the read-out itself. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "engine/markov/basin.h"
#include "engine/markov/chain.h"
#include "ui/exhibits/flow/shared/flow_paths.h"

namespace sepx::ui {

std::string marginalWithNumbers(const markov::Chain& chain);
std::string rateWithNumbers(const markov::Chain& chain);
std::string gapWithNumbers(const markov::Chain& chain);
std::string bestSWithNumbers(const markov::Chain& chain);
std::string switchingWithNumbers(const markov::Chain& chain);
std::string lossWithNumbers(const markov::Chain& chain, double e, double w);
std::string energyWithNumbers(double e, double w);
std::string basinWithNumbers(const markov::Chain& chain, double e, double w);
/// What holds at the limit.
std::string limitWithNumbers(const markov::Chain& chain, const PointResult& point);
std::string limitLossWithNumbers(const PointResult& point);
/// The two curves that meet at the limit.
std::string limitPlaceWithNumbers(const markov::Chain& chain, double e, double w, const PointResult& point);
std::string time99WithNumbers(const markov::Chain& chain, double e, double w, const PointResult& point);
/// Of |e| near a limit on e = 0: by theory, and between two samples of the path.
std::string rateTheoryWithNumbers(const markov::Chain& chain, const PointResult& point);
std::string rateWithNumbers(const PointResult& point);
std::string shareWithNumbers(double share, std::size_t count);
std::string gaussWithNumbers(const markov::Chain& chain, double sigma, double probability);

}  // namespace sepx::ui
