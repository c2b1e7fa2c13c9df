// SPDX-License-Identifier: Apache-2.0
// A page of published figures, tables and theorems beside what comes out here. It begins with the gallery of all of
// them (gallery.h); a click shows one: what the paper says, what a study of the same gives, its curves, and the
// verdicts that `sepx reproduce` prints. A study is computed in the background on a button, with progress, and can be
// cancelled; what a window has computed stays until it is closed, on all its pages of this kind. What an exhibit shows
// is one PublishedKind. Frame thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/studies/study.h"
#include "ui/page/lane.h"
#include "ui/published/gallery.h"
#include "ui/published/items_table.h"
#include "ui/published/study_results.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

struct PublishedKind {
  std::string exhibit;  ///< its key: "training"
  std::string key;      ///< of the page: "published"
  const char* label = "";
  std::vector<std::string> papers{};  ///< whose studies are shown; those of the first one are called by their word
  const char* firstPage = "";         ///< of the exhibit: shown where a document names none
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
    std::string word = kGallery;
    bool quick = true;
    std::uint64_t seed = 0;
    auto key() const { return std::tie(word, quick, seed); }
    bool operator==(const Request& other) const { return key() == other.key(); }
    bool operator<(const Request& other) const { return key() < other.key(); }
  };
  using ResultPointer = StudyResults::Pointer;
  using Work = Lane<Request, Result<ResultPointer>>;
  /// "training.published." and `name`.
  std::string key(std::string_view name) const { return prefix_ + std::string(name); }
  /// "training.published-" and `word`.
  std::string command(std::string_view word) const { return kind_.exhibit + "." + kind_.key + "-" + std::string(word); }
  Options studyOptions(bool none) const;
  /// How the document calls a study that this page shows: "figure-3", or its id where it is of another paper than the
  /// first; empty: another page shows it.
  std::string wordOf(const studies::Study& study) const;
  /// What results are asked for by: the same, and the id of a study that another page shows.
  std::string resultName(const studies::Study& study) const;
  const studies::Study& resultOwner(const std::string& name) const;
  /// The first where there is none of that word.
  const studies::Study& studyNamed(const std::string& word) const;
  const studies::Study& study() const { return studyNamed(shown_.word); }
  /// In place of a study: the gallery, the table of everything that is in the papers.
  bool showsGallery() const { return shown_.word == kGallery; }
  bool showsItems() const { return shown_.word == kAllItems; }
  bool showsStudy() const { return !showsGallery() && !showsItems(); }
  /// Of the study that is shown: what was run here, else what ships; null: neither.
  const studies::StudyResult* result() const;
  /// Of any study, with whatever settings it was computed.
  ResultPointer resultFor(const std::string& word) const;
  void panelOfAll(PagePanel& panel) const;
  std::vector<GalleryCard> cards() const;
  Views gallery(const RaceFrame& frame) const;
  Views studyShown(const RaceFrame& frame) const;
  ChoicesContent head() const;
  std::vector<std::size_t> papersBegin() const;
  void open(ExhibitContext& context, std::size_t card);
  void moveChoice(int by);
  bool computes() const { return lane_.pending() && lane_.isFor(shown_); }
  /// A button computes it.
  static bool runs(const studies::Study& study) { return study.compute && !study.atOnce; }
  StudySettings settingsOf(const Request& request) const;
  void take(Work& lane);
  void computeAsked(ExhibitContext& context);
  void computeAtOnce(const RaceFrame& frame, ExhibitContext& context);
  void computeNow(const RaceFrame& frame, ExhibitContext& context, const Request& wanted);
  void measureSpeed(const RaceFrame& frame, ExhibitContext& context);
  const PublishedKind kind_;
  const std::vector<const studies::Study*> all_, studies_;  ///< of the gallery; of these, those that this page shows
  const std::string prefix_, run_, cancel_, asks_;
  Request shown_;
  std::string asked_;  ///< the study that is to be computed
  Work lane_, atOnce_;
  std::shared_ptr<StudyResults> made_ = StudyResults::of(nullptr);  ///< the window's, from the first frame on
  bool ofWindow_ = false;
  std::uint64_t seen_ = 0;                   ///< revision of these that is shown
  std::map<Request, std::string> failures_;  ///< of what is computed at once
  Lane<std::string, double> speed_;          ///< of this machine, by the folder of assets
  double threads_ = 1;                       ///< that studies are computed on
  double began_ = 0;                         ///< host time at which the asked study began
  std::optional<std::size_t> chosen_;        ///< card, by keys
  bool mayAsk_ = true;                       ///< there may be something that the gallery has not asked for
  std::string failure_;
};

}  // namespace sepx::ui
