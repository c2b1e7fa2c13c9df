// SPDX-License-Identifier: Apache-2.0
// A compute kernel of the present field, made when it is first wanted; and whether it or the CPU is faster here, which
// is measured once unless the person or a script has decided. Frame thread.
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
  /// Whether there is a kernel of `field` now. `aloud`: the person is told why there is none.
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

  /// Whether the device is to do the work.
  bool wanted(const ExhibitContext& context) const {
    if (!context.gpu || failed_ || context.compute == Compute::Cpu) return false;
    const bool faster = gpuCost && cpuCost && *gpuCost < *cpuCost;
    return context.compute == Compute::Gpu || (!context.scripted && !context.figure && faster);
  }
  /// Whether the device is still to be measured: nobody has decided, and the CPU was.
  bool unmeasured(const ExhibitContext& context) const {
    return context.gpu && context.compute == Compute::Auto && !context.scripted && !context.figure && !failed_ &&
           cpuCost && !gpuCost;
  }

  explicit operator bool() const { return kernel_ != nullptr; }
  Kernel* operator->() const { return kernel_.get(); }
  const std::string& device() const { return device_; }

  std::optional<double> cpuCost, gpuCost;  ///< of one pixel or particle, in one unit of time

 private:
  std::unique_ptr<Kernel> kernel_;
  FieldPointer field_;
  bool failed_ = false;
  std::string device_;
};

}  // namespace sepx::ui
