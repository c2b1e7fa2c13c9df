// SPDX-License-Identifier: Apache-2.0
// Sessions, and states as a line of text. An accepted state is the same after it is written and read again.
#include <string_view>

#include "tests/fuzz/look.h"
#include "ui/document/session.h"
#include "ui/document/state_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sepx;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (ui::isStateText(text)) {
    const auto state = ui::readStateText(text);
    if (!state) {
      fuzz::checkSentence(state.error());
    } else if (const auto line = ui::writeStateText(*state)) {
      if (const auto again = ui::readStateText(*line); !again || !(*again == *state))
        fuzz::finding("a state that changes", *line);
    }
    return 0;
  }
  const auto session = ui::parseSession(text);
  if (!session) {
    fuzz::checkSentence(session.error());
    return 0;
  }
  const std::string written = ui::sessionText(session->document);
  const auto again = ui::parseSession(written);
  if (!again || ui::sessionText(again->document) != written) fuzz::finding("a session that changes", written);
  return 0;
}
