// SPDX-License-Identifier: Apache-2.0
// The choice of a device, the validation of mistakes, and handles that are destroyed late. Invented devices stand for
// other machines.
#include "engine/gpu/context.h"

#include <cstdlib>

#include "engine/gpu/buffer.h"
#include "engine/gpu/device_choice.h"
#include "tests/engine/gpu/gpu_test.h"

namespace sepx::gpu {

namespace {

PhysicalDevice device(int index, const std::string& name, VkPhysicalDeviceType type, const std::string& why = {}) {
  PhysicalDevice result;
  result.type = type;
  result.info = {.index = index,
                 .name = name,
                 .driver = {},
                 .apiVersion = {},
                 .software = type == VK_PHYSICAL_DEVICE_TYPE_CPU,
                 .usable = why.empty(),
                 .why = why,
                 .features = {}};
  return result;
}

const std::vector<PhysicalDevice> kMachine{
    device(0, "llvmpipe (LLVM 15)", VK_PHYSICAL_DEVICE_TYPE_CPU),
    device(1, "Old Card", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, "its driver is older than Vulkan 1.3"),
    device(2, "Intel Iris", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU),
    device(3, "Radeon RX", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU),
};

}  // namespace

TEST_CASE("A GPU is preferred to a software driver, and a usable device to a better but unusable one") {
  CHECK(chooseDevice(kMachine, "") == 3u);
  CHECK(chooseDevice({kMachine[0], kMachine[2]}, "") == 1u);
  CHECK(chooseDevice({kMachine[0], kMachine[1]}, "") == 0u);
}

TEST_CASE("A device is chosen by index or by part of its name") {
  CHECK(chooseDevice(kMachine, "0") == 0u);
  CHECK(chooseDevice(kMachine, "RADEON") == 3u);
  CHECK(chooseDevice(kMachine, "pipe") == 0u);
  for (const std::string wanted : {"7", "-1", "nvidia", "0x", "99999999999999999999999"}) {
    const auto chosen = chooseDevice(kMachine, wanted);
    REQUIRE_FALSE(chosen);
    CHECK(chosen.error().kind == ErrorKind::Usage);
    CHECK(chosen.error().message.find("Intel Iris") != std::string::npos);  // the message lists the devices
  }
  const auto unusable = chooseDevice(kMachine, "1");
  REQUIRE_FALSE(unusable);
  CHECK(unusable.error().kind == ErrorKind::NoDevice);
  CHECK(unusable.error().message.find("older than Vulkan 1.3") != std::string::npos);
}

TEST_CASE("Without a usable device the message says what to install") {
  for (const auto& devices : {std::vector<PhysicalDevice>{}, std::vector<PhysicalDevice>{kMachine[1]}}) {
    const auto chosen = chooseDevice(devices, "");
    REQUIRE_FALSE(chosen);
    CHECK(chosen.error().kind == ErrorKind::NoDevice);
    CHECK(chosen.error().message.find("apt install mesa-vulkan-drivers") != std::string::npos);
  }
}

TEST_CASE("The devices of this machine are listed, and the chosen one is among them") {
  const auto devices = Context::enumerate();
  REQUIRE_FALSE(devices.empty());
  const auto context = makeContext();
  const DeviceInfo& info = context->info();
  CHECK(info.usable);
  REQUIRE(info.index < static_cast<int>(devices.size()));
  CHECK(devices[static_cast<std::size_t>(info.index)].name == info.name);
  requireClean(*context);
  const auto unknown = Context::create({.device = "no such card"});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().kind == ErrorKind::Usage);
}

TEST_CASE("A machine without a Vulkan driver gets an error message instead of a crash") {
  for (const char* variable : {"VK_ICD_FILENAMES", "VK_DRIVER_FILES"})
    setenv(variable, "/nowhere.json", 1);
  const auto context = Context::create({});
  const auto devices = Context::enumerate();
  for (const char* variable : {"VK_ICD_FILENAMES", "VK_DRIVER_FILES"})
    unsetenv(variable);
  REQUIRE_FALSE(context);
  CHECK(context.error().kind == ErrorKind::NoDevice);
  CHECK(context.error().message.find("apt install mesa-vulkan-drivers") != std::string::npos);
  CHECK(devices.empty());
}

TEST_CASE("A deliberate mistake is reported by validation", "[guard]") {
  const auto context = makeContext();
  requireClean(*context);
  Buffer buffer(
      *context,
      {.size = 64, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT, .memory = MemoryUse::Upload, .name = "guarded"});
  const VkCommandBuffer commands = context->queue().begin();
  vkCmdFillBuffer(commands, buffer.get(), 0, 64, 0);  // the buffer lacks TRANSFER_DST
  context->queue().discard(commands);
  REQUIRE_FALSE(context->validationMessages().empty());
  CHECK(context->validationMessages().front().find("guarded") != std::string::npos);  // messages contain object names
}

TEST_CASE("A missing barrier is reported by validation", "[guard]") {
  const auto context = makeContext();
  Buffer buffer(*context,
                {.size = 64, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT, .memory = MemoryUse::Gpu, .name = "raced"});
  Queue& queue = context->queue();
  const VkCommandBuffer commands = queue.begin();
  vkCmdFillBuffer(commands, buffer.get(), 0, 64, 0);
  vkCmdFillBuffer(commands, buffer.get(), 0, 64, 1);
  queue.wait(queue.submit(commands));
  REQUIRE_FALSE(context->validationMessages().empty());
  CHECK(context->validationMessages().front().find("SYNC-HAZARD") != std::string::npos);
}

TEST_CASE("A buffer destroyed during use lives until the device has finished with it") {
  const auto context = makeContext();
  Queue& queue = context->queue();
  const VkDeviceSize before = context->memory().used();
  const VkCommandBuffer commands = queue.begin();
  {
    Buffer buffer(
        *context,
        {.size = 4096, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT, .memory = MemoryUse::Gpu, .name = "short-lived"});
    vkCmdFillBuffer(commands, buffer.get(), 0, 4096, 7);
    Buffer moved = std::move(buffer);
    CHECK_FALSE(buffer);
    CHECK(moved);
  }
  CHECK(context->deletions().size() > 0);
  const VkDeviceSize during = context->memory().used();
  CHECK(during > before);
  // Another submission in between must not free it, because the first recording is still open.
  queue.wait(queue.submit(queue.begin()));
  CHECK(context->memory().used() == during);
  queue.wait(queue.submit(commands));
  context->waitIdle();
  CHECK(context->memory().used() == before);
  CHECK(context->deletions().size() == 0);
  requireClean(*context);
}

TEST_CASE("A thousand small buffers need few memory blocks") {
  const auto context = makeContext();
  {
    std::vector<Buffer> buffers;
    for (int i = 0; i < 1000; ++i) {
      buffers.emplace_back(*context, BufferOptions{.size = static_cast<VkDeviceSize>(1 + i * 3),
                                                   .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                                   .memory = MemoryUse::Upload,
                                                   .name = "small"});
      REQUIRE(buffers.back().mapped());
      buffers.back().mapped()[i * 3] = std::byte{1};
    }
    CHECK(context->memory().blocks() <= 2);
  }
  context->waitIdle();
  CHECK(context->memory().used() == 0);
  requireClean(*context);
}

TEST_CASE("After device loss submissions do nothing and waiting returns") {
  const auto context = makeContext();
  Queue& queue = context->queue();
  const std::uint64_t value = queue.submit(queue.begin());
  context->markLost();
  CHECK(queue.submit(queue.begin()) == value);
  queue.wait(value + 100);  // this value would never be reached
  CHECK(context->lost());
  requireClean(*context);
}

}  // namespace sepx::gpu
