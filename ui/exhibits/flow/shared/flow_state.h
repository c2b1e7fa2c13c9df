// SPDX-License-Identifier: Apache-2.0
// What the document says about the Flow exhibit, as typed values: read once a revision, never written here. Everything
// the results and the scene depend on comes from this value, the window's size and the results; nothing reads the
// document twice.
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

/// Key of the canonical (e,w) field: it has exact sets, exact basins and its own flow.
inline constexpr const char* kCanonicalField = "ew";

/// Points stay within this of the origin in each coordinate.
inline constexpr double kFarthest = 1e9;
inline double bounded(double coordinate) {
  return std::clamp(coordinate, -kFarthest, kFarthest);
}

/// p and q of a document that does not say.
inline constexpr double kDefaultP = 0.5, kDefaultQ = 0.8;

using FieldPointer = std::shared_ptr<const dynamics::VectorField>;

/// The plane fields of the textbook and of the paper.
dynamics::FieldRegistry allFields();
std::vector<FieldPointer> planeFields(const dynamics::FieldRegistry& registry);

struct FlowPoint {
  double e = 0, w = 0;
  std::string name;
  double a = 0;       ///< attention, where a page shows three dimensions; the plane leaves it alone
  std::string color;  ///< "#rrggbb", empty: that of the kind of its limit
  bool operator==(const FlowPoint&) const = default;
};

enum class BasinMethod { Exact, Integrate, Both };

/// What colours the plane; other fields than the canonical one are coloured by their potential.
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

/// Where a person wants the legend; Free: at a share of the room that it has inside the plot.
enum class LegendPlace { Auto, TopLeft, TopRight, BottomLeft, BottomRight, Beside, Free };
struct LegendPlacement {
  LegendPlace place = LegendPlace::Auto;
  double x = 0, y = 0;       ///< 0 to 1, of a free one
  std::optional<bool> open;  ///< every row, or the basins alone; nothing: as the room allows
  bool operator==(const LegendPlacement&) const = default;
};

struct FlowState : FlowModel {
  std::vector<FlowPoint> points;
  int selected = -1;
  render::Rect view;
  bool showLoss = true, showCritical = true, showSeparatrix = true, showBasin = true, showArrows = false;
  bool showPaths = true, showCloud = false;
  bool showCommon = false, showProfile = false;
  bool showBackward = false;  ///< also the way by which a point came
  bool showTime = false;      ///< the bar of the flow's time below the plot
  LegendPlacement legend;
  BasinMethod method = BasinMethod::Exact;
  PlaneColor color = PlaneColor::Loss;
  double sigma = 0.3;
  int samples = 1000;
  int seed = 0;
  double speed = 1;
  std::optional<ColorLimits> locked;  ///< ends of the colour scale that the person has fixed
  Trajectories own;                   ///< of the person, over this field; never null
  std::uint64_t ownRevision = 0;      ///< changes with the content of `own` but for the field
};

/// Whether there is a number to shade the plane with: the loss, or another field's potential.
bool hasLoss(const FlowModel& model);
/// The loss (nats), another field's potential, or NaN where there is none.
double lossAt(const FlowModel& model, double x, double y);
/// Whether there is a bar of time to show: it has a point's loss along it.
inline bool hasTimeBar(const FlowState& state) {
  return state.showTime && !state.points.empty();
}
/// The key of the field that a document chooses, and that field.
std::string chosenField(const Document& document);
inline bool canonical(const Document& document) {
  return chosenField(document) == kCanonicalField;
}
const dynamics::VectorField& fieldOf(const std::vector<FieldPointer>& fields, const Document& document);
/// hasLoss() of the chosen field, whatever its parameters are.
bool shadeable(const std::vector<FieldPointer>& fields, const Document& document);

/// The window on which the field is worth seeing first.
render::Rect homeWindow(const dynamics::VectorField& field);

/// `own`: readTrajectories() of the document; those that lie over another field are left out.
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

/// A change that is an undo step by itself.
inline void commitStep(ExhibitContext& context, Document next, std::string label) {
  context.editor.seal();
  context.editor.commit(std::move(next), std::move(label));
  context.editor.seal();
}

/// A document with another window; not undoable, so for Editor::replace.
Document withView(const Document& document, const FlowState& state, const render::Rect& view);
Document withoutView(const Document& document);
Document withSelected(const Document& document, int index);
Document withPoint(const Document& document, std::size_t index, double e, double w);
/// With its third coordinate.
Document withPoint(const Document& document, std::size_t index, double e, double w, double a);
/// Adds a point with the next free letter as its name and selects it.
Document withNewPoint(const Document& document, double e, double w, double a = 0);
/// Adds points, those without a name with the next free letters; the selection stays.
Document withNewPoints(const Document& document, const std::vector<FlowPoint>& points);
/// How a caption calls the selected point: its name, else "one point".
std::string selectedName(const FlowState& state);
/// These points and no others; the first of them is selected.
Document withOnlyPoints(const Document& document, const std::vector<FlowPoint>& points);
/// The legend free in the plot, at these shares of its room; not undoable, so for Editor::replace, as the next two.
Document withLegendAt(const Document& document, double x, double y);
Document withLegendBeside(const Document& document);
Document withLegendOpen(const Document& document, bool open);
/// A second point at the same place, of the same colour, with a name of its own; selected.
Document withDuplicate(const Document& document, std::size_t index);
/// At the end of the list, as it is, and selected.
Document withPointAppended(const Document& document, const FlowPoint& point);
/// The name that the next new point gets.
std::string nextPointName(const Document& document);

/// Letters that no point has yet: A to Z, A1 to Z1, …
class FreeNames {
 public:
  explicit FreeNames(const ListView& points);
  bool has(const std::string& name) const { return names_.contains(name); }
  void take(const std::string& name) { names_.insert(name); }
  /// The next free one, taken.
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
