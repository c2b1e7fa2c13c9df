// SPDX-License-Identifier: Apache-2.0
// A workbench without a device shows every page once, and its content is recorded.
#include "tests/monkey/vocabulary.h"

#include <algorithm>
#include <utility>

#include "app/options.h"
#include "ui/canvas/theme.h"
#include "ui/workbench/workbench.h"

namespace sepx::monkey {

namespace {

constexpr gpu::Extent kRoomy{1280, 1600};  // large enough for all controls of a panel
constexpr int kFrames = 4;                 // until a page has drawn its controls
constexpr double kJobSeconds = 0.05;       // per frame, for jobs that the controls depend on

class Asked {
 public:
  Asked() : workbench_(app::workbenchOptions({}, true)) {}

  ui::Workbench& workbench() { return workbench_; }

  void frames() {
    for (int i = 0; i < kFrames; ++i) {
      workbench_.jobLanes().waitForPublications(kJobSeconds);
      ui::HostFrame host;
      host.seconds = static_cast<double>(drawn_++) / 60;
      workbench_.tick(kRoomy, host);
    }
  }

  PageWords page(const std::string& exhibit, const std::string& page) {
    static_cast<void>(workbench_.set("exhibit", exhibit));
    if (!page.empty()) static_cast<void>(workbench_.set(exhibit + ".page", page));
    frames();
    PageWords words{exhibit, page, {}, {}};
    const auto add = [&](const std::string& key) {
      if (workbench_.controlAt(key)) words.controls.push_back(key);
    };
    for (const ui::Property& property : workbench_.properties().properties()) {
      add(property.key);
      add(property.key + "#entry");
    }
    for (const ui::ReadOut& readOut : workbench_.properties().readOuts())
      add(readOut.key + "#explain");
    for (const ui::Workbench::Command& command : workbench_.commands()) {
      add(command.key);
      if (!command.shortcut.empty()) words.chords.push_back(command.shortcut);
    }
    return words;
  }

 private:
  ui::Workbench workbench_;
  std::uint64_t drawn_ = 0;
};

/// The declaration without its functions, which are destroyed with the workbench.
ui::Property plain(const ui::Property& property) {
  ui::Property words;
  words.key = property.key;
  words.kind = property.kind;
  words.min = property.min;
  words.max = property.max;
  words.step = property.step;
  words.choices = property.liveChoices ? property.liveChoices() : property.choices;
  words.fallback = property.fallback;
  words.file = property.file;
  words.color = property.color;
  return words;
}

std::vector<std::string> choicesOf(const ui::PropertyRegistry& registry, const std::string& key) {
  const auto found = registry.find(key);
  return found && found->property ? found->property->choices : std::vector<std::string>{};
}

}  // namespace

Vocabulary makeVocabulary(std::vector<std::string> files) {
  Asked asked;
  asked.frames();
  const ui::PropertyRegistry& registry = asked.workbench().properties();
  Vocabulary words{{}, {}, {}, ui::themeKeys(), std::move(files)};
  for (const ui::Property& property : registry.properties())
    words.parameters.push_back(plain(property));
  for (const ui::ReadOut& readOut : registry.readOuts())
    words.readOuts.push_back(readOut.key);
  for (const std::string& exhibit : choicesOf(registry, "exhibit")) {
    std::vector<std::string> pages = choicesOf(registry, exhibit + ".page");
    if (pages.empty()) pages.emplace_back();
    for (const std::string& page : pages)
      words.pages.push_back(asked.page(exhibit, page));
  }
  return words;
}

}  // namespace sepx::monkey
