// SPDX-License-Identifier: Apache-2.0
// The sole owner of a Vulkan object. Move-only. The destructor and move assignment pass the old object to the deletion
// queue, so that frames in flight may still use it. Nearly every Vulkan object of this program has such an owner. Frame
// thread.
#pragma once

#include <cstdint>
#include <utility>

#include "engine/gpu/context.h"
#include "engine/gpu/queue.h"

namespace sepx::gpu {

template <class T>
class Handle {
 public:
  using Destroy = void (*)(VkDevice, T, const VkAllocationCallbacks*);  ///< vkDestroy... of T

  Handle() = default;
  Handle(Context& context, T object, Destroy destroy) : context_(&context), object_(object), destroy_(destroy) {}
  Handle(Handle&& other) noexcept
      : context_(other.context_), object_(std::exchange(other.object_, T{})), destroy_(other.destroy_) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this == &other) return *this;
    release();
    context_ = other.context_;
    object_ = std::exchange(other.object_, T{});
    destroy_ = other.destroy_;
    return *this;
  }
  ~Handle() { release(); }

  T get() const { return object_; }
  explicit operator bool() const { return object_ != T{}; }
  void release() {  ///< destroys it later, when the device is done with it
    if (object_ == T{}) return;
    context_->queue().retire([device = context_->device(), object = std::exchange(object_, T{}), destroy = destroy_] {
      destroy(device, object, nullptr);
    });
  }

 private:
  Context* context_ = nullptr;
  T object_{};
  Destroy destroy_ = nullptr;
};

/// Converts a dispatchable or non-dispatchable handle to the number that VK_EXT_debug_utils expects, for Context::name.
template <class T>
std::uint64_t objectNumber(T object) {
  return reinterpret_cast<std::uint64_t>(object);
}

}  // namespace sepx::gpu
