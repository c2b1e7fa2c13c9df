// SPDX-License-Identifier: Apache-2.0
// A compute kernel for the current field, created on first use, and the choice between this kernel and the CPU. Unless
// the user or a script has chosen the device, both are measured once and the faster one is used. Frame thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/gpu/device_name.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/page/exhibit_context.h"

namespace sepx::ui {

template <class Kernel>
class FieldKernel {
 public:
  /// Creates the kernel for `field` if necessary and returns whether there is one. `aloud`: an error is shown to the
  /// user.
  bool make(const FieldPointer& field, ExhibitContext& context, bool aloud) {
    if (field_ != field) {
      kernel_.reset();
      failed_ = false;
      field_ = field;
    }
    if (kernel_ || failed_) return kernel_ != nullptr;
    Result<std::unique_ptr<Kernel>> made = Kernel::create(*context.gpu, *field);
    failed_ = !made;
    if (made)
      kernel_ = std::move(*made);
    else if (aloud)
      context.editor.say(made.error().message);
    device_ = gpu::deviceName(*context.gpu);
    return kernel_ != nullptr;
  }
  void release() {
    kernel_.reset();
    field_ = nullptr;
    failed_ = false;
    gpuCost.reset();
  }
  void setFailed() { failed_ = true; }
  bool isOf(const FieldPointer& field) const { return field_ == field; }

  /// Whether the GPU should do the work.
  bool wanted(const ExhibitContext& context) const {
    if (!context.gpu || failed_ || context.compute == Compute::Cpu) return false;
    const bool faster = gpuCost && cpuCost && *gpuCost < *cpuCost;
    return context.compute == Compute::Gpu || (!context.scripted && !context.figure && faster);
  }
  /// Whether the GPU still has to be measured: no device was chosen, and the CPU has been measured.
  bool unmeasured(const ExhibitContext& context) const {
    return context.gpu && context.compute == Compute::Auto && !context.scripted && !context.figure && !failed_ &&
           cpuCost && !gpuCost;
  }

  explicit operator bool() const { return kernel_ != nullptr; }
  Kernel* operator->() const { return kernel_.get(); }
  const std::string& device() const { return device_; }

  std::optional<double> cpuCost, gpuCost;  ///< time per pixel or particle, both in the same unit

 private:
  std::unique_ptr<Kernel> kernel_;
  FieldPointer field_;
  bool failed_ = false;
  std::string device_;
};

}  // namespace sepx::ui
