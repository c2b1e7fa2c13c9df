// SPDX-License-Identifier: Apache-2.0
// See machine.h.
#include "app/machine.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <vulkan/vulkan.h>

#include "app/data_files.h"
#include "engine/render/font.h"
#include "ui/properties/formula_font.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::app {
namespace {

std::string cpuLevel() {
#if defined(__x86_64__) && defined(__clang__)  // clang does not know the level names: test the usual features
  const bool two =
      __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  const bool three = two && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                     __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
  const bool four = three && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
  return four ? "x86-64-v4" : three ? "x86-64-v3" : two ? "x86-64-v2" : "x86-64";
#elif defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4")) return "x86-64-v4";
  if (__builtin_cpu_supports("x86-64-v3")) return "x86-64-v3";
  if (__builtin_cpu_supports("x86-64-v2")) return "x86-64-v2";
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "unknown";
#endif
}

bool hasValidationLayer() {
  std::uint32_t count = 0;
  if (vkEnumerateInstanceLayerProperties(&count, nullptr) != VK_SUCCESS) return false;
  std::vector<VkLayerProperties> layers(count);
  if (vkEnumerateInstanceLayerProperties(&count, layers.data()) != VK_SUCCESS) return false;
  return std::any_of(layers.begin(), layers.end(), [](const VkLayerProperties& layer) {
    return std::strcmp(layer.layerName, "VK_LAYER_KHRONOS_validation") == 0;
  });
}

std::optional<std::string> displayName() {
  const auto set = [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
  if (const auto wayland = set("WAYLAND_DISPLAY")) return "wayland " + *wayland;
  if (const auto x11 = set("DISPLAY")) return "x11 " + *x11;
  return std::nullopt;
}

void examineVulkan(Machine& machine, const Options& common) {
  machine.devices = gpu::Context::enumerate();
  machine.validationLayer = hasValidationLayer();
  const auto context = gpu::Context::create(contextOptions(common, false));
  if (!context) {
    machine.degraded.push_back(
        {ui::tr("no pictures: play, render, the studio and the stage need Vulkan; the other verbs work"),
         context.error().message, ui::tr("apt install mesa-vulkan-drivers")});
    return;
  }
  machine.chosen = (*context)->info().name;
  if ((*context)->info().software) {
    machine.degraded.push_back(
        {ui::tr(
             "pictures and kernels run on the CPU: this is slower, and the frame rate says nothing about a graphics card"),
         ui::trFormat("{} is a software driver", *machine.chosen),
         ui::tr("install the Vulkan driver of the graphics card, if there is one")});
  }
}

void examineFont(Machine& machine) {
  const auto &regular = render::fontFiles(), &bold = render::fontFiles(true);
  if (regular) machine.font = regular->front().path;
  if (bold) machine.boldFont = bold->front().path;
  if (!regular) {
    machine.degraded.push_back(
        {ui::tr("text in pictures"), regular.error().message, ui::tr("apt install fonts-open-sans fonts-dejavu-core")});
  } else if (!std::ranges::all_of(std::array{"Open Sans", "DejaVu Sans"}, [&](const char* family) {
               return std::ranges::any_of(*regular, [&](const auto& file) { return file.family == family; });
             })) {
    machine.degraded.push_back({ui::trFormat("text in pictures is set only in {}", regular->front().family),
                                ui::tr("Open Sans or DejaVu Sans is not installed"),
                                ui::tr("apt install fonts-open-sans fonts-dejavu-core")});
  }
  if (regular && !ui::languageCharacters().empty() && !std::ranges::any_of(*regular, &render::FontFile::large)) {
    machine.degraded.push_back({ui::tr("Chinese in pictures and in the studio"),
                                ui::tr("no typeface with Chinese characters is installed"),
                                ui::tr("apt install fonts-noto-cjk")});
  }
  if (const Result<ui::FormulaFont>& formulas = ui::FormulaFont::shared(); !formulas) {
    machine.degraded.push_back({ui::tr("formulas are shown as plain text"), formulas.error().message,
                                ui::tr("apt install fonts-dejavu-extra")});
  }
}

}  // namespace

Machine examineMachine(const Options& common) {
  Machine machine;
  machine.cpuLevel = cpuLevel();
  machine.threads =
      common.threads > 0 ? common.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  examineVulkan(machine, common);
  examineFont(machine);
  if (const Result<std::string> lesson = openingLesson()) {
    machine.lesson = *lesson;
  } else {
    machine.degraded.push_back(
        {ui::tr("lessons"), lesson.error().message, ui::tr("reinstall the program, or set SEPX_DATA_DIR to its data")});
  }
  machine.display = displayName();
  if (!machine.display) {
    machine.degraded.push_back({ui::tr("no windows: the studio and the stage need a display"),
                                ui::tr("neither WAYLAND_DISPLAY nor DISPLAY is set"),
                                ui::tr("log in to a desktop, or use sepx play and sepx render")});
  }
  return machine;
}

}  // namespace sepx::app
