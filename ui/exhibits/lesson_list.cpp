// SPDX-License-Identifier: Apache-2.0
// The list, grouped by the prefix of its entries.
#include "ui/exhibits/lesson_list.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace sepx::ui {
namespace {

struct Group {
  std::string_view prefix, words;  ///< words separated by blanks
};

// clang-format off
constexpr Group kParameters[] = {
    {"", "exhibit"},
    {"panes.", "layout active linked limits"},
    {"flow.", "page field p q selected color guideline basin.method "
              "gauss.sigma gauss.samples gauss.seed play.speed contours.count "
              "sampling.count sampling.radius sampling.sigma sampling.seed sampling.center sampling.mode"},
    {"flow.softmax.", "p q v k"},
    {"flow.points[].", "e w a name color"},
    {"flow.view.", "xMin xMax yMin yMax"},
    {"flow.legend.", "place fold x y"},
    {"flow.show.", "loss critical separatrix basin arrows paths time cloud backward common names contours nullclines "
                   "particles profile texture"},
    {"flow.particles.", "count start sigma clock speed trail respawn running seconds"},
    {"flow.texture.", "length contrast running"},
    {"flow.space.", "yaw pitch distance perspective legend.fold legend.x legend.y show.theta_star show.minima "
                    "show.separatrix show.energy show.curves show.paths opacity slice.show slice.axis slice.at "
                    "slice.shade slice.method target.e target.w target.a"},
    {"flow.chain.", "show model contours counts samples path.show path.at path.p0 path.q0 path.p1 path.q1 follow"},
    {"flow.bias.", "model m rate steps survey starts survey-m"},
    {"flow.optimisers.", "steps batch length seed bias log-steps"},
    {"weights.", "checkpoint page stack layer head part colors order pool show.margins show.values show.spectrum "
                 "show.survival score.gamma score.variant score.ddof gqa norm.folded limits.mode limits.percentile "
                 "mapping.filter mapping.tensor"},
    {"weights.charts.", "show heads depth published"},
    {"weights.compare.", "checkpoint mode measure"},
    {"weights.form.", "offset others"},
    {"weights.sentence.", "text ids edits replacement special place query key order look lens model more temperature seed "
                          "part where how scale other effects scroll panel"},
    {"weights.wall.", "order limits size"},
    {"training.", "page experiment shipped step steps_per_frame layer head smooth log.steps log.values layers colors.scale "
                  "colors.limit run compare.run compare.step"},
    {"training.show.", "loss validation symmetry directionality row_column_cv gradient_norm rate constraint sigma_ratio "
                       "accuracy bounds raw"},
    {"training.matrices.", "name colors.scale colors.limit"},
    {"training.norms.", "role early mask d tokens updates predicted context column sums seed lemma.mean lemma.wide lemma.narrow lemma.z"},
    {"training.published.", "study quick seed"},
    {"training.sequence.", "show beside text hidden place top ids edits replacement special query key order look lens model "
                           "more temperature seed part where how scale other effects scroll panel"},
    {"training.theory.", "p q e w d"},
    {"training.update.", "text i j"},
    {"reversal.", "page experiment step steps_per_frame smooth log.steps log.values run compare.run "
                  "compare.step answers setting seeds encoding weights"},
    {"reversal.correlation.", "head dimensions reach threshold"},
    {"reversal.gradients.", "of letter lower upper rate"},
    {"reversal.ideal.", "kind forward reverse dimensions vocabulary seed remaining time base slope"},
    {"reversal.routing.", "letter first second attention order encoding"},
    {"reversal.checkpoint.", "file head distance mask tokens sample prompts layers layer steps rate"},
    {"reversal.tables.", "study quick seed"},
};

/// Commands and buttons. A lesson can start and control runs of experiments that ship with the program; these runs are
/// discarded with the lesson.
constexpr Group kCommands[] = {
    {"", "play.toggle"},
    {"view.", "reset split-one split-two split-four next-pane link-cameras share-limits chrome"},
    {"help.", "explain explain-next explain-previous errata keys"},
    {"flow.page-", "plane space chain bias optimisers"},
    {"flow.", "examples select-next add-point delete-point duplicate-point clear-overlays follow-guideline sampling "
              "sample-grid sample-ring sample-gauss time-back time-on chain-start-here chain-end-here chain-mirror"},
    {"flow.space.", "fit onto-surface perspective slice slice-here slice-next view-a view-e view-w"},
    {"weights.page-", "matrix wall charts compare sentence form mapping"},
    {"weights.", "sentence-mask sentence-restore sentence-continue sentence-stop sentence-strongest sentence-pair "
                 "sentence-take-out sentence-whole sentence-effects"},
    {"training.page-", "experiments curves structure matrices sequence update theory norms published"},
    {"training.", "start pause step-once rewind live sequence-hide sequence-show-all sequence-mask sequence-restore "
                  "sequence-continue sequence-stop sequence-strongest sequence-take-out sequence-whole sequence-effects norms-published norms-context "
                  "norms-alike"},
    {"training.card.", "encoder-decoder symmetric-start constraints linear-attention markov-start rank-one"},
    {"reversal.page-", "race gradients correlation ideal checkpoint tables routing"},
    {"reversal.", "start pause step-once rewind live routing-freeze-storage routing-freeze-routing ideal-violate"},
};

/// Pages of exhibits on which a press, a drag or a key changes only the picture. On the page Theory the end of a drag
/// also starts a run, which is discarded with the lesson.
constexpr Group kPictures[] = {
    {"flow.", "plane space chain bias optimisers"},
    {"weights.", "matrix wall charts sentence form mapping"},
    {"training.", "curves structure matrices sequence update norms theory"},
    {"reversal.", "race gradients correlation ideal routing"},
};
// clang-format on

template <class Take>
void eachEntry(const Group& group, std::string_view ending, const Take& take) {
  std::string_view words = group.words;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    take(std::string(group.prefix).append(words.substr(0, end)).append(ending));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

template <class Take>
void eachEntry(const Take& take) {
  for (const Group& group : kParameters)
    eachEntry(group, "", take);
  for (const Group& group : kCommands)
    eachEntry(group, "", take);
  for (const Group& group : kPictures)
    eachEntry(group, " picture", take);
}

const std::set<std::string, std::less<>>& all() {
  static const std::set<std::string, std::less<>> entries = [] {
    std::set<std::string, std::less<>> made;
    eachEntry([&made](std::string entry) { made.insert(std::move(entry)); });
    return made;
  }();
  return entries;
}

/// The key "flow@2.points[3].e" as it is declared: "flow.points[].e".
std::string declared(std::string_view key) {
  std::string made;
  for (std::size_t at = 0; at < key.size(); ++at) {
    const char open = key[at];
    if (open != '@') made += open;
    if (open != '@' && open != '[') continue;
    while (at + 1 < key.size() && key[at + 1] >= '0' && key[at + 1] <= '9')
      ++at;
  }
  return made;
}

}  // namespace

bool inLessons(std::string_view key) {
  return all().contains(declared(key));
}

bool pictureInLessons(std::string_view exhibit, const Document& document, const PropertyRegistry& registry) {
  const std::string page = registry.text(document, fmt::format("{}.page", exhibit));
  return all().contains(fmt::format("{}.{} picture", exhibit, page));
}

std::string beyondLessons(const Document& document, const PropertyRegistry& registry) {
  for (const Property& property : registry.properties()) {
    if (inLessons(property.key)) continue;
    const std::size_t list = property.key.find("[]");
    if (list == std::string::npos) {
      if (document.has(property.key) && registry.get(document, property.key) != property.fallback) return property.key;
      continue;
    }
    const std::size_t elements = document.list(property.key.substr(0, list)).size();
    for (std::size_t i = 0; i < elements; ++i) {
      std::string key = property.key;
      key.replace(list, 2, fmt::format("[{}]", i));
      if (document.has(key)) return key;
    }
  }
  return {};
}

std::vector<std::string> lessonList() {
  return {all().begin(), all().end()};
}

}  // namespace sepx::ui
