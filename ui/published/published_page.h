// SPDX-License-Identifier: Apache-2.0
// A page that compares published figures, tables and theorems with the results computed here. It begins with the
// gallery of all of them (gallery.h). A click shows one study: the claims of the paper, the result of the program, its
// curves, and the verdicts that `sepx reproduce` prints. A button computes a study in the background, with progress and
// cancellation. All pages of this kind in a window share its results until it is closed. A PublishedKind configures the
// page for an exhibit. Frame thread.
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
  std::vector<std::string> papers{};  ///< papers whose studies are shown; those of the first one are named by their key
                                      ///< alone
  const char* firstPage = "";         ///< of the exhibit: shown if a document names none
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
  /// The name in the document of a study that this page shows: "figure-3", or its id if it belongs to another paper
  /// than the first. Empty if another page shows it.
  std::string wordOf(const studies::Study& study) const;
  /// The name under which results are requested: wordOf(), or the id for a study that another page shows.
  std::string resultName(const studies::Study& study) const;
  const studies::Study& resultOwner(const std::string& name) const;
  /// The study with that name; the first study if there is none.
  const studies::Study& studyNamed(const std::string& word) const;
  const studies::Study& study() const { return studyNamed(shown_.word); }
  /// Whether the page shows the gallery, or the table of all items of the papers, instead of a study.
  bool showsGallery() const { return shown_.word == kGallery; }
  bool showsItems() const { return shown_.word == kAllItems; }
  bool showsStudy() const { return !showsGallery() && !showsItems(); }
  /// The result of the study that is shown: the one computed here, otherwise the one that ships with the program; null
  /// if there is neither.
  const studies::StudyResult* result() const;
  /// A result of any study, preferably with the settings that are shown, otherwise with any settings.
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
  /// Whether a button computes the study.
  static bool runs(const studies::Study& study) { return study.compute && !study.atOnce; }
  StudySettings settingsOf(const Request& request) const;
  void take(Work& lane);
  void computeRequested(ExhibitContext& context);
  void computeAtOnce(const RaceFrame& frame, ExhibitContext& context);
  void computeNow(const RaceFrame& frame, ExhibitContext& context, const Request& wanted);
  void measureSpeed(const RaceFrame& frame, ExhibitContext& context);
  const PublishedKind kind_;
  const std::vector<const studies::Study*> all_, studies_;  ///< studies in the gallery; those of them that this page
                                                            ///< shows
  const std::string prefix_, run_, cancel_, asks_;
  Request shown_;
  std::string requestedStudy_;  ///< the study to be computed
  Work lane_, atOnce_;
  std::shared_ptr<StudyResults> made_ = StudyResults::of(nullptr);  ///< those of the window from the first frame on
  bool ofWindow_ = false;
  std::uint64_t seen_ = 0;                   ///< the revision of made_ that is shown
  std::map<Request, std::string> failures_;  ///< of studies that are computed at once
  Lane<std::string, double> speed_;          ///< slowness() of this machine, by the folder of assets
  double threads_ = 1;                       ///< number of threads that compute studies
  double began_ = 0;                         ///< host time at which the requested study began
  std::optional<std::size_t> chosen_;        ///< index of the card selected with the keyboard
  bool mayAsk_ = true;                       ///< the gallery may still have studies to request
  std::string failure_;
};

}  // namespace sepx::ui
