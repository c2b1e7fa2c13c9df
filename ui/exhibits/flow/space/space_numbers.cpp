// SPDX-License-Identifier: Apache-2.0
// What the space page shows, as tables and grids, and its caption. On the frame thread, when a person asks. Pure.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "engine/markov/energy.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/space/space_page.h"
#include "ui/exhibits/flow/space/space_scene.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using Reals = std::vector<double>;
using Texts = std::vector<std::string>;

const double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostRows = 1'000'000;

std::string pointName(const FlowPoint& point, std::size_t index) {
  return point.name.empty() ? std::to_string(index + 1) : point.name;
}

Table pointTable(const FlowState& flow, const SpaceResults& results) {
  Texts name, kind, theory, plane, status, reason;
  Reals e, w, a, S, loss, energy, angle, driftE, driftAngle, distance, limitE, limitW, limitA, limitLoss;
  for (std::size_t i = 0; i < std::min(flow.points.size(), results.points()); ++i) {
    const FlowPoint& at = flow.points[i];
    const SpacePoint& of = results.point(i);
    name.push_back(pointName(at, i));
    e.push_back(at.e);
    w.push_back(at.w);
    a.push_back(at.a);
    S.push_back(of.S.value_or(kNothing));
    loss.push_back(of.loss.value_or(kNothing));
    energy.push_back(of.energy.value_or(kNothing));
    angle.push_back(of.angle.value_or(kNothing));
    kind.emplace_back(markov::limitName(of.kind));
    theory.emplace_back(markov::limitName(of.theory));
    plane.emplace_back(markov::limitName(of.plane));
    status.emplace_back(of.onSurface ? "unbounded" : markov::statusName(of.status));
    reason.push_back(spaceReason(of));
    const markov::Place3 limit = of.limit.value_or(markov::Place3{kNothing, kNothing, kNothing});
    limitE.push_back(limit[0]);
    limitW.push_back(limit[1]);
    limitA.push_back(limit[2]);
    limitLoss.push_back(of.limitLoss.value_or(kNothing));
    driftE.push_back(of.energyDrift.value_or(kNothing));
    driftAngle.push_back(of.angleDrift.value_or(kNothing));
    distance.push_back(of.distance.value_or(kNothing));
  }
  return {"points",
          {{"name", "", name},
           {"e", "", e},
           {"w", "", w},
           {"a", "", a},
           {"S", "", S},
           {"loss", "nats", loss},
           {"energy", "", energy},
           {"airy_angle", "", angle},
           {"kind", "", kind},
           {"theory", "", theory},
           {"plane_kind", "", plane},
           {"status", "", status},
           {"limit_e", "", limitE},
           {"limit_w", "", limitW},
           {"limit_a", "", limitA},
           {"limit_loss", "nats", limitLoss},
           {"energy_drift", "", driftE},
           {"angle_drift", "", driftAngle},
           {"distance", "", distance},
           {"reason", "", reason}}};
}

/// Paths, or ways back with their times from 0 downwards.
Table pathTable(const FlowState& flow, const SpaceResults& results, bool back) {
  Texts name;
  Reals t, e, w, a, loss, energy, angle;
  for (std::size_t i = 0; i < std::min(flow.points.size(), results.points()); ++i) {
    const SpacePoint& of = results.point(i);
    const std::vector<markov::Place3>& path = back ? of.back : of.path;
    if (path.size() < 2 || name.size() + path.size() > kMostRows) continue;
    for (std::size_t k = 0; k < path.size(); ++k) {
      const markov::State theta = markov::stateOf(path[k]);
      name.push_back(pointName(flow.points[i], i));
      t.push_back(back ? of.backTime[k] : of.time[k]);
      e.push_back(theta[0]);
      w.push_back(theta[1]);
      a.push_back(theta[2]);
      loss.push_back(markov::loss(flow.chain, markov::Model::EWA, theta));
      energy.push_back(markov::energy(markov::Model::EWA, theta).value_or(kNothing));
      angle.push_back(markov::airyAngle(theta));
    }
  }
  return {back ? "ways_back" : "paths",
          {{"point", "", name},
           {"t", "", t},
           {"e", "", e},
           {"w", "", w},
           {"a", "", a},
           {"loss", "nats", loss},
           {"energy", "", energy},
           {"airy_angle", "", angle}}};
}

Table curveTable(const SpaceSurfaces& surfaces) {
  Texts set;
  Reals piece, e, w, a;
  for (std::size_t i = 0; i < surfaces.curves.size(); ++i)
    for (const markov::Place3& at : surfaces.curves[i].points) {
      set.emplace_back(surfaces.curves[i].set == markov::Curve3::Set::Saddle ? "saddle" : "stationary");
      piece.push_back(static_cast<double>(i));
      e.push_back(at[0]);
      w.push_back(at[1]);
      a.push_back(at[2]);
    }
  return {"curves", {{"set", "", set}, {"piece", "", piece}, {"e", "", e}, {"w", "", w}, {"a", "", a}}};
}

Table sectionTable(const SpaceSection& section) {
  Texts set;
  Reals piece, x, y;
  double number = 0;
  const auto add = [&](const char* name, const std::vector<markov::SectionLine>& lines) {
    for (const markov::SectionLine& line : lines) {
      for (const markov::SectionPoint& at : line) {
        set.emplace_back(name);
        piece.push_back(number);
        x.push_back(at.x);
        y.push_back(at.y);
      }
      ++number;
    }
  };
  add("theta_star", section.thetaStar);
  add("separatrix", section.separatrix);
  add("minima", section.minima);
  add("maxima", section.maxima);
  const markov::SectionPlane& plane = section.of.plane;
  return {"section",
          {{"set", "", set},
           {"piece", "", piece},
           {kSpaceAxes[plane.x()], "", x},
           {kSpaceAxes[plane.y()], "", y},
           {kSpaceAxes[plane.across()], "", Reals(x.size(), plane.at)}}};
}

/// Axes of the section's pixels, upwards.
Reals pixelAxis(const SpaceSection& section, std::size_t axis) {
  Reals values;
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
  std::vector<std::uint8_t> labels;
  for (std::size_t row = side; row-- > 0;)
    labels.insert(labels.end(), section.labels->begin() + static_cast<std::ptrdiff_t>(row * side),
                  section.labels->begin() + static_cast<std::ptrdiff_t>((row + 1) * side));
  grids.push_back({"section_basin", {side, side}, std::move(labels)});
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
  std::string text = fmt::format(fmt::runtime(tr("Gradient flow of (e, w, a), p = {}, q = {} ({}).")),
                                 shown(flow.chain.p), shown(flow.chain.q),
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
    part(space.show.energy && readings.results.energySheet(), N_("the energy sheet of the selected point"));
    part(space.show.curves && !surfaces->curves.empty(), N_("saddles and stationary curves"));
  }
  if (!parts.empty()) text += " " + sentenceCase(fmt::format(fmt::runtime(tr("surfaces: {}")), parts));
  if (space.slice && section)
    text += " " + sentenceCase(fmt::format(fmt::runtime(tr("inset: the section {} = {}")),
                                           kSpaceAxes[space.section.across()], shown(space.section.at)));
  const SpaceResults& results = readings.results;
  if (results.points() == 1) text += " " + sentenceCase(spaceWords(flow.chain, results.point(0)));
  if (results.points() > 1) {
    const auto count = [&results](markov::LimitKind kind) {
      std::size_t n = 0;
      for (std::size_t i = 0; i < results.points(); ++i)
        n += results.point(i).kind == kind;
      return n;
    };
    text +=
        " " + fmt::format(fmt::runtime(tr("Of {} initial points {} reach a global and {} a local minimum.")),
                          results.points(), count(markov::LimitKind::GlobalMin), count(markov::LimitKind::LocalMin));
  }
  return text;
}

}  // namespace sepx::ui
