// SPDX-License-Identifier: Apache-2.0
// sepx doctor: version, build, CPU level, Vulkan devices and features, fonts, what is degraded and why. If any of them
// is missing, it reports this with status 0.
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/machine.h"
#include "app/machine_text.h"
#include "engine/mpi/mpi_session.h"

namespace sepx::app::cli {
namespace {

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
  json["mpi"] = Json::object({{"built", !machine.mpi->empty()}, {"version", orNull(*machine.mpi)}});
  json["lesson"] = orNull(machine.lesson);
  json["display"] = orNull(machine.display);
  json["degraded"] = Json::array();
  for (const Degraded& one : machine.degraded) {
    json["degraded"].push_back(Json::object({{"what", one.what}, {"why", one.why}, {"remedy", one.remedy}}));
  }
  return json;
}

class DoctorVerb final : public Verb {
 public:
  void declare(CLI::App& command) override { addJsonFlag(command, json_); }

  Result<Outcome> run(Console& console, const Options& common) override {
    Machine machine = examineMachine(common);
    machine.mpi = mpi::version();
    if (json_) {
      console.out << finishDocument(doctorJson(machine));
    } else {
      console.out << machineText(machine);
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
