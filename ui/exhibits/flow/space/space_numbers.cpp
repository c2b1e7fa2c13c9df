// SPDX-License-Identifier: Apache-2.0
// The contents of the space page as tables and grids, and its caption. Called on the frame thread on request. Pure.
#include "ui/exhibits/flow/space/space_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "engine/markov/energy.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/exhibits/flow/space/space_read_outs.h"
#include "ui/exhibits/flow/space/space_scene.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

const double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostRows = 1'000'000;

std::string pointName(const FlowPoint& point, std::size_t index) {
  return point.name.empty() ? std::to_string(index + 1) : point.name;
}

Table pointTable(const FlowState& flow, const SpaceResults& results) {
  Table table{"points",
              {textColumn("name"),
               numberColumn("e"),
               numberColumn("w"),
               numberColumn("a"),
               numberColumn("S"),
               numberColumn("loss", "nats"),
               numberColumn("energy"),
               numberColumn("airy_angle"),
               textColumn("kind"),
               textColumn("theory"),
               textColumn("plane_kind"),
               textColumn("status"),
               numberColumn("limit_e"),
               numberColumn("limit_w"),
               numberColumn("limit_a"),
               numberColumn("limit_loss", "nats"),
               numberColumn("energy_drift"),
               numberColumn("angle_drift"),
               numberColumn("distance"),
               textColumn("reason")}};
  for (std::size_t i = 0; i < std::min(flow.points.size(), results.points()); ++i) {
    const FlowPoint& at = flow.points[i];
    const SpacePoint& of = results.point(i);
    const markov::Place3 limit = of.limit.value_or(markov::Place3{kNothing, kNothing, kNothing});
    addRow(table, pointName(at, i), at.e, at.w, at.a, of.S, of.loss, of.energy, of.angle, markov::limitName(of.kind),
           markov::limitName(of.theory), markov::limitName(of.plane),
           of.onSurface ? "unbounded" : markov::statusName(of.status), limit[0], limit[1], limit[2], of.limitLoss,
           of.energyDrift, of.angleDrift, of.distance, spaceReason(of));
  }
  return table;
}

/// Paths, or backward paths with times that decrease from 0.
Table pathTable(const FlowState& flow, const SpaceResults& results, bool back) {
  Table table{back ? "ways_back" : "paths",
              {textColumn("point"), numberColumn("t"), numberColumn("e"), numberColumn("w"), numberColumn("a"),
               numberColumn("loss", "nats"), numberColumn("energy"), numberColumn("airy_angle")}};
  for (std::size_t i = 0; i < std::min(flow.points.size(), results.points()); ++i) {
    const SpacePoint& of = results.point(i);
    const std::vector<markov::Place3>& path = back ? of.back : of.path;
    if (path.size() < 2 || table.rows() + path.size() > kMostRows) continue;
    for (std::size_t k = 0; k < path.size(); ++k) {
      const markov::State theta = markov::stateOf(path[k]);
      addRow(table, pointName(flow.points[i], i), back ? of.backTime[k] : of.time[k], theta[0], theta[1], theta[2],
             markov::loss(flow.chain, markov::Model::EWA, theta), markov::energy(markov::Model::EWA, theta),
             markov::airyAngle(theta));
    }
  }
  return table;
}

Table curveTable(const SpaceSurfaces& surfaces) {
  Table table{"curves",
              {textColumn("set"), numberColumn("piece"), numberColumn("e"), numberColumn("w"), numberColumn("a")}};
  for (std::size_t i = 0; i < surfaces.curves.size(); ++i)
    for (const markov::Place3& at : surfaces.curves[i].points)
      addRow(table, surfaces.curves[i].set == markov::Curve3::Set::Saddle ? "saddle" : "stationary",
             static_cast<double>(i), at[0], at[1], at[2]);
  return table;
}

Table sectionTable(const SpaceSection& section) {
  const markov::SectionPlane& plane = section.of.plane;
  Table table{"section",
              {textColumn("set"), numberColumn("piece"), numberColumn(kSpaceAxes[plane.x()]),
               numberColumn(kSpaceAxes[plane.y()]), numberColumn(kSpaceAxes[plane.across()])}};
  double piece = 0;
  for (const auto& [name, lines] : {std::pair("theta_star", &section.thetaStar),
                                    {"separatrix", &section.separatrix},
                                    {"minima", &section.minima},
                                    {"maxima", &section.maxima}})
    for (const markov::SectionLine& line : *lines) {
      for (const markov::SectionPoint& at : line)
        addRow(table, name, piece, at.x, at.y, plane.at);
      ++piece;
    }
  return table;
}

/// Coordinates of the section's pixel centres along an axis, in increasing order.
std::vector<double> pixelAxis(const SpaceSection& section, std::size_t axis) {
  std::vector<double> values;
  const double low = section.of.box.low[axis], high = section.of.box.high[axis];
  for (int i = 0; i < section.side; ++i)
    values.push_back(low + (i + 0.5) * (high - low) / section.side);
  return values;
}

void addGrids(const SpaceSection& section, std::vector<Grid>& grids) {
  const auto side = static_cast<std::size_t>(section.side);
  grids.push_back({"section_x", {side}, pixelAxis(section, section.of.plane.x())});
  grids.push_back({"section_y", {side}, pixelAxis(section, section.of.plane.y())});
  if (!section.labels) return;
  grids.push_back({"section_basin", {side, side}, rowsUpwards(*section.labels, side)});
}

}  // namespace

Numbers spaceNumbers(const SpaceReadings& readings) {
  Numbers numbers;
  const FlowState& flow = readings.shared.state;
  numbers.tables.push_back(pointTable(flow, readings.results));
  for (const bool back : {false, true})
    if (readings.space.show.paths)
      if (Table paths = pathTable(flow, readings.results, back); paths.rows() > 0)
        numbers.tables.push_back(std::move(paths));
  if (const auto& surfaces = readings.results.surfaces(); surfaces && readings.space.show.curves)
    if (Table curves = curveTable(*surfaces); curves.rows() > 0) numbers.tables.push_back(std::move(curves));
  if (const auto& section = readings.results.section()) {
    if (Table table = sectionTable(*section); table.rows() > 0) numbers.tables.push_back(std::move(table));
    addGrids(*section, numbers.grids);
  }
  return numbers;
}

std::string spaceCaption(const SpaceReadings& readings, bool section) {
  const FlowState& flow = readings.shared.state;
  const SpaceState& space = readings.space;
  const auto shown = [](double value) { return withMinus(formatShortest(value)); };
  const double sum = flow.chain.switching();
  std::string text =
      trFormat("Gradient flow of (e, w, a), p = {}, q = {} ({}).", shown(flow.chain.p), shown(flow.chain.q),
               sum > 0   ? "p + q > 1"
               : sum < 0 ? "p + q < 1"
                         : "p + q = 1");
  std::string parts;
  const auto part = [&parts](bool there, const char* words) {
    if (there) parts += std::string(parts.empty() ? "" : ", ") + tr(words);
  };
  const auto& surfaces = readings.results.surfaces();
  if (surfaces) {
    part(space.show.thetaStar && surfaces->thetaStar, N_("global minima Θ⋆ with lines of equal a"));
    part(space.show.axisPlane && (surfaces->minima || surfaces->maxima), N_("local minima and maxima on e = 0"));
    part(space.show.separatrix && surfaces->separatrix, N_("the surface of unbounded orbits"));
    if (space.show.energy && readings.results.energySheet())
      parts += (parts.empty() ? "" : ", ") + filled(tr("the energy sheet of {point}"), "{point}", selectedName(flow));
    part(space.show.curves && !surfaces->curves.empty(), N_("saddles and stationary curves"));
  }
  if (!parts.empty()) text += " " + sentenceCase(trFormat("surfaces: {}", parts));
  if (space.slice && section)
    text += " " + sentenceCase(trFormat("inset: the section {} = {}", kSpaceAxes[space.section.across()],
                                        shown(space.section.at)));
  const SpaceResults& results = readings.results;
  if (results.points() == 1) text += " " + sentenceCase(spaceWords(flow.chain, results.point(0)));
  if (results.points() > 1) {
    const auto count = [&results](markov::LimitKind kind) {
      std::size_t n = 0;
      for (std::size_t i = 0; i < results.points(); ++i)
        n += results.point(i).kind == kind;
      return n;
    };
    text += " " + trFormat("Of {} initial points, {} reach a global minimum and {} a local minimum.", results.points(),
                           count(markov::LimitKind::GlobalMin), count(markov::LimitKind::LocalMin));
  }
  return text;
}

}  // namespace sepx::ui
