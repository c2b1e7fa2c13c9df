// SPDX-License-Identifier: Apache-2.0
// The base class of pages that follow one initial point in several ways: paths over the plane, charts over time beside
// it, and a playback that moves a head along every path. A derived page defines its paths and charts; window, input,
// playback and plane are implemented here. Frame thread.
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
  std::optional<std::size_t> at;  ///< preferred index in `places` for the name
};

/// Explains why a start has no basin (p + q = 1, the separatrix, e = 0) or no energy (w = 0); empty for any other
/// start.
std::string startWords(const markov::Chain& chain, double e, double w);

/// Places the names in the given order. Each name is beside the first free one of several places along its path, or
/// beside the best one if none is free. `start`: the handle that must stay readable, data.
std::vector<render::Item> nameItems(const FlowFrame& plane, render::Point start, const std::vector<NamedPath>& paths);

/// addLine(); without `casing` only the line, for a path over another one that must stay visible.
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

  /// Reads the page's own options and prepares its request for start_.
  virtual void readOptions(const Document& document, const PropertyRegistry& registry, const FlowState& state) = 0;
  /// Collects finished results and starts stale ones.
  virtual void updateResult(ExhibitContext& context) = 0;
  virtual bool there() const = 0;                                      ///< whether there is a result
  virtual std::uint64_t revision() const = 0;                          ///< changes with the result
  virtual render::Point startPlace() const = 0;                        ///< start of the result
  virtual std::vector<std::vector<render::Point>> places() const = 0;  ///< of all paths
  /// The end of charts and playback: a time, or a number of steps.
  virtual double horizon() const = 0;
  /// Why there is nothing to show; empty if there is a result or one is to come.
  virtual std::string missing() const = 0;
  /// Adds the views beside the plane and returns their arrangement.
  virtual Arrangement beside(Views& into, const Theme& theme) const = 0;
  virtual std::vector<render::Item> pathItems(const FlowFrame& plane) const = 0;
  virtual std::vector<NamedPath> namedPaths(const FlowFrame& plane) const = 0;
  /// Adds the heads at a time or step, and a line of text for each.
  virtual void addHeads(std::vector<render::Item>& items, std::vector<std::string>& lines, const FlowFrame& plane,
                        double at) const = 0;

  static constexpr double kChartPad = 0.06;  ///< as a fraction of the span of the values
  static constexpr double kPlaySeconds = 8;  ///< duration of a whole playback at speed 1

  bool wholeSteps_ = false;  ///< heads move in whole steps
  std::optional<std::size_t> start_;
  std::uint64_t seed_ = 0;  ///< of the program
  PlaneGround ground_;

 private:
  void ask(const FlowPageFrame& frame, ExhibitContext& context) final;
  Views views(const FlowPageFrame& frame) const final;
  std::optional<PictureContent> heads(const FlowResults& results, const PageArea& area) const;
  void advance(double seconds);
  void fit();
  /// The time or step of heads and cursors: that under the pointer, or that of the playback.
  std::optional<double> shownAt(const PageArea& area) const;

  FlowLayout plane_;  ///< layout of the last frame
  std::optional<std::uint64_t> fitOf_;
  render::Rect fitted_;  ///< the window around the paths
  bool playing_ = false;
  double speed_ = 1;
  std::optional<double> played_;  ///< fraction of the horizon that the heads have reached
  std::optional<double> last_;    ///< host time of the last frame of the playback
};

/// (e, w) of every state of a path.
std::vector<render::Point> planePlaces(const std::vector<markov::State>& path);

/// "From (0.6, −0.9), p = 0.5, q = 0.8" for a caption: `words` and the start.
std::string startCaption(const char* words, render::Point start, double p, double q);

}  // namespace sepx::ui
