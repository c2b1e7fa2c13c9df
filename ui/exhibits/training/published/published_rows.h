// SPDX-License-Identifier: Apache-2.0
// What Attention-Structure prints of its figures 3, S3, S4, S5, Table 1 and Theorem 2.3, beside what came out here:
// rows of a table, and what the paper says of each in words. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/studies/emergence_study.h"
#include "engine/studies/theorem_study.h"

namespace sepx::ui {

/// A study that the page shows.
struct PublishedStudy {
  const char* word;   ///< in the document: "figure-3"
  const char* title;  ///< N_(), of the choice
  const char* id;     ///< of `sepx reproduce`
  studies::StudyKind kind;
  int number;
  std::vector<const char*> says;  ///< N_(): what the paper reports, a line each
};
std::span<const PublishedStudy> publishedStudies();
const PublishedStudy& publishedStudy(const std::string& word);  ///< the first where there is none of that word

/// What was computed: one of the two.
struct PublishedResult {
  std::optional<studies::EmergenceStudy> emergence;
  std::optional<studies::TheoremReport> theorem;
  std::vector<studies::Check> checks() const;  ///< what is judged
  std::vector<studies::Check> told() const;    ///< observations of the paper; passed(): as published
  bool passed() const { return studies::passed(checks()); }
};
/// How many passed.
std::size_t passedOf(const std::vector<studies::Check>& checks);
/// A line each: what, the number and its bound, whether it holds. Translated.
std::vector<std::string> checkLines(const std::vector<studies::Check>& checks);

enum class Verdict { None, Holds, Fails, AsPublished, NotAsPublished };
struct PublishedTable {
  struct Row {
    std::vector<std::string> cells;
    Verdict verdict = Verdict::None;
    bool published = false;  ///< printed in the paper, and not trained here
  };
  std::vector<std::string> columns;  ///< translated
  std::vector<Row> rows;
};
/// `result` null: what the paper prints, alone.
PublishedTable publishedTable(const PublishedStudy& study, const PublishedResult* result);
/// "as published", translated; empty for None.
std::string verdictWords(Verdict verdict);

}  // namespace sepx::ui
