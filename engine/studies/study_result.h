// SPDX-License-Identifier: Apache-2.0
// The result of a study as one value: its checks with their bounds, the comparison with the paper's observations,
// tables, curves and all other numbers. `sepx reproduce` prints it as text and as JSON, a page draws it (ui/published),
// and figures are exported from it; none of this code depends on the particular study. Texts are English and are
// translated where they are shown. Plain data; any thread.
#pragma once

#include <any>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/sentence.h"

namespace sepx::studies {

struct Study;
using Json = nlohmann::ordered_json;  ///< keeps the order of keys

enum class Verdict { Holds, Fails, NotJudged };  ///< of one check

/// One number and its bound.
struct Check {
  double p = 0, q = 0;         ///< the chain that it is about; 0: none
  Sentence what;               ///< one line
  std::int64_t points = 1;     ///< number of points that the value was taken over
  double value = 0;            ///< NaN never satisfies the bound
  const char* relation = "<";  ///< value relation bound: "<", "<=", "=" or ">="
  double bound = 0;
  const char* notJudged = nullptr;  ///< why it is not judged, N_(); null: it is judged
  Sentence about{};                 ///< the run that the number belongs to: "characters, seed 3"; may be empty
  Sentence published{};             ///< for an observation: what the paper reports, "above 0"; may be empty

  bool passed() const;      ///< the value satisfies its bound, whether it is judged or not
  Verdict verdict() const;  ///< NotJudged if `notJudged` is set, otherwise by passed()
};
/// Whether no judged check fails.
bool passed(std::span<const Check> checks);
/// The number of checks with this verdict.
std::size_t countOf(std::span<const Check> checks, Verdict verdict);
inline std::size_t judgedOf(std::span<const Check> checks) {
  return checks.size() - countOf(checks, Verdict::NotJudged);
}

/// A number, formatted as its column says (NaN: there is none), or words. In JSON, `value` replaces the words; if it is
/// null, the words appear only in text.
struct Cell {
  Cell(double number) : value(number) {}
  Cell(int number) : value(number) {}
  Cell(Sentence text, Json word = {}) : value(std::move(word)), words(std::move(text)) {}
  Cell(const char* text, Json word = {}) : Cell(Sentence(text), std::move(word)) {}
  /// Text that is already formatted.
  Cell(std::string text, Json word = {}) : Cell(Sentence("{}", {std::move(text)}), std::move(word)) {}
  Json value;
  Sentence words;
};

struct Column {          ///< of a table of a study
  const char* key = "";  ///< name in JSON and in exported numbers; empty: the column is only in text output
  Sentence title{};
  int width = 0;                ///< characters in text output: > 0 right-aligned, < 0 left-aligned, 0 not padded
  int gap = 0;                  ///< spaces before it in text output
  char form = 'f';              ///< format of numbers: 'f', 'g', or '%' for a share
  int digits = 0;               ///< after the decimal point; for 'g' significant digits
  double share = 0;             ///< relative width on a page
  double narrow = 0;            ///< relative width in a narrow pane; 0: as `share`
  const char* brief = nullptr;  ///< shorter title for a page; null: `title`
  int briefDigits = -1;         ///< digits on a page; -1: `digits`
  bool shown = true;            ///< false: only in JSON
};

struct Row {                ///< of a table of a study
  std::vector<Cell> cells;  ///< one per column, or fewer
  bool published = false;   ///< printed in the paper, not computed here
  /// Shown on a page. If `observed`, it is about an observation of the paper.
  std::optional<Verdict> verdict{};
  bool observed = false;
  Json facts = Json::object();  ///< members of the row in JSON, before its cells
  std::string note{};           ///< after the cells in text output: why a run stopped
};

/// A table, or a paragraph if it has no columns.
struct StudyTable {
  const char* name = "";  ///< name of the table of exported numbers
  Sentence heading{};     ///< line above it in text output; may be empty
  bool apart = true;      ///< an empty line before it in text output
  int indent = 2;
  bool titles = true;  ///< titles of the columns in text output
  std::vector<Column> columns{};
  std::vector<Row> rows{};
  std::vector<Sentence> notes{};  ///< lines below it in text output
  bool inText = true, onPage = false;
  double verdict = 1.4, narrowVerdict = 1.7;  ///< relative widths of the verdict column on a page
  bool paperScale = true;                     ///< as StudyResult::paperScale, for `observed` rows
};
/// The rows of a table as a JSON array: either those printed in the paper or those computed here.
Json rowsOf(const StudyTable& table, bool published);

/// One line of a chart. `look` is the index of its colour and dash pattern (ui/views/line_chart.h).
struct StudySeries {
  std::size_t look = 0;
  std::vector<double> x, y, low{}, high{};  ///< low and high: the limits of the band, if there is one
  bool band = false;
};
struct StudyChart {       ///< one plot
  Sentence title;         ///< title on a page
  Sentence whole, brief;  ///< titles in a figure, after its letter: `brief` if `whole` does not fit; empty: `title`
                          ///< without a letter
  Sentence xName, yName;  ///< yName only in a figure; on a page the title contains it
  bool integerTicksX = false;  ///< ticks only at whole numbers
  std::optional<double> xFrom, xTo, yFrom, yTo;
  std::vector<StudySeries> series;
  std::vector<double> levels;  ///< dashed horizontal lines
  bool zero = false;           ///< a thin horizontal line at 0
};
struct StudyLegend {                        ///< one entry
  enum class Mark { Series, Band, Level };  ///< the symbol before the name
  Sentence name;
  std::size_t look = 0;
  Mark mark = Mark::Series;
};

struct StudyResult {
  const Study* study = nullptr;  ///< never null
  bool quick = false;
  std::vector<Sentence> head;  ///< first lines of the text output: the title, what was run
  Sentence setting{};          ///< what was run, for a page; may be empty
  std::vector<StudyTable> tables;
  std::vector<Check> checks;        ///< what is judged
  std::vector<Check> observations;  ///< of the paper, compared with ours; they do not affect the verdict
  /// Whether models and data are those of the paper. Only then can a number be called "as published".
  bool paperScale = true;
  /// The checks are all there is to show, as for a theorem or a bound. The text output then lists the chain, bound and
  /// number of points of each.
  bool onlyChecks = false;
  std::vector<Sentence> closing;  ///< last lines of the text output
  std::vector<StudyChart> charts;
  std::vector<StudyLegend> legend;  ///< common to all charts
  std::size_t chartsPerRow = 2;     ///< in a figure
  Json numbers = Json::object();    ///< further members of the JSON, in their order
  std::any drawn;                   ///< data of a picture other than charts: FlowFigure, or a pointer to ScoreTables

  bool passed() const { return studies::passed(checks); }
  /// The table for a page; null: its rows are the checks and observations.
  const StudyTable* pageTable() const;
};

/// A JSON array of of(point) for every point.
template <class Points, class Of>
Json overPoints(const Points& points, Of of) {
  Json list = Json::array();
  for (const auto& point : points)
    list.push_back(of(point));
  return list;
}

/// null for an empty text or for a number that is not finite.
inline Json wordOrNull(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}
inline Json numberOrNull(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}
/// A paragraph of the text output, after an empty line.
inline StudyTable paragraph(Sentence text) {
  StudyTable table;
  table.heading = std::move(text);
  return table;
}

}  // namespace sepx::studies
