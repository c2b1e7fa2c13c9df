// SPDX-License-Identifier: Apache-2.0
// The state of the (p,q) page as the document has it, the quantities at one place of the square, and the results that
// the page has computed: the map of the square, the curves of P(I_min) with counts beside them, and the quantities
// along the path and at the places that the user looks at. All of these are computed in jobs on lanes "flow.chain.…",
// coarse results first. Frame thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/markov/chain_map.h"
#include "engine/markov/gaussian.h"
#include "engine/markov/gaussian_count.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

using markov::ChainQuantity;

/// As `flow.chain.show` writes it: "excess", "gap", "S_star", "distance", "time".
const char* quantityWord(ChainQuantity quantity);
/// Translated: "Expected excess loss".
std::string quantityName(ChainQuantity quantity);
/// With its unit, for a colour bar: "excess (nats)".
std::string quantityTitle(ChainQuantity quantity);

/// A straight line through the square; t runs from 0 to 1.
struct ChainPath {
  double p0 = 0.2, q0 = 0.4, p1 = 0.7, q1 = 0.8;
  markov::Chain at(double t) const { return {p0 + t * (p1 - p0), q0 + t * (q1 - q0)}; }
  /// The t at which p + q = 1; empty if the line does not meet it.
  std::optional<double> crossing() const;
  bool operator==(const ChainPath&) const = default;
};

struct ChainState {
  markov::Chain chain;
  ChainQuantity show = ChainQuantity::Excess;
  markov::Model model = markov::Model::EW;  ///< model of the basins and times: EW or EWA
  double sigma = 0.3;
  bool contours = true, counts = true, showPath = true, follow = false;
  int samples = 2000;  ///< counted starts at each sigma
  int seed = 0;
  ChainPath path;
  double head = 0;  ///< place on the path, 0 to 1
  double speed = 1;
};
ChainState readChainState(const Document& document, const PropertyRegistry& registry, const FlowState& flow);

/// All quantities at one place, as far as they are known.
struct ChainReading {
  markov::Chain chain;
  double gap = 0, S_star = 0, distance = 0, clock = 0;
  markov::PlanePoint nearest;                       ///< point of Theta* nearest to the origin
  std::optional<double> probability, excess, time;  ///< empty: not yet computed, or undefined
};
/// The quantities that have a closed form.
ChainReading readingAt(const markov::Chain& chain);

/// The nearest place inside the square whose p and q have few decimals; `coarse`: multiples of 0.05.
markov::Chain roundedChain(double p, double q, bool coarse);

/// The nearest place on the path, 0 to 1, with few decimals.
double roundedPlace(double t);

/// The map of the square, coarse at first. `values` is null before the first result.
struct ChainPicture {
  markov::ChainMapRequest request;                   ///< with the size of `values`
  std::shared_ptr<const std::vector<float>> values;  ///< of times: their log10
  std::shared_ptr<const std::vector<float>> places;  ///< colorPlace() of each
  ColorLimits scale;                                 ///< of the values
};
/// The place of a value on the colour scale, before the ends are mapped to 0 and 1: for losses the square root, so that
/// small ones can be distinguished, else the value itself.
double colorPlace(ChainQuantity quantity, double value);
/// Ends of the scale. For times they are those of the values; for all other quantities they are fixed, so that colours
/// mean the same for every sigma.
ColorLimits scaleOf(ChainQuantity quantity, const std::vector<float>& values);

/// P(I_min) against sigma on one side of p + q = 1 for one model.
struct ChainCurve {
  markov::Model model = markov::Model::EW;
  bool above = true;
  std::vector<double> sigma, probability;
};
struct ChainCount {
  markov::Model model = markov::Model::EW;
  bool above = true;
  double sigma = 1;
  markov::BinomialShare share;  ///< of integrated orbits
};
struct ChainCurves {
  std::vector<ChainCurve> curves;
  std::vector<ChainCount> counts;
};
/// The axis of sigma.
inline constexpr double kLeastSigma = 0.03, kMostSigma = 15;

/// Quantities along the path: at places evenly spaced in t, on p + q = 1, and just beside it on both sides.
struct ChainPathValues {
  ChainPath path;
  std::vector<double> t;
  std::vector<ChainReading> at;
};

class ChainResults {
 public:
  /// Takes over finished results and restarts stale ones. `hover`: the place under the pointer.
  void update(const ChainState& state, const std::optional<markov::Chain>& hover, ExhibitContext& context);

  const ChainPicture& picture() const { return orEmpty(picture_); }
  const ChainCurves& curves() const { return orEmpty(curves_); }
  const ChainPathValues& along() const { return orEmpty(pathValues_); }
  /// P(I_min) at the current sigma and model on that side of p + q = 1; empty while it is unknown.
  std::optional<double> probability(bool above) const;
  /// All known quantities of a place. Times are known only for the document's place, the head and the pointer.
  ChainReading reading(const markov::Chain& chain) const;

  std::uint64_t pictureRevision() const { return picture_.revision(); }
  std::uint64_t curvesRevision() const { return curves_.revision(); }
  std::uint64_t pathValuesRevision() const { return pathValues_.revision(); }
  std::uint64_t placesRevision() const { return places_.revision(); }
  bool complete() const {
    return picture_.complete() && curves_.complete() && pathValues_.complete() && places_.complete();
  }

 private:
  template <class Request, class Value>
  static const Value& orEmpty(const Lane<Request, Value>& lane) {
    static const Value empty{};
    return lane.result() ? *lane.result() : empty;
  }
  struct CurvesRequest {
    bool counts = true;
    int samples = 0;
    std::uint64_t seed = 0;
    bool operator==(const CurvesRequest&) const = default;
  };
  struct PathValuesRequest {
    ChainPath path;
    markov::Model model = markov::Model::EW;
    double sigma = 0;
    bool operator==(const PathValuesRequest&) const = default;
  };
  struct Place {
    double p = 0, q = 0;
    bool operator==(const Place&) const = default;
  };
  struct PlacesRequest {
    markov::Model model = markov::Model::EW;
    double sigma = 0;
    std::vector<Place> places;
    bool operator==(const PlacesRequest&) const = default;
    bool sameStarts(const PlacesRequest& other) const { return model == other.model && sigma == other.sigma; }
  };
  struct Places {
    double above = 0, below = 0;
    std::vector<std::optional<double>> times;  ///< of the request's places
  };

  void updatePicture(const ChainState& state, ExhibitContext& context);
  void updateCurves(const ChainState& state, ExhibitContext& context);
  void updatePathValues(const ChainState& state, ExhibitContext& context);
  void updatePlaces(const ChainState& state, const std::optional<markov::Chain>& hover, ExhibitContext& context);

  Lane<markov::ChainMapRequest, ChainPicture> picture_{"flow.chain.map"};
  Lane<CurvesRequest, ChainCurves> curves_{"flow.chain.curves"};
  Lane<PathValuesRequest, ChainPathValues> pathValues_{"flow.chain.along"};
  Lane<PlacesRequest, Places> places_{"flow.chain.places"};
};

}  // namespace sepx::ui
