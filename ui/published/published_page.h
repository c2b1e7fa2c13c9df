// SPDX-License-Identifier: Apache-2.0
// A page of published figures, tables and theorems beside what comes out here: what the paper says, what a study of the
// same gives, its curves, and the verdicts that `sepx reproduce` prints. A study is computed in the background on a
// button, with progress, and can be cancelled; what a window has computed stays until it is closed. What an exhibit
// shows is one PublishedKind. Frame thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "engine/studies/study.h"
#include "ui/page/lane.h"
#include "ui/published/items_table.h"
#include "ui/published/published_view.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

struct PublishedKind {
  std::string exhibit;  ///< its key: "training"
  std::string word;     ///< of the page: "published"
  const char* label = "";
  const char* paper = "";      ///< "Attention-Structure": its studies that have a label are shown
  const char* firstPage = "";  ///< of the exhibit: shown where a document names none
};

class PublishedPage final : public RacePage {
 public:
  explicit PublishedPage(PublishedKind kind);
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.complete = lane_.complete() && atOnce_.complete();
    now.caption = [this, &shared] { return caption(shared); };
    return now;
  }
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;

 private:
  std::string caption(const RaceShared& shared) const;
  struct Request {
    std::string word;
    bool quick = true;
    std::uint64_t seed = 0;
    auto key() const { return std::tie(word, quick, seed); }
    bool operator==(const Request& other) const { return key() == other.key(); }
    bool operator<(const Request& other) const { return key() < other.key(); }
  };
  using ResultPointer = std::shared_ptr<const studies::StudyResult>;
  using Work = Lane<Request, Result<ResultPointer>>;
  /// "training.published." and `name`.
  std::string key(std::string_view name) const { return prefix_ + std::string(name); }
  Options studyOptions(bool none) const;
  /// The first where there is none of that word.
  const studies::Study& studyNamed(const std::string& word) const;
  const studies::Study& study() const { return studyNamed(shown_.word); }
  /// The table of everything that is in the papers, in place of a study.
  bool showsItems() const { return shown_.word == kAllItems; }
  /// Of the study that is shown: what was run here, else what ships; null: neither.
  const studies::StudyResult* result() const;
  bool computes() const { return lane_.pending() && lane_.isFor(shown_); }
  /// A button computes it.
  static bool runs(const studies::Study& study) { return study.compute && !study.atOnce; }
  studies::StudyTable table() const { return publishedTable(study(), result()); }
  void take(Work& lane, std::map<Request, ResultPointer>& into);
  void computeAsked(ExhibitContext& context);
  void computeAtOnce(const RaceFrame& frame, ExhibitContext& context);
  const PublishedKind kind_;
  const std::vector<const studies::Study*> studies_;
  const std::string prefix_, run_, cancel_, asks_;
  Request shown_;
  std::string asked_;  ///< the study that is to be computed
  Work lane_, atOnce_;
  std::map<Request, ResultPointer> computed_, ready_;  ///< run here; computed at once or from what ships
  std::string failure_;
};

}  // namespace sepx::ui
