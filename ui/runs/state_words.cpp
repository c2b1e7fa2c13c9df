// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/state_words.h"

#include <algorithm>
#include <iterator>

#include "ui/properties/tr_format.h"

namespace sepx::ui {

std::string stateWords(std::string_view state) {
  static constexpr const char* kWords[] = {N_("preparing"), N_("running"), N_("paused"),
                                           N_("finished"),  N_("stopped"), N_("failed")};
  const auto found = std::find(std::begin(kWords), std::end(kWords), state);
  return found == std::end(kWords) ? std::string(state) : std::string(tr(*found));
}

std::string preparingWords(const train::Snapshot& live) {
  if (!live.prepared) return tr("The data are being prepared…");
  return trFormat("The data are being read: {:.0f} %", 100 * *live.prepared);
}

}  // namespace sepx::ui
