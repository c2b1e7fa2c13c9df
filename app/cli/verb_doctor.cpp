// SPDX-License-Identifier: Apache-2.0
// sepx doctor: version, build, CPU level, Vulkan devices and features, fonts, what is degraded and why. Works without
// any of them, and says so with status 0.
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/machine.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"

namespace sepx::app::cli {
namespace {

const char* compilerName() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

Json deviceJson(const gpu::DeviceInfo& device) {
  Json json = Json::object();
  json["index"] = device.index;
  json["name"] = device.name;
  json["driver"] = device.driver;
  json["api"] = device.apiVersion;
  json["software"] = device.software;
  json["usable"] = device.usable;
  json["why"] = orNull(device.why);
  json["features"] = device.features;
  return json;
}

Json doctorJson(const Machine& machine) {
  Json json = beginDocument("doctor");
  json["version"] = versionNumber();
  json["build"] = Json::object({{"type", buildType()}, {"compiler", compilerName()}});
  json["cpu"] = Json::object({{"level", machine.cpuLevel}, {"threads", machine.threads}});
  Json devices = Json::array();
  for (const gpu::DeviceInfo& device : machine.devices)
    devices.push_back(deviceJson(device));
  json["vulkan"] = Json::object(
      {{"devices", devices}, {"chosen", orNull(machine.chosen)}, {"validation_layer", machine.validationLayer}});
  json["fonts"] = Json::object({{"regular", orNull(machine.font)}, {"bold", orNull(machine.boldFont)}});
  json["mpi"] = Json::object({{"built", !machine.mpi.empty()}, {"version", orNull(machine.mpi)}});
  json["lesson"] = orNull(machine.lesson);
  json["display"] = orNull(machine.display);
  json["degraded"] = Json::array();
  for (const Degraded& one : machine.degraded) {
    json["degraded"].push_back(Json::object({{"what", one.what}, {"why", one.why}, {"remedy", one.remedy}}));
  }
  return json;
}

void printTable(std::ostream& out, const Machine& machine) {
  const auto row = [&out](const char* name, const std::string& value) {
    out << fmt::format("{:<18}{}\n", *name != 0 ? tr(name) : "", value);  // tr("") is the catalogue header
  };
  const std::string none = tr(N_("none"));
  row(N_("version"), versionNumber());
  row(N_("build"), buildType() + ", " + compilerName());
  row(N_("CPU"), trf(N_("{}, {} threads"), machine.cpuLevel, machine.threads));
  if (machine.devices.empty()) row(N_("Vulkan device"), none);
  for (const gpu::DeviceInfo& device : machine.devices) {
    row(N_("Vulkan device"),
        fmt::format("{}: {} ({}, Vulkan {})", device.index, device.name, device.driver, device.apiVersion));
    if (!device.usable) row("", trf(N_("not usable: {}"), device.why));
    for (const std::string& feature : device.features)
      row("", feature);
  }
  row(N_("chosen"), machine.chosen.value_or(none));
  row(N_("validation layer"),
      machine.validationLayer ? tr(N_("installed")) : tr(N_("not installed; only tests need it")));
  row(N_("font"), machine.font.value_or(none));
  row(N_("MPI"), machine.mpi.empty() ? tr(N_("not built; install libopenmpi-dev and build again for sepx train --mpi"))
                                     : machine.mpi);
  row(N_("opening lesson"), machine.lesson.value_or(none));
  row(N_("display"), machine.display.value_or(none));
  if (machine.degraded.empty()) row(N_("degraded"), tr(N_("nothing")));
  for (const Degraded& one : machine.degraded) {
    row(N_("degraded"), one.what);
    row("", trf(N_("why: {}"), one.why));
    row("", trf(N_("remedy: {}"), one.remedy));
  }
}

class DoctorVerb final : public Verb {
 public:
  void declare(CLI::App& command) override { addJsonFlag(command, json_); }

  Result<Outcome> run(Console& console, const Options& common) override {
    const Machine machine = examineMachine(common);
    if (json_) {
      console.out << finishDocument(doctorJson(machine));
    } else {
      printTable(console.out, machine);
    }
    return Outcome::Done;
  }

 private:
  bool json_ = false;
};

}  // namespace

VerbEntry makeDoctor() {
  return {"doctor", N_("What this machine offers the program, what is degraded and why"),
          std::make_unique<DoctorVerb>()};
}

}  // namespace sepx::app::cli
