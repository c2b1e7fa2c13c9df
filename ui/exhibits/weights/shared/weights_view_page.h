// SPDX-License-Identifier: Apache-2.0
// A page of Weights that says what is shown as data (ui/views/page_of_views.h). Frame thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/views/page_of_views.h"

namespace sepx::ui {

class WeightsViewPage : public PageOfViews<WeightsPage> {
 public:
  void read(const Document&, const PropertyRegistry&, const WeightsShared&) override { ++documents_; }
  void update(const PageFrame& frame, ExhibitContext& context) final { updateViews(frame, context); }
  void scene(const PageFrame& frame, std::vector<render::Layer>& into) final { drawViews(frame, into); }
  Cursor input(const PageFrame& frame, ExhibitContext& context, const InputEvent& event) final {
    return inputViews(frame, context, event);
  }

 protected:
  using PageOfViews::PageOfViews;

  std::uint64_t madeOf(const PageFrame& frame) const override {
    const WeightsShared& shared = frame.shared;
    const WeightsState& state = shared.state;
    return Digest()
        .add(frameKey(frame), documents_, state.stack, state.layer, state.head, shared.failure, shared.factorsFailure,
             shared.modelRevision, shared.factorsRevision, shared.boardRevision)
        .value();
  }

 private:
  std::uint64_t documents_ = 0;
};

}  // namespace sepx::ui
