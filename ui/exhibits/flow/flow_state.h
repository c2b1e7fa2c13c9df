// SPDX-License-Identifier: Apache-2.0
// What the document says about the Flow exhibit, as typed values: read once a revision, never written here. Everything
// the results and the scene depend on comes from this value, the window's size and the results; nothing reads the
// document twice.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/dynamics/vector_field.h"
#include "engine/markov/chain.h"
#include "engine/render/scene.h"
#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// Key of the canonical (e,w) field: it has exact sets, exact basins and its own flow.
inline constexpr const char* kCanonicalField = "ew";

using FieldPointer = std::shared_ptr<const dynamics::VectorField>;

/// The plane fields of the textbook and of the paper.
dynamics::FieldRegistry allFields();
std::vector<FieldPointer> planeFields(const dynamics::FieldRegistry& registry);

struct FlowPoint {
  double e = 0, w = 0;
  std::string name;
  bool operator==(const FlowPoint&) const = default;
};

enum class BasinMethod { Exact, Integrate, Both };

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

struct FlowState : FlowModel {
  std::vector<FlowPoint> points;
  int selected = -1;
  render::Rect view;
  bool showLoss = true, showCritical = true, showSeparatrix = true, showBasin = true, showArrows = false;
  bool showPaths = true, showCloud = false;
  BasinMethod method = BasinMethod::Exact;
  double sigma = 0.3;
  int samples = 1000;
  int seed = 0;
  double speed = 1;
};

/// Whether there is a number to shade the plane with: the loss, or another field's potential.
bool hasLoss(const FlowModel& model);

/// The window on which the field is worth seeing first.
render::Rect homeWindow(const dynamics::VectorField& field);

FlowState readFlowState(const Document& document, const PropertyRegistry& registry,
                        const std::vector<FieldPointer>& fields);

/// A document with another window; not undoable, so for Editor::replace.
Document withView(const Document& document, const FlowState& state, const render::Rect& view);
Document withoutView(const Document& document);
Document withSelected(const Document& document, int index);
Document withPoint(const Document& document, std::size_t index, double e, double w);
/// Adds a point with the next free letter as its name and selects it.
Document withNewPoint(const Document& document, double e, double w);
Document withoutPoint(const Document& document, std::size_t index);

/// "flow.points[3].e"
std::string pointKey(std::size_t index, std::string_view member);

}  // namespace sepx::ui
