// SPDX-License-Identifier: Apache-2.0
// A page of Flow that says what is shown as data (ui/views/page_of_views.h). Frame thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/views/page_of_views.h"

namespace sepx::ui {

class FlowViewPage : public PageOfViews<FlowPage> {
 public:
  void read(const Document&, const PropertyRegistry&, const FlowShared&) override { ++documents_; }
  void update(const FlowPageFrame& frame, ExhibitContext& context) override { updateViews(frame, context); }
  void scene(const FlowPageFrame& frame, std::vector<render::Layer>& into) final { drawViews(frame, into); }
  Cursor input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) override {
    return inputViews(frame, context, event);
  }

 protected:
  using PageOfViews::PageOfViews;

  std::uint64_t madeOf(const FlowPageFrame& frame) const override {
    return Digest().add(frameKey(frame), frame.compact, documents_).value();
  }
  std::uint64_t documents() const { return documents_; }  ///< how many were read

 private:
  std::uint64_t documents_ = 0;
};

}  // namespace sepx::ui
