// SPDX-License-Identifier: Apache-2.0
// A page that follows one start in several ways: their paths over the plane, beside it charts over time, and a play
// that moves a head along every path. A page says what its paths and charts are; window, input, play and plane are
// here. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/exhibits/flow/shared/plane_ground.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

struct NamedPath {
  std::vector<render::Point> places;  ///< data; not empty
  std::string text;
  render::Color color;
  std::optional<std::size_t> at;  ///< where the name belongs first of all
};

/// Why a start has no basin (p + q = 1, the separatrix, e = 0), or no energy (w = 0); empty for any other.
std::string startWords(const markov::Chain& chain, double e, double w);

/// Names in the order given, beside the first of some places along each path that is free; beside its best place where
/// none is. `start`: the handle that must stay readable, data.
std::vector<render::Item> nameItems(const FlowFrame& plane, render::Point start, const std::vector<NamedPath>& paths);

/// addLine(), or the line alone: it lies on another one that must be seen under it.
void addPath(std::vector<render::Item>& items, const std::vector<render::Point>& places, const render::Stroke& stroke,
             const FlowFrame& plane, bool casing);

class PathsPage : public FlowPage {
 public:
  void read(const Document& document, const PropertyRegistry& registry, const FlowShared& live) final;
  Cursor input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) final;
  FlowMoves moves(const Document&) final;
  PageFacts facts(const FlowShared& shared) const override;

 protected:
  explicit PathsPage(const PageLabel& label, FlowTraits traits = {.plane = true})
      : FlowPage(label, traits), ground_(label.layers + "ground") {}

  /// The page's own options, and what it asks for from start_.
  virtual void readOptions(const Document& document, const PropertyRegistry& registry, const FlowState& state) = 0;
  /// Takes over finished results, starts what is stale.
  virtual void updateResult(ExhibitContext& context) = 0;
  virtual bool there() const = 0;                                      ///< whether there is a result
  virtual std::uint64_t revision() const = 0;                          ///< changes with the result
  virtual render::Point startPlace() const = 0;                        ///< of the result
  virtual std::vector<std::vector<render::Point>> places() const = 0;  ///< of all paths
  /// Where charts and plays end: a time, or a number of steps.
  virtual double horizon() const = 0;
  /// Why there is nothing to see; empty while there is, or will be.
  virtual std::string missing() const = 0;
  /// Adds what stands beside the plane, and says how.
  virtual Arrangement beside(Views& into, const Theme& theme) const = 0;
  virtual std::vector<render::Item> pathItems(const FlowFrame& plane) const = 0;
  virtual std::vector<NamedPath> namedPaths(const FlowFrame& plane) const = 0;
  /// The heads at a time or step, and a line of words for each.
  virtual void addHeads(std::vector<render::Item>& items, std::vector<std::string>& lines, const FlowFrame& plane,
                        double at) const = 0;

  static constexpr double kChartPad = 0.06;  ///< of the values' span
  static constexpr double kPlaySeconds = 8;  ///< of a whole play at speed 1

  bool wholeSteps_ = false;  ///< heads stand at whole steps
  std::optional<std::size_t> start_;
  std::uint64_t seed_ = 0;  ///< of the program
  PlaneGround ground_;

 private:
  void ask(const FlowPageFrame& frame, ExhibitContext& context) final;
  Views views(const FlowPageFrame& frame) const final;
  std::optional<PictureContent> heads(const FlowResults& results, const PageArea& area) const;
  void advance(double seconds);
  void fit();
  /// Where heads and cursors stand: under the pointer, or of the play.
  std::optional<double> shownAt(const PageArea& area) const;

  FlowLayout plane_;  ///< of the last frame
  std::optional<std::uint64_t> fitOf_;
  render::Rect fitted_;  ///< the window around the paths
  bool playing_ = false;
  double speed_ = 1;
  std::optional<double> played_;  ///< share of the horizon where the heads stand
  std::optional<double> last_;    ///< host time of the last frame of the play
};

/// (e, w) of every state of a path.
std::vector<render::Point> planePlaces(const std::vector<markov::State>& path);

/// "From (0.6, −0.9), p = 0.5, q = 0.8" for a caption: `words` and the start.
std::string startCaption(const char* words, render::Point start, double p, double q);

}  // namespace sepx::ui
