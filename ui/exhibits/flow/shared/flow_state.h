// SPDX-License-Identifier: Apache-2.0
// The Flow exhibit's part of the document as typed values, read once per revision, and functions that return a changed
// document. Results and scene depend only on FlowState, the size of the window and the results, so that nothing reads
// the document a second time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/dynamics/vector_field.h"
#include "engine/markov/chain.h"
#include "engine/render/scene.h"
#include "ui/document/document.h"
#include "ui/exhibits/flow/shared/flow_trajectories.h"
#include "ui/page/exhibit_context.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// Key of the canonical (e,w) field, which has exact critical sets, exact basins and its own flow.
inline constexpr const char* kCanonicalField = "ew";

/// The largest absolute value of a coordinate of a point.
inline constexpr double kFarthest = 1e9;
inline double bounded(double coordinate) {
  return std::clamp(coordinate, -kFarthest, kFarthest);
}

/// p and q of a document that does not set them.
inline constexpr double kDefaultP = 0.5, kDefaultQ = 0.8;

using FieldPointer = std::shared_ptr<const dynamics::VectorField>;

/// All textbook fields and the canonical fields of the paper; planeFields() returns those with two dimensions, the
/// canonical plane first.
dynamics::FieldRegistry allFields();
std::vector<FieldPointer> planeFields(const dynamics::FieldRegistry& registry);

struct FlowPoint {
  double e = 0, w = 0;
  std::string name;
  double a = 0;       ///< attention, for pages that show three dimensions; the plane ignores it
  std::string color;  ///< "#rrggbb"; empty: the colour of the kind of its limit
  bool operator==(const FlowPoint&) const = default;
};

enum class BasinMethod { Exact, Integrate, Both };

/// The quantity that colours the plane. Fields other than the canonical one are coloured by their potential.
enum class PlaneColor { Loss, Basin, Time, Gradient };

/// A field with its parameters: what a path or a basin depends on.
struct FlowModel {
  FieldPointer field;
  bool canonical = true;
  markov::Chain chain;             ///< canonical only
  std::vector<double> parameters;  ///< of the field, in its order

  bool degenerate() const { return canonical && chain.degenerate(); }
  bool operator==(const FlowModel& other) const {
    return field == other.field && parameters == other.parameters;  // p and q are the canonical field's parameters
  }
};

/// The position of the legend that the user has chosen. Free: given as fractions of the space that it has inside the
/// plot.
enum class LegendPlace { Auto, TopLeft, TopRight, BottomLeft, BottomRight, Beside, Free };
struct LegendPlacement {
  LegendPlace place = LegendPlace::Auto;
  double x = 0, y = 0;       ///< 0 to 1, for Free
  std::optional<bool> open;  ///< all rows, or the basins alone; empty: as there is space
  bool operator==(const LegendPlacement&) const = default;
};

struct FlowState : FlowModel {
  std::vector<FlowPoint> points;
  int selected = -1;
  render::Rect view;
  bool showLoss = true, showCritical = true, showSeparatrix = true, showBasin = true, showArrows = false;
  bool showPaths = true, showCloud = false;
  bool showCommon = false, showProfile = false;
  bool showBackward = false;  ///< also draw the backward path of each point
  bool showTime = false;      ///< the bar of the flow's time below the plot
  LegendPlacement legend;
  BasinMethod method = BasinMethod::Exact;
  PlaneColor color = PlaneColor::Loss;
  double sigma = 0.3;
  int samples = 1000;
  int seed = 0;
  double speed = 1;
  std::optional<ColorLimits> locked;  ///< ends of the colour scale that the user has fixed
  Trajectories own;                   ///< imported trajectories of this field; never null
  std::uint64_t ownRevision = 0;      ///< changes with the imported trajectories, but not with the field
};

/// Whether the plane can be shaded by a number: the loss, or the potential of another field.
bool hasLoss(const FlowModel& model);
/// The loss (nats), another field's potential, or NaN where there is none.
double lossAt(const FlowModel& model, double x, double y);
/// Whether the time bar is shown. It needs a point, because it shows the loss of a point.
inline bool hasTimeBar(const FlowState& state) {
  return state.showTime && !state.points.empty();
}
/// The key of the field that a document chooses, and the field itself.
std::string chosenField(const Document& document);
inline bool canonical(const Document& document) {
  return chosenField(document) == kCanonicalField;
}
const dynamics::VectorField& fieldOf(const std::vector<FieldPointer>& fields, const Document& document);
/// hasLoss() of the chosen field with its default parameters.
bool shadeable(const std::vector<FieldPointer>& fields, const Document& document);

/// The default window of a field.
render::Rect homeWindow(const dynamics::VectorField& field);

/// `own`: readTrajectories() of the document; trajectories of other fields are left out.
FlowState readFlowState(const Document& document, const PropertyRegistry& registry,
                        const std::vector<FieldPointer>& fields, const Trajectories& own,
                        std::uint64_t ownRevision = 0);

/// A number of a document; `fallback` where it has none.
inline double numberAt(const Document& document, const std::string& key, double fallback) {
  const Json& value = document.at(key);
  return value.is_number() ? value.get<double>() : fallback;
}
/// p and q of a document.
inline markov::Chain chainOf(const Document& document) {
  return {numberAt(document, "flow.p", kDefaultP), numberAt(document, "flow.q", kDefaultQ)};
}
inline bool hasSelected(const Document& document) {
  return numberAt(document, "flow.selected", -1) >= 0;
}

/// Commits a change as an undo step of its own.
inline void commitStep(ExhibitContext& context, Document next, std::string label) {
  context.editor.seal();
  context.editor.commit(std::move(next), std::move(label));
  context.editor.seal();
}

/// The document with another window. Not undoable: for Editor::replace.
Document withView(const Document& document, const FlowState& state, const render::Rect& view);
Document withoutView(const Document& document);
Document withSelected(const Document& document, int index);
Document withPoint(const Document& document, std::size_t index, double e, double w);
/// Also sets the third coordinate.
Document withPoint(const Document& document, std::size_t index, double e, double w, double a);
/// Adds a point with the next free letter as its name and selects it.
Document withNewPoint(const Document& document, double e, double w, double a = 0);
/// Adds points. Those without a name, or with the name of a point that is already there, get the next free letters. The
/// selection stays.
Document withNewPoints(const Document& document, const std::vector<FlowPoint>& points);
/// The name of the selected point for captions; "one point" if it has none.
std::string selectedName(const FlowState& state);
/// Replaces all points by these and selects the first one.
Document withOnlyPoints(const Document& document, const std::vector<FlowPoint>& points);
/// Puts the legend at these fractions of its space inside the plot. Not undoable: for Editor::replace, as the next two.
Document withLegendAt(const Document& document, double x, double y);
Document withLegendBeside(const Document& document);
Document withLegendOpen(const Document& document, bool open);
/// Appends a copy of the point, with a name of its own, and selects it.
Document withDuplicate(const Document& document, std::size_t index);
/// Appends the point unchanged and selects it.
Document withPointAppended(const Document& document, const FlowPoint& point);
/// The name that the next new point gets.
std::string nextPointName(const Document& document);

/// Names that no point has yet: A to Z, A1 to Z1, …
class FreeNames {
 public:
  explicit FreeNames(const ListView& points);
  bool has(const std::string& name) const { return names_.contains(name); }
  void take(const std::string& name) { names_.insert(name); }
  /// Returns the next free name and marks it as used.
  std::string next();

 private:
  std::unordered_set<std::string> names_;
  std::size_t at_ = 0;
};
Document withoutPoint(const Document& document, std::size_t index);
Document withoutPoints(const Document& document);

inline std::optional<double> finiteOnly(double value) {
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

/// "flow.points[3].e"
std::string pointKey(std::size_t index, std::string_view member);

}  // namespace sepx::ui
