// SPDX-License-Identifier: Apache-2.0
// See reversal_published.h.
#include "ui/exhibits/reversal/tables/reversal_published.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/studies/bound_study.h"
#include "engine/studies/large_models.h"
#include "ui/exhibits/reversal/shared/transfer_charts.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

using reversal::Direction;
using studies::AccuracyRun;
using studies::AccuracyTable;
using studies::Check;
using studies::PairModel;
using studies::PublishedAccuracy;

namespace {

constexpr const char* kAccuracyScale = N_(
    "One layer, as in the paper, with batches of 64 in place of 256. Columns fwd and rev are the paper's, which does "
    "not say which step they are of. Ours: mean over evaluations and seeds; end: at the last evaluation; letters: the "
    "mean where small letters alone count. Bands of the charts are the range over the seeds. The quick study has a "
    "width of 64, 1,500 steps and one seed, and is not judged.");
constexpr const char* kTransferScale =
    N_("The quick study takes 1,000 steps of 64 pairs and one seed. In it models of L = 20 and more have not begun to "
       "learn the pairs, so that both queries look alike and all cosines are near 1: they are not judged.");
constexpr const char* kLargeScale =
    N_("Fine-tuning models of 4 to 8 billion parameters is out of the scope of this program: the table is shown as "
       "published.");

std::string percentText(double value) {
  return std::isfinite(value) ? fmt::format("{:.1f}", value) : "–";
}

/// Rows of a table of accuracies; `ours` null: what the paper prints alone.
PublishedTable accuracyRows(int number, const AccuracyTable* ours) {
  PublishedTable table;
  table.name = "accuracy";
  table.columns = {{tr("model"), "model", 1.7, 1.7},
                   {"L", "length", 0.5, 0.5, true},
                   {tr("fwd"), "published_forward", 0.8, 0.8, true},
                   {tr("mean"), "forward", 0.85, 0.85, true},
                   {tr("end"), "forward_at_end", 0.8, 0.8, true},
                   {tr("rev"), "published_reverse", 0.8, 0.8, true},
                   {tr("mean"), "reverse", 0.85, 0.85, true},
                   {tr("end"), "reverse_at_end", 0.8, 0.8, true},
                   {tr("letters"), "reverse_letters", 1, 1, true}};
  table.verdict.share = table.verdict.narrow = 1.2;
  for (const int length : {10, 20})
    for (const PairModel model : studies::kPairModels) {
      const auto printed = studies::publishedAccuracy(number, model, length);
      if (!printed) continue;
      const auto mean = [&](Direction direction, bool letters) {
        return percentText(ours ? ours->mean(model, length, direction, letters) : std::nan(""));
      };
      const auto atEnd = [&](Direction direction) {
        return percentText(ours ? ours->atEnd(model, length, direction) : std::nan(""));
      };
      const bool here = ours && std::isfinite(ours->mean(model, length, Direction::Reverse));
      table.rows.push_back(
          {{model == PairModel::Arm ? studies::word(model) : trFormat("MDM, {}", tr(studies::word(model))),
            std::to_string(length), percentText(printed->forward), mean(Direction::Forward, false),
            atEnd(Direction::Forward), percentText(printed->reverse), mean(Direction::Reverse, false),
            atEnd(Direction::Reverse), mean(Direction::Reverse, true)},
           Verdict::None,
           !here});
    }
  return table;
}

PublishedTable largeRows() {
  PublishedTable table;
  table.name = "accuracy";
  table.columns = {{tr("relation"), "relation", 2.2, 2.2},
                   {tr("model"), "model", 1.6, 1.6},
                   {tr("objective"), "objective", 1.6, 1.6},
                   {tr("forward, percent"), "published_forward", 1.2, 1.2, true},
                   {tr("reverse, percent"), "published_reverse", 1.2, 1.2, true}};
  table.verdict.share = table.verdict.narrow = 1.2;
  for (const studies::LargeModelResult& row : studies::publishedLargeModels())
    table.rows.push_back({{row.relation, row.model, row.diffusion ? tr("masked diffusion") : tr("autoregressive"),
                           percentText(row.forward), percentText(row.reverse)},
                          Verdict::None,
                          true});
  return table;
}

std::function<Result<PublishedPointer>(const studies::Work&)> accuracy(int number) {
  return [number](const studies::Work& work) -> Result<PublishedPointer> {
    Result<AccuracyTable> made = studies::computeAccuracy(number, work);
    if (!made) return tl::unexpected(made.error());
    return PublishedPointer(std::make_shared<AccuracyResult>(*std::move(made), false));
  };
}

std::function<Result<PublishedPointer>(const std::string&)> recorded(int number) {
  return [number](const std::string& assets) -> Result<PublishedPointer> {
    Result<AccuracyTable> read = studies::recordedAccuracy(number, assets + "/runs/reversal");
    if (!read) return tl::unexpected(read.error());
    return PublishedPointer(std::make_shared<AccuracyResult>(*std::move(read), true));
  };
}

std::function<Result<PublishedPointer>(const studies::Work&)> bound(int table) {
  return [table](const studies::Work& work) -> Result<PublishedPointer> {
    Result<studies::TheoremReport> made = studies::checkBounds(table, work);
    if (!made) return tl::unexpected(made.error());
    return PublishedPointer(std::make_shared<BoundResult>(*std::move(made)));
  };
}

std::function<Result<PublishedPointer>(const studies::Work&)> transfer(int number) {
  return [number](const studies::Work& work) -> Result<PublishedPointer> {
    Result<studies::TransferFigure> made = studies::computeTransfer(number, work);
    if (!made) return tl::unexpected(made.error());
    return PublishedPointer(std::make_shared<TransferResult>(*std::move(made)));
  };
}

PublishedStudy boundTable(int number, const char* word, const char* title, const char* id,
                          std::vector<const char*> says) {
  return {word, title, id, std::move(says), "", {}, bound(number), {}, true};
}

}  // namespace

std::span<const PublishedStudy> reversalStudies() {
  static const std::vector<PublishedStudy> all{
      {"table-1",
       N_("Table 1"),
       "reversal-table-1",
       {N_("Trained forwards alone, masked diffusion answers part of the reverse queries."),
        N_("The autoregressive model answers none of them.")},
       kAccuracyScale,
       [] { return accuracyRows(1, nullptr); },
       accuracy(1),
       recorded(1)},
      {"table-2",
       N_("Table 2"),
       "reversal-table-2",
       {N_("The reverse accuracy of masked diffusion depends on the encoding of positions: absolute < RoPE < ALiBi.")},
       kAccuracyScale,
       [] { return accuracyRows(2, nullptr); },
       accuracy(2),
       recorded(2)},
      boundTable(3, "table-3", N_("Table 3"), "reversal-table-3",
                 {N_("The least of Tr R(2Δ)/D over Δ = 1 … 50 is positive.")}),
      boundTable(4, "table-4", N_("Table 4"), "reversal-table-4",
                 {N_("A lower bound by Cantelli of the probability that the correlation is at least c.")}),
      boundTable(5, "table-5", N_("Table 5"), "reversal-table-5",
                 {N_("The least over Δ1, Δ2 ≤ 30 of the mean of the bound for unequal distances, estimated by draws."),
                  N_("Ours: by exact quadrature, so that it has no error of sampling.")}),
      {"table-7",
       N_("Table 7"),
       "",
       {N_("Exact matches, mean of three seeds, after fine-tuning on one direction: models of masked diffusion answer "
           "the other direction far more often than autoregressive ones.")},
       kLargeScale,
       largeRows},
      {"figure-3",
       N_("Figure 3"),
       "reversal-figure-3",
       {N_("Forward and reverse scores stay positively correlated at all Δ1 + Δ2 (left)."),
        N_("Forward and reverse gradients keep a cosine above 0.6 (middle)."),
        N_("The reverse probability rises although forward queries alone are trained (right).")},
       kTransferScale,
       {},
       transfer(3)},
      {"figure-5",
       N_("Figure 5"),
       "reversal-figure-5",
       {N_("The same at L = 10, 20, 30 and 40.")},
       kTransferScale,
       {},
       transfer(5)}};
  return all;
}

PublishedTable AccuracyResult::table() const {
  return accuracyRows(table_.number, &table_);
}

std::string AccuracyResult::setting() const {
  std::string text;
  if (shipped_)
    text = tr("From the runs that ship: batches of 64, seeds 0 to 2, percent.");
  else if (table_.quick)
    text = trFormat("Quick: width {}, {} steps, one seed, percent.", table_.width, table_.steps);
  else
    text = trFormat("Width {}, {} steps, batches of {}, percent.", table_.width, table_.steps, table_.batch);
  text += " ";
  text += tr("Mean: over the points of the curves; end: the last of them.");
  if (shipped_ && table_.number == 1) text += std::string(" ") + tr("L = 20 is computed by the study.");
  return text;
}

LineChart AccuracyResult::chart(std::size_t panel, const Theme& theme) const {
  const Direction direction = panel == 0 ? Direction::Forward : Direction::Reverse;
  LineChart chart;
  chart.title = panel == 0 ? tr("forward accuracy, L = 10") : tr("reverse accuracy, L = 10");
  chart.x = {.name = tr("step"), .from = 0, .to = static_cast<double>(table_.steps)};
  chart.y = {.from = 0, .to = 1.02};
  for (const PairModel model : studies::kPairModels) {
    ChartSeries line;
    int runs = 0;
    for (const AccuracyRun& run : table_.runs) {
      if (run.model != model || run.length != 10 || run.points.empty()) continue;
      for (std::size_t i = 0; i < run.points.size(); ++i) {
        const double value = run.points[i].report.of(direction).accuracy;
        if (runs == 0) {
          line.x.push_back(static_cast<double>(run.points[i].step));
          line.y.push_back(value);
          line.low.push_back(value);
          line.high.push_back(value);
        } else if (i < line.y.size()) {
          line.y[i] += value;
          line.low[i] = std::min(line.low[i], value);
          line.high[i] = std::max(line.high[i], value);
        }
      }
      ++runs;
    }
    if (runs == 0) continue;
    for (double& value : line.y)
      value /= runs;
    line.look = seriesLook(theme, static_cast<std::size_t>(model));
    if (runs > 1)
      line.look.spread = Spread::Band;
    else
      line.low = line.high = {};
    chart.series.push_back(std::move(line));
  }
  return chart;
}

std::vector<LegendEntry> AccuracyResult::legend(const Theme& theme) const {
  std::vector<LegendEntry> entries;
  for (const PairModel model : studies::kPairModels)
    if (studies::publishedAccuracy(table_.number, model, 10))
      entries.push_back({model == PairModel::Arm ? studies::word(model) : trFormat("MDM, {}", tr(studies::word(model))),
                         seriesLook(theme, static_cast<std::size_t>(model))});
  return entries;
}

std::string BoundResult::setting() const {
  std::string text = trFormat("Judged: {}", tr(report_.study().claim));
  for (const char* const id : report_.study().corrected) {
    text += " ";
    text += trFormat("See {} among the errata.", id);
  }
  return text;
}

/// The values of a check's sentence are what it is about, and ours with more digits than are printed.
PublishedTable BoundResult::table() const {
  PublishedTable table;
  table.columns = {{tr("number"), "number", 5}, {tr("published"), "published", 1.2}, {tr("here"), "here", 1.2}};
  for (const Check& check : report_.checks) {
    const std::vector<std::string>& of = check.what.values;
    PublishedTable::Row& row = table.rows.emplace_back();
    row.verdict = comparisonOf(check);
    const std::string printed = fmt::format("{:.3f}", check.bound);
    if (report_.theorem == 3) row.cells = {trFormat("D = {}, at Δ = {}", of[0], of[2]), printed, of[1]};
    if (report_.theorem == 4)
      row.cells = {trFormat("m = {} planes, Δ = {}, c = {}", of[0], of[1], of[2]), printed, of[3]};
    if (report_.theorem == 5) row.cells = {trFormat("D = {}, at Δ1 = {}, Δ2 = {}", of[0], of[2], of[3]), of[4], of[1]};
  }
  return table;
}

std::string TransferResult::setting() const {
  return figure_.quick ? trFormat("Quick: {} steps of {} pairs, one seed.", figure_.steps, figure_.batch)
                       : trFormat("{} steps of {} pairs.", figure_.steps, figure_.batch);
}

std::size_t TransferResult::charts() const {
  return 3 * transferLengths(figure_).size();
}

LineChart TransferResult::chart(std::size_t panel, const Theme& theme) const {
  return std::move(transferCharts(figure_, theme)[panel]);
}

std::vector<LegendEntry> TransferResult::legend(const Theme& theme) const {
  return transferLegend(theme);
}

}  // namespace sepx::ui
