// SPDX-License-Identifier: Apache-2.0
// See gallery.h.
#include "ui/published/gallery.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "engine/studies/paper_items.h"
#include "ui/canvas/page_draw.h"
#include "ui/page/number_table.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/published/shown_text.h"
#include "ui/published/study_times.h"
#include "ui/published/thumbnail.h"
#include "ui/runs/state_words.h"

namespace sepx::ui {

namespace {

using studies::Check;
using studies::Study;
using studies::Verdict;

/// The item of the paper that a study computes; null if there is none.
const studies::PaperItem* itemOf(const Study& study) {
  const auto items = studies::paperItems();
  const auto found = std::ranges::find_if(items, [&study](const auto& item) { return study.id == item.id; });
  return found == items.end() ? nullptr : &*found;
}

enum class Tone { None, Good, Part, Bad };

struct Judged {
  const char* words = "";
  Tone tone = Tone::None;
};

/// The verdict of a card: from the checks if any is judged, otherwise from the paper's observations.
Judged judgedAs(const GalleryCard& card) {
  const Study& study = *card.study;
  if (card.progress) return {N_("computing")};
  if (!study.isReproduced()) return {N_("published only")};
  if (!study.compute) return {N_("not run")};
  if (!card.made && !card.failure.empty()) return {N_("failed"), Tone::Bad};
  if (!card.made) return {N_("not run")};
  const bool checked = judgedOf(card.made->checks) > 0;
  const std::vector<Check>& all = checked ? card.made->checks : card.made->observations;
  const std::size_t judged = judgedOf(all), holds = countOf(all, Verdict::Holds);
  if (judged == 0) return {N_("not judged")};
  if (holds == judged) return {N_("holds"), Tone::Good};
  if (holds > 0) return {N_("in part"), Tone::Part};
  return {N_("not as published"), Tone::Bad};
}

std::optional<ChartLook> markOf(Tone tone, const Theme& theme) {
  if (tone == Tone::None) return std::nullopt;
  if (tone == Tone::Good) return ChartLook{.color = theme.globalMin, .marker = render::Shape::Circle};
  if (tone == Tone::Part) return ChartLook{.color = theme.saddle, .marker = render::Shape::Diamond};
  return ChartLook{.color = theme.error, .marker = render::Shape::Square};
}

std::string timeWords(const GalleryCard& card) {
  const Study& study = *card.study;
  if (card.progress) return trFormat("{:.0f} % done", 100 * *card.progress);
  if (!study.isReproduced()) return tr("as the paper prints it");
  if (!study.compute) return tr("measured on checkpoints");
  if (study.atOnce) return tr("computed at once");
  if (card.seconds > 0) return trFormat("about {}", durationWords(card.seconds));
  // The same on every machine, and in scripts: the time where it was measured.
  if (const double core = quickSeconds(study); core > 0) return trFormat("{} of one core", durationWords(core));
  return study.shipped ? std::string(tr("runs that ship")) : std::string();
}

/// The time that a study needs and, if a click leads to another exhibit, the name of the page there.
std::string footOf(const GalleryCard& card) {
  const std::string time = timeWords(card);
  if (card.here) return time;
  const std::string page =
      std::string_view(card.study->paper) == studies::kReversal ? tr("Reversal: Tables") : tr("Training: Published");
  return time.empty() ? page : time + " · " + page;
}

Card cardOf(const GalleryCard& from, const ViewPlace& place) {
  const Judged judged = judgedAs(from);
  const Study& study = *from.study;
  Card card{.title = studyName(study), .corner = galleryVerdict(from), .mark = markOf(judged.tone, place.theme)};
  card.picture = [&from, &place](std::vector<render::Item>& items, const render::Rect& box) {
    addThumbnail(items, box, *from.study, from.made.get(), place.theme);
  };
  card.lines = {{{shownText(studyClaim(study))}, NoteLine::Role::Muted}};
  card.wraps = true;
  card.foot = footOf(from);
  return card;
}

}  // namespace

std::string studyName(const Study& study) {
  if (*study.label != '\0') return tr(study.label);
  if (const studies::PaperItem* const item = itemOf(study)) return item->name;
  std::string name(study.key());
  std::ranges::replace(name, '-', ' ');
  if (!name.empty()) name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return name;
}

std::string studyClaim(const Study& study) {
  const studies::PaperItem* const item = itemOf(study);
  return sentenceCase(item ? tr(item->what) : tr(study.title));
}

std::vector<const Study*> galleryStudies(const std::vector<std::string>& papers) {
  std::vector<const Study*> all;
  for (const Study& study : studies::studies())
    all.push_back(&study);
  const auto items = studies::paperItems();
  const auto paperOf = [&papers](const Study* study) {
    const auto found = std::ranges::find(papers, std::string_view(study->paper));
    return std::pair(found - papers.begin(), std::string_view(study->paper));
  };
  const auto placeOf = [&items](const Study* study) {
    return std::ranges::find_if(items, [study](const auto& item) { return study->id == item.id; }) - items.begin();
  };
  std::ranges::stable_sort(all, [&](const Study* a, const Study* b) {
    return std::pair(paperOf(a), placeOf(a)) < std::pair(paperOf(b), placeOf(b));
  });
  return all;
}

std::string galleryVerdict(const GalleryCard& card) {
  const char* const words = judgedAs(card).words;
  return *words == '\0' ? std::string() : std::string(tr(words));
}

CardsContent galleryCards(std::vector<GalleryCard> cards, std::optional<std::size_t> chosen, std::uint64_t of) {
  CardsContent content;
  content.count = cards.size();
  content.of = of;
  for (const GalleryCard& card : cards) {
    if (content.groups.empty() || content.groups.back().title != card.study->paper)
      content.groups.push_back({card.study->paper});
    ++content.groups.back().count;
  }
  const auto all = std::make_shared<const std::vector<GalleryCard>>(std::move(cards));
  content.card = [all](std::size_t index, const ViewPlace& place) { return cardOf((*all)[index], place); };
  content.chosen = [chosen](std::size_t index) { return index == chosen; };
  content.key = [all](std::size_t index) { return std::string("study.") + (*all)[index].study->id; };
  content.width = 16.5;
  content.height = 10.6;
  content.mostHeight = 13;
  content.pictureFirst = content.onRelease = true;
  return content;
}

Numbers galleryNumbers(const std::vector<GalleryCard>& cards) {
  return {
      {numberTable("studies", cards, NumberColumn{"paper", [](const GalleryCard& card) { return card.study->paper; }},
                   NumberColumn{"id", [](const GalleryCard& card) { return card.study->id; }},
                   NumberColumn{"name", [](const GalleryCard& card) { return studyName(*card.study); }},
                   NumberColumn{"claim", [](const GalleryCard& card) { return studyClaim(*card.study); }},
                   NumberColumn{"verdict", galleryVerdict})},
      {}};
}

}  // namespace sepx::ui
