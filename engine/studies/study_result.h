// SPDX-License-Identifier: Apache-2.0
// What a study gives, as one value: its checks with their criterion, what it saw of the paper's observations, tables,
// curves and all other numbers. `sepx reproduce` prints it as text and as JSON, a page draws it (ui/published), and
// figures are exported from it; none of them knows which study it is. Texts are English, translated where they are
// shown. Plain data; any thread.
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

/// One number and what it must be.
struct Check {
  double p = 0, q = 0;         ///< of the chain it is about; 0: of none
  Sentence what;               ///< one line
  std::int64_t points = 1;     ///< that it was taken over
  double value = 0;            ///< NaN keeps no bound
  const char* relation = "<";  ///< value relation bound: "<", "<=", "=" or ">="
  double bound = 0;
  const char* notJudged = nullptr;  ///< why it is not, N_(); null: it is judged
  Sentence about{};                 ///< the run that the number is of: "characters, seed 3"; may be empty
  Sentence published{};             ///< of an observation: what the paper reports, "above 0"; may be empty

  bool passed() const;      ///< the value keeps its bound, judged or not
  Verdict verdict() const;  ///< NotJudged where there is a reason for it, else by passed()
};
/// No check that is judged fails.
bool passed(std::span<const Check> checks);
/// How many have this verdict.
std::size_t countOf(std::span<const Check> checks, Verdict verdict);
inline std::size_t judgedOf(std::span<const Check> checks) {
  return checks.size() - countOf(checks, Verdict::NotJudged);
}

/// A number, which is written as its column says (NaN: there is none), or words. In a document `value` stands for the
/// words; null: words that are for people alone.
struct Cell {
  Cell(double number) : value(number) {}
  Cell(int number) : value(number) {}
  Cell(Sentence text, Json word = {}) : value(std::move(word)), words(std::move(text)) {}
  Cell(const char* text, Json word = {}) : Cell(Sentence(text), std::move(word)) {}
  /// What is written already.
  Cell(std::string text, Json word = {}) : Cell(Sentence("{}", {std::move(text)}), std::move(word)) {}
  Json value;
  Sentence words;
};

struct Column {          ///< of a table of a study
  const char* key = "";  ///< in documents and in exported numbers; empty: in texts alone
  Sentence title{};
  int width = 0;      ///< in a text, characters: above 0 at the right, below 0 at the left, 0 as long as it is
  int gap = 0;        ///< spaces before it in a text
  char form = 'f';    ///< of numbers: 'f', 'g', or '%' for a share
  int digits = 0;     ///< behind the point, or significant ones
  double share = 0;   ///< of the width of a page
  double narrow = 0;  ///< the same beside other things; 0: as `share`
  const char* brief = nullptr;  ///< the title on a page, which has less room; null: `title`
  int briefDigits = -1;         ///< the digits there; -1: `digits`
  bool shown = true;            ///< false: in documents alone
};

struct Row {                ///< of a table of a study
  std::vector<Cell> cells;  ///< one a column, or fewer
  bool published = false;   ///< as printed, and not computed here
  /// On a page; of an observation of the paper where `observed`.
  std::optional<Verdict> verdict{};
  bool observed = false;
  Json facts = Json::object();  ///< of the row in a document, before its cells
  std::string note{};           ///< behind the cells of a text: why a run stopped
};

/// A table, or a paragraph where it has no columns.
struct StudyTable {
  const char* name = "";  ///< of exported numbers
  Sentence heading{};     ///< a line above it in a text; may be empty
  bool apart = true;      ///< an empty line stands before it in a text
  int indent = 2;
  bool titles = true;  ///< of the columns, in a text
  std::vector<Column> columns{};
  std::vector<Row> rows{};
  std::vector<Sentence> notes{};  ///< lines below it in a text
  bool inText = true, onPage = false;
  double verdict = 1.4, narrowVerdict = 1.7;  ///< shares of the column of verdicts on a page
  bool paperScale = true;                     ///< as StudyResult::paperScale, of rows that are observed
};
/// The rows of a table as members of a document: those that are printed in the paper, or those that were computed.
Json rowsOf(const StudyTable& table, bool published);

/// The i-th look of a chart's series (ui/views/line_chart.h).
struct StudySeries {
  std::size_t look = 0;
  std::vector<double> x, y, low{}, high{};  ///< a band where low and high are there
  bool band = false;
};
struct StudyChart {       ///< one plot
  Sentence title;         ///< on a page
  Sentence whole, brief;  ///< in a figure, behind its letter, as there is room; empty: `title` without a letter
  Sentence xName, yName;  ///< yName in a figure alone: the title of a page has it
  bool wholeX = false;    ///< ticks at whole numbers
  std::optional<double> xFrom, xTo, yFrom, yTo;
  std::vector<StudySeries> series;
  std::vector<double> levels;  ///< lines across, dashed
  bool zero = false;           ///< a thin line at 0
};
struct StudyLegend {                        ///< one entry
  enum class Mark { Series, Band, Level };  ///< what stands before the name
  Sentence name;
  std::size_t look = 0;
  Mark mark = Mark::Series;
};

struct StudyResult {
  const Study* study = nullptr;  ///< never null
  bool quick = false;
  std::vector<Sentence> head;  ///< lines that a text begins with: the title, what was run
  Sentence setting{};          ///< what was run, on a page; may be empty
  std::vector<StudyTable> tables;
  std::vector<Check> checks;        ///< what is judged
  std::vector<Check> observations;  ///< of the paper, beside ours; they decide nothing
  /// Whether models and data are those of the paper: only then a number can be as published.
  bool paperScale = true;
  /// The checks are all that there is to show: a theorem, a bound. A text then has the chain, bound and points of each.
  bool checksAlone = false;
  std::vector<Sentence> closing;  ///< lines that a text ends with
  std::vector<StudyChart> charts;
  std::vector<StudyLegend> legend;  ///< of all charts
  std::size_t chartsPerRow = 2;     ///< of a figure
  Json numbers = Json::object();    ///< further members of a document, in their order
  std::any drawn;                   ///< of a picture that is not charts: FlowFigure, or a pointer to ScoreTables

  bool passed() const { return studies::passed(checks); }
  /// The table of a page; null: its checks and observations are the rows.
  const StudyTable* pageTable() const;
};

/// Numbers of points as a list: of(point) each.
template <class Points, class Of>
Json overPoints(const Points& points, Of of) {
  Json list = Json::array();
  for (const auto& point : points)
    list.push_back(of(point));
  return list;
}

/// null for an empty text, and for a number that is not finite (which is not counted among those then).
inline Json wordOrNull(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}
inline Json numberOrNull(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}
/// Lines of a text after an empty one.
inline StudyTable paragraph(Sentence text) {
  StudyTable table;
  table.heading = std::move(text);
  return table;
}

}  // namespace sepx::studies
