// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/flow_study.h"

#include <algorithm>

#include "engine/dynamics/basin_map.h"
#include "engine/markov/attention_basin.h"
#include "engine/markov/canonical_field.h"
#include "engine/markov/flow.h"
#include "engine/markov/flow_batch.h"
#include "engine/markov/gaussian.h"
#include "engine/markov/gaussian_count.h"

namespace sepx::studies {
namespace {

using markov::LimitKind;
using markov::Model;
using markov::State;

constexpr markov::Chain kBelowOne{0.2, 0.3}, kAboveOne{0.5, 0.8};  // the paper's two chains

void followCloud(FlowFigurePart& part, Model model, std::size_t count, const Work& work) {
  std::vector<double> e, w, a;
  for (std::size_t i = 0; i < count; ++i) {
    const State start = markov::gaussianStart(model, part.sigma, work.seed, i);
    part.starts.push_back(start);
    e.push_back(start[0]);
    w.push_back(start[1]);
    if (model == Model::EWA) a.push_back(start[2]);
  }
  part.ends = markov::flowBatch(part.chain, model, {e, w, a}, {}, work.pool, work.cancelled).label;
  for (std::size_t i = 0; i < count; ++i) {
    const LimitKind theory = model == Model::EW ? markov::basinLabel(part.chain, e[i], w[i])
                                                : markov::basinLabel3(part.chain, e[i], w[i], a[i]);
    part.differ += theory != part.ends[i];
  }
}

void compareBasins(FlowFigurePart& part, const Work& work) {
  constexpr int kSide = 400;
  constexpr double kReach = 2;
  const dynamics::BasinWindow window{-kReach, kReach, -kReach, kReach, kSide, kSide};
  dynamics::FieldRegistry fields;
  markov::addCanonicalFields(fields);
  const std::vector<double> parameters{part.chain.p, part.chain.q};
  const dynamics::BasinMap map = dynamics::integrateBasinMap(
      *fields.find("ew"), parameters, window, dynamics::basinMapOptions(window), work.pool, work.cancelled);
  const dynamics::BasinMap exact = markov::exactBasinMap(part.chain, window, work.pool);
  part.basinPixels = map.labels.size();
  for (std::size_t i = 0; i < map.labels.size(); ++i)
    part.basinsDiffer += map.labels[i] != exact.labels[i];
}

Json partJson(const FlowFigurePart& part) {
  Json json{{"p", part.chain.p}, {"q", part.chain.q}, {"sigma", part.sigma}, {"starts", part.starts.size()}};
  json["ends"] = Json::object();
  for (const LimitKind kind : {LimitKind::GlobalMin, LimitKind::LocalMin, LimitKind::Undecided})
    json["ends"][std::string(markov::limitName(kind))] = part.count(kind);
  json["ends_not_as_theory"] = part.differ;
  json["basin_pixels"] = part.basinPixels > 0 ? Json(part.basinPixels) : Json();
  json["basin_pixels_not_as_theory"] = part.basinPixels > 0 ? Json(part.basinsDiffer) : Json();
  return json;
}

StudyTable partLines(const FlowFigurePart& part) {
  StudyTable lines = paragraph(sentence("p = {}, q = {}", part.chain.p, part.chain.q));
  lines.notes = {sentence(N_("  {} initial points from N(0, {}^2 I): {} end in a global minimum, {} in a local one; "
                             "{} differ from the theory"),
                          part.starts.size(), part.sigma, part.count(LimitKind::GlobalMin),
                          part.count(LimitKind::LocalMin), part.differ)};
  if (part.basinPixels > 0)
    lines.notes.push_back(sentence(N_("  integrated basins: {} of {} pixels differ from the theory"), part.basinsDiffer,
                                   part.basinPixels));
  return lines;
}

template <int Figure>
Study flowStudy(const char* id, const char* title, const char* about, const char* claim) {
  return {.id = id,
          .form = StudyForm::Figure,
          .paper = kLocalToGlobal,
          .title = title,
          .about = about,
          .claim = claim,
          .assumptions =
              N_("optimal bias; p = 0.2, q = 0.3 and p = 0.5, q = 0.8; initial points from a Gaussian cloud, each "
                 "followed to its end along its orbit, not in time"),
          .compute = [](const Work& work) { return resultOf(computeFlowFigure(Figure, work)); },
          .atOnce = true};
}

}  // namespace

std::size_t FlowFigurePart::count(LimitKind kind) const {
  return static_cast<std::size_t>(std::count(ends.begin(), ends.end(), kind));
}

std::vector<Check> FlowFigure::checks() const {
  std::vector<Check> all;
  const auto none = [&all](const FlowFigurePart& part, Sentence what, std::size_t points, std::size_t value) {
    Check& check = all.emplace_back(Check{part.chain.p, part.chain.q, std::move(what),
                                          static_cast<std::int64_t>(points), static_cast<double>(value), "=", 0});
    check.about = sentence("p = {}, q = {}", part.chain.p, part.chain.q);
  };
  for (const FlowFigurePart& part : parts) {
    none(part, N_("integrated ends of another kind than theory says"), part.starts.size(), part.differ);
    if (part.basinPixels > 0)
      none(part, N_("pixels of integrated basins that differ from the theory"), part.basinPixels, part.basinsDiffer);
  }
  return all;
}

StudyResult resultOf(const FlowFigure& figure) {
  StudyResult result;
  result.study = &studyOf(fmt::format("local-to-global-figure-{}", figure.figure));
  result.quick = figure.quick;
  result.head = {result.study->title, result.study->assumptions};
  for (const FlowFigurePart& part : figure.parts)
    result.tables.push_back(partLines(part));
  result.checks = figure.checks();
  result.numbers["parts"] = overPoints(figure.parts, partJson);
  result.drawn = figure;
  return result;
}

std::vector<Study> describeFlows() {
  return {flowStudy<1>("local-to-global-figure-1", N_("Gradient flow and basins of the plane (e,w)"),
                       N_("energy contours, flow and basins of the plane (--out picture)"),
                       N_("The ends of integrated orbits and the integrated basins are as the theorems say.")),
          flowStudy<2>("local-to-global-figure-2", N_("Gradient flow with attention, (e,w,a)"),
                       N_("flow with attention from a Gaussian cloud (--out picture)"),
                       N_("Integrated orbits end as the two invariants say.")),
          flowStudy<5>("local-to-global-figure-5", N_("Gradient flow with attention near the origin"),
                       N_("the same near the origin (--out picture)"),
                       N_("Integrated orbits end as the two invariants say."))};
}

Result<FlowFigure> computeFlowFigure(int figure, const Work& work) {
  FlowFigure result;
  result.figure = figure;
  result.quick = work.quick;
  const std::size_t count = (figure == 1 ? 120u : 60u) / (work.quick ? 4u : 1u);
  for (const markov::Chain& chain : {kBelowOne, kAboveOne}) {
    FlowFigurePart part;
    part.chain = chain;
    part.sigma = figure == 1 ? 0.3 : figure == 2 ? 0.4 : 0.1;
    followCloud(part, figure == 1 ? Model::EW : Model::EWA, count, work);
    if (figure == 1) compareBasins(part, work);
    if (work.isCancelled()) return interrupted();
    result.parts.push_back(std::move(part));
    work.at(static_cast<double>(result.parts.size()) / 2);
  }
  return result;
}

}  // namespace sepx::studies
