// SPDX-License-Identifier: Apache-2.0
// A figure, table or theorem that a page shows beside what comes out here: what the paper says of it in words, what it
// prints, how ours is computed, and what was computed as rows and charts. A study describes itself; the page that shows
// it (published_page.h) knows no paper. Plain data and pure functions.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/studies/study.h"
#include "ui/plots/line_chart.h"

namespace sepx::ui {

enum class Verdict { None, Holds, Fails, NotJudged, AsPublished, NotAsPublished, SeenHere, NotSeenHere };
/// Of what is judged, and of what is compared with the paper.
Verdict verdictOf(const studies::Check& judged);
/// `paperScale`: as PublishedResult::paperScale().
Verdict comparisonOf(const studies::Check& told, bool paperScale = true);
/// "as published", translated; empty for None.
std::string verdictWords(Verdict verdict);

struct PublishedTable {
  struct Column {
    std::string title;      ///< translated
    const char* key = "";   ///< of the column in an exported figure's numbers
    double share = 1;       ///< of the width
    double narrow = share;  ///< of the width where charts stand above
    bool number = false;    ///< at the right
  };
  struct Row {
    std::vector<std::string> cells;
    Verdict verdict = Verdict::None;
    bool published = false;  ///< printed in the paper, and not computed here
  };
  const char* name = "verdicts";  ///< of the table in an exported figure's numbers
  std::vector<Column> columns;
  Column verdict{.key = "verdict", .share = 1.4, .narrow = 1.7};  ///< behind them
  std::vector<Row> rows;
};

/// What was computed of a study.
class PublishedResult {
 public:
  virtual ~PublishedResult() = default;
  virtual std::vector<studies::Check> checks() const = 0;  ///< what is judged
  /// Observations of the paper; passed(): as published.
  virtual std::vector<studies::Check> told() const { return {}; }
  /// Whether models and data are those of the paper: only then a number can be as published.
  virtual bool paperScale() const { return true; }
  /// A row each check: what, the bound or the published observation, the number, the verdict.
  virtual PublishedTable table() const;
  /// False where the table's rows are not what is judged: the verdicts then stand beside it.
  virtual bool tableHasChecks() const { return true; }
  virtual std::string setting() const { return {}; }  ///< of what was computed, a sentence, translated; may be empty
  virtual std::size_t charts() const { return 0; }
  virtual LineChart chart(std::size_t, const Theme&) const { return {}; }
  virtual std::vector<LegendEntry> legend(const Theme&) const { return {}; }  ///< of all charts
  bool passed() const { return studies::passed(checks()); }
};
using PublishedPointer = std::shared_ptr<const PublishedResult>;

struct PublishedStudy {
  const char* word = "";                      ///< in the document: "figure-3"
  const char* title = "";                     ///< N_(), of the choice
  const char* id = "";                        ///< of `sepx reproduce`; empty: it is not computed here
  std::vector<const char*> says;              ///< N_(): what the paper reports, a line each
  const char* scale = "";                     ///< N_(): how ours differs from the paper's setting; may be empty
  std::function<PublishedTable()> printed{};  ///< what the paper prints, before anything was computed; may be empty
  /// Workers only. Empty: it is not computed here.
  std::function<Result<PublishedPointer>(const studies::Work&)> compute{};
  /// From what ships in the folder of assets, below a second; shown until the study was run. May be empty.
  std::function<Result<PublishedPointer>(const std::string& assets)> shipped{};
  bool atOnce = false;  ///< computed as soon as it is shown: it takes below a second
};

/// A line each: what, the number and its bound, whether it holds. Translated.
std::vector<std::string> checkLines(const std::vector<studies::Check>& checks);
/// "–" for no number.
std::string publishedNumber(double value);

}  // namespace sepx::ui
