// SPDX-License-Identifier: Apache-2.0
// Two screens: describes what this window shows as a value, and shows such a value of another window.
#include <utility>

#include "engine/core/log.h"
#include "engine/core/try.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"
#include "ui/workbench/language_choice.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {

Presented Workbench::Impl::presented() {
  Presented now;
  now.document = window.history.present();
  now.seed = window.options.seed;
  if (const Lesson* const open = lesson.lesson()) {
    now.lesson = open->name;
    now.step = lesson.step();
    now.answers = lesson.answers();
  }
  now.startPage = start.shown();
  now.code = stateSheet.shown();
  now.language = language();
  if (ownsRuns) now.live = window.options.runs->live();
  now.playing = panes.active().exhibit().playing().value_or(false);
  if (window.framed && !start.shown()) {
    if (const auto hand = lesson.pointer()) {
      now.pointer = places.placeOf({hand->x / window.scale, hand->y / window.scale});
    } else if (router.pointerPane() > 0) {
      const ImVec2 mouse = ImGui::GetIO().MousePos;
      now.pointer = places.placeOf({mouse.x, mouse.y});
    }
  }
  return presenter.presented(std::move(now));
}

Result<void> Workbench::Impl::follow(const Presented& presented, const std::shared_ptr<const Lesson>& shownLesson) {
  if (!presented.document.sharesAll(followed)) {
    SEPX_TRY(panes.check(presented.document));
    followed = presented.document;
    window.options.seed = presented.seed;
    window.history.replace(followed);
  }
  followLanguage(presented.language);
  if (ownsRuns) window.options.runs->follow(presented.live);
  lesson.show(shownLesson, presented.step, presented.answers);
  if (shownLesson) files.restrictRunData();
  const std::optional<bool> plays = panes.active().exhibit().playing();
  if (plays && *plays != presented.playing && !presented.startPage) {
    ExhibitContext now = panes.context(panes.activeNumber());
    static_cast<void>(panes.active().exhibit().run(now, "play.toggle"));  // a page that cannot play stays as it is
  }
  follower.show(presented);
  stateSheet.show(presented.code);
  window.redraw(2);
  return {};
}

/// A language that the program or its typefaces do not support leaves the current one unchanged.
void Workbench::Impl::followLanguage(const std::string& wanted) {
  if (wanted.empty() || std::exchange(languageFollowed, wanted) == wanted || wanted == language()) return;
  if (const auto done = useLanguage(wanted); !done) spdlog::warn("{}", done.error().message);
}

/// Whether anything that the two screens show moves by itself.
bool Workbench::Impl::followsMoves() {
  return presenter.moving() || (window.options.follows && follower.moving());
}

/// Enlarges the scenes and ImGui's picture, except for the foreground. A blank stage shows only black. Returns the
/// background colour.
render::Color Workbench::Impl::magnify(std::vector<render::PlacedScene>& placed, float& pixelsPerPoint,
                                       render::Color ground) {
  if (follower.blank()) {
    placed.clear();
    ImGui::GetDrawData()->CmdListsCount = 0;
    return {0, 0, 0, 1};
  }
  if (!follower.any()) {
    placed.clear();
    for (int i = 0; i < ImGui::GetDrawData()->CmdListsCount; ++i)
      if (ImDrawList* const list = ImGui::GetDrawData()->CmdLists[i]; list != ImGui::GetForegroundDrawList())
        list->_ResetForNewFrame();
    return window.theme->background;
  }
  const Magnified magnified = follower.magnified();
  if (magnified == Magnified{}) return ground;
  for (render::PlacedScene& scene : placed) {
    scene.origin.x -= magnified.from.x;
    scene.origin.y -= magnified.from.y;
  }
  pixelsPerPoint *= static_cast<float>(magnified.factor);
  const auto moved = [&magnified](float x, float y) {
    const render::Point at = magnified({x, y});
    return ImVec2(static_cast<float>(at.x), static_cast<float>(at.y));
  };
  const ImDrawList* const front = ImGui::GetForegroundDrawList();
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    ImDrawList& list = *data.CmdLists[i];
    if (&list == front) continue;
    for (ImDrawVert& corner : list.VtxBuffer)
      corner.pos = moved(corner.pos.x, corner.pos.y);
    for (ImDrawCmd& command : list.CmdBuffer) {
      const ImVec2 min = moved(command.ClipRect.x, command.ClipRect.y);
      const ImVec2 max = moved(command.ClipRect.z, command.ClipRect.w);
      command.ClipRect = ImVec4(min.x, min.y, max.x, max.y);
    }
  }
  return ground;
}

Presented Workbench::presented() const {
  impl_->imgui.makeCurrent();
  return impl_->presented();
}

Result<void> Workbench::follow(const Presented& presented, std::shared_ptr<const Lesson> lesson) {
  impl_->imgui.makeCurrent();
  return impl_->follow(presented, lesson);
}

Presenter& Workbench::presenter() {
  return impl_->presenter;
}
const Presenter& Workbench::presenter() const {
  return impl_->presenter;
}

void Workbench::setQuietSentence(std::string sentence) {
  if (sentence == impl_->follower.quietSentence()) return;
  impl_->follower.setQuietSentence(std::move(sentence));
  impl_->window.redraw();
}

}  // namespace sepx::ui
