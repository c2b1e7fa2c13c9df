// SPDX-License-Identifier: Apache-2.0
// A swapchain on a real X window: frames, capture, resizing, minimising, hiding, a new surface and a lost surface. The
// tests need a display. They are hidden and run as the test `test_gpu_windows` under an X server of its own.
#include "engine/gpu/swapchain_target.h"

#include <vulkan/vulkan.h>
#include <xcb/xcb.h>

#include <vulkan/vulkan_xcb.h>

#include "engine/gpu/frame.h"
#include "engine/gpu/image.h"
#include "tests/engine/gpu/gpu_test.h"

namespace sepx::gpu {

namespace {

/// A plain X window with a surface, which is destroyed with it.
class Window {
 public:
  Window(Context& context, std::uint16_t width, std::uint16_t height)
      : context_(context), connection_(xcb_connect(nullptr, nullptr)) {
    REQUIRE(xcb_connection_has_error(connection_) == 0);  // without a display: run it with tests/hosts/with_display
    window_ = xcb_generate_id(connection_);
    xcb_create_window(connection_, XCB_COPY_FROM_PARENT, window_, screen()->root, 0, 0, width, height, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen()->root_visual, 0, nullptr);
    xcb_map_window(connection_, window_);
    settle();
    VkXcbSurfaceCreateInfoKHR info{VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR};
    info.connection = connection_;
    info.window = window_;
    const auto create =
        reinterpret_cast<PFN_vkCreateXcbSurfaceKHR>(vkGetInstanceProcAddr(context.instance(), "vkCreateXcbSurfaceKHR"));
    REQUIRE(create(context.instance(), &info, nullptr, &surface_) == VK_SUCCESS);
  }
  ~Window() {
    vkDestroySurfaceKHR(context_.instance(), surface_, nullptr);
    xcb_disconnect(connection_);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  VkSurfaceKHR surface() const { return surface_; }
  Extent extent() const {
    if (minimised) return {};
    xcb_get_geometry_reply_t* reply =
        xcb_get_geometry_reply(connection_, xcb_get_geometry(connection_, window_), nullptr);
    if (!reply) return {1, 1};  // the window is closed, and the host does not know it yet
    const Extent extent{reply->width, reply->height};
    std::free(reply);
    return extent;
  }
  void resize(std::uint32_t width, std::uint32_t height) {
    const std::uint32_t values[]{width, height};
    xcb_configure_window(connection_, window_, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, values);
    settle();
  }
  void show(bool shown) {
    shown ? xcb_map_window(connection_, window_) : xcb_unmap_window(connection_, window_);
    settle();
  }
  void destroy() {
    xcb_destroy_window(connection_, window_);
    settle();
  }
  bool minimised = false;

 private:
  xcb_screen_t* screen() const { return xcb_setup_roots_iterator(xcb_get_setup(connection_)).data; }
  /// Waits until the server has processed all requests.
  void settle() const { std::free(xcb_get_input_focus_reply(connection_, xcb_get_input_focus(connection_), nullptr)); }

  Context& context_;
  xcb_connection_t* connection_;
  xcb_window_t window_ = 0;
  VkSurfaceKHR surface_ = VK_NULL_HANDLE;
};

std::unique_ptr<SwapchainTarget> makeTarget(Context& context, const Window& window) {
  auto target = SwapchainTarget::create(context, window.surface(), [&window] { return window.extent(); });
  if (!target) FAIL(target.error().message);
  return std::move(*target);
}

TargetStatus draw(FrameTarget& target, float red) {
  Frame frame;
  if (const TargetStatus status = target.begin(frame); status != TargetStatus::Ready) return status;
  beginRenderPass(target.context(), frame.commands, frame.framebuffer, frame.extent,
                  VkClearColorValue{{red, 0.4f, 0, 1}});
  vkCmdEndRenderPass(frame.commands);
  return target.end();
}

}  // namespace

TEST_CASE("Frames follow the window when it is resized, hidden and minimised", "[.][window]") {
  const auto context = makeContext(true);
  Window window(*context, 320, 200);
  const auto target = makeTarget(*context, window);
  CHECK(target->extent() == Extent{320, 200});  // known before the first frame
  for (int i = 0; i < 8; ++i)
    CHECK(draw(*target, 1) == TargetStatus::Ready);
  for (const Extent extent : {Extent{400, 300}, Extent{1, 1}, Extent{33, 700}}) {
    window.resize(extent.width, extent.height);
    CHECK(target->extent() == extent);
    for (int i = 0; i < 3; ++i)
      CHECK(draw(*target, 0.5f) == TargetStatus::Ready);
    CHECK(target->extent() == extent);
  }
  window.minimised = true;
  CHECK(target->extent() == Extent{0, 0});
  CHECK(draw(*target, 1) == TargetStatus::NotReady);
  window.minimised = false;
  window.show(false);
  for (int i = 0; i < 3; ++i)
    CHECK(draw(*target, 1) != TargetStatus::Lost);
  window.show(true);
  target->invalidate();
  CHECK(draw(*target, 1) == TargetStatus::Ready);
  requireClean(*context);
}

TEST_CASE("A capture is the picture of the next frame", "[.][window]") {
  const auto context = makeContext(true);
  Window window(*context, 64, 48);
  const auto target = makeTarget(*context, window);
  CHECK_FALSE(target->capture());
  REQUIRE(draw(*target, 0) == TargetStatus::Ready);
  target->requestCapture();
  CHECK_FALSE(target->capture());  // requested, but no frame was drawn since
  REQUIRE(draw(*target, 1) == TargetStatus::Ready);
  const auto pixels = target->capture();
  REQUIRE(pixels);
  CHECK(pixels->extent == Extent{64, 48});
  for (std::size_t i = 0; i < pixels->rgba.size(); i += 4) {
    REQUIRE(pixels->rgba[i] == 255);
    REQUIRE(pixels->rgba[i + 1] == 102);
    REQUIRE(pixels->rgba[i + 2] == 0);
    REQUIRE(pixels->rgba[i + 3] == 255);
  }
  requireClean(*context);
}

TEST_CASE("The surface may be replaced, and its loss is reported", "[.][window]") {
  const auto context = makeContext(true);
  auto first = std::make_unique<Window>(*context, 100, 100);
  Window second(*context, 120, 90);
  const Window* shown = first.get();
  auto made = SwapchainTarget::create(*context, first->surface(), [&shown] { return shown->extent(); });
  REQUIRE(made);
  SwapchainTarget& target = **made;
  REQUIRE(draw(target, 1) == TargetStatus::Ready);
  target.release();
  CHECK(draw(target, 1) == TargetStatus::NotReady);
  shown = &second;
  first.reset();
  target.setSurface(second.surface());
  CHECK(draw(target, 1) == TargetStatus::Ready);
  CHECK(target.extent() == Extent{120, 90});
  second.destroy();  // the window is destroyed while the target uses it
  TargetStatus status = TargetStatus::Ready;
  for (int i = 0; i < 5 && status != TargetStatus::Lost; ++i)
    status = draw(target, 1);
  CHECK(status == TargetStatus::Lost);
  CHECK_FALSE(context->lost());  // only the surface is lost, not the device
  requireClean(*context);
}

TEST_CASE("A target may be destroyed in the middle of a frame, and the next target draws", "[.][window]") {
  const auto context = makeContext(true);
  Window window(*context, 100, 100);
  auto target = makeTarget(*context, window);
  REQUIRE(draw(*target, 1) == TargetStatus::Ready);
  Frame frame;
  REQUIRE(target->begin(frame) == TargetStatus::Ready);
  target.reset();
  CHECK_FALSE(context->queue().frameOpen());
  target = makeTarget(*context, window);
  CHECK(draw(*target, 1) == TargetStatus::Ready);
  requireClean(*context);
}

TEST_CASE("After device loss the target of a window returns Lost", "[.][window]") {
  const auto context = makeContext(true);
  Window window(*context, 100, 100);
  const auto target = makeTarget(*context, window);
  Frame frame;
  REQUIRE(target->begin(frame) == TargetStatus::Ready);
  context->markLost();
  CHECK(target->end() == TargetStatus::Lost);
  CHECK(target->begin(frame) == TargetStatus::Lost);
  CHECK_FALSE(target->capture());
  requireClean(*context);
}

}  // namespace sepx::gpu
