// SPDX-License-Identifier: Apache-2.0
// The trained figures in their quick form: where runs end, which setting shows a claim, the same numbers on any number
// of threads, what is refused.
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/markov/chain.h"
#include "engine/render/png.h"
#include "tests/app/cli/run_sepx.h"

using namespace sepx;
using namespace sepx::test;

namespace {

const Json& settingOf(const Json& document, const std::string& name) {
  const auto found = std::find_if(document["settings"].begin(), document["settings"].end(),
                                  [&name](const Json& setting) { return setting["name"] == name; });
  REQUIRE(found != document["settings"].end());
  return *found;
}

}  // namespace

TEST_CASE("Figure 4: the standard start ends at the unigram entropy, and the proposed one at the bigram entropy") {
  const Json json = commandJson({"reproduce", "local-to-global-figure-4", "--quick"});
  const markov::Chain chain{0.5, 0.8};
  CHECK(json["entropy"]["marginal"].get<double>() == Approx(chain.marginalEntropy()));
  CHECK(json["entropy"]["rate"].get<double>() == Approx(chain.entropyRate()));
  CHECK(json["passed"] == true);
  for (const char* name : {"adamw-d4", "sgd-d8"}) {
    const Json& setting = settingOf(json, name);
    CHECK(setting["judged"] == true);
    REQUIRE(setting["runs"].size() == 3);
    const std::vector<std::pair<std::string, std::string>> wanted{
        {"standard", "unigram"}, {"proposed-scalars", "bigram"}, {"proposed-literal", "bigram"}};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const Json& run = setting["runs"][i];
      INFO(name << " " << wanted[i].first);
      CHECK(run["start"] == wanted[i].first);
      CHECK(run["ends"] == wanted[i].second);
      CHECK(run["agrees"] == true);
      // The sequences are sampled, so the losses are near the entropies. The model and the true chain use the same
      // sequences.
      CHECK(run["unigram"].get<double>() == Approx(chain.marginalEntropy()).margin(0.02));
      CHECK(run["bigram"].get<double>() == Approx(chain.entropyRate()).margin(0.02));
      const double end = run[wanted[i].second].get<double>();
      CHECK(run["loss"].get<double>() == Approx(end).margin(0.1 * (chain.marginalEntropy() - chain.entropyRate())));
      CHECK(run["curve"]["step"].back() == setting["steps"]);
      CHECK(run["curve"]["loss"].back() == run["loss"]);
      CHECK(run["why_stopped"].is_null());
    }
  }
  for (const char* name : {"adamw-d8", "table-2"}) {
    const Json& setting = settingOf(json, name);
    CHECK(setting["judged"] == false);
    REQUIRE(setting["runs"].size() == 3);
    for (const Json& run : setting["runs"])
      CHECK(run["agrees"].is_null());  // quick: stopped long before the end
  }
  CHECK(json["checks"].size() == 6);
  CHECK(json["checks"][0]["passed"] == true);
}

TEST_CASE("Figures 3 and 6 give sigma1/sigma2 over the steps, and the setting that shows the claim", "[.][long]") {
  const Json gaussian = commandJson({"reproduce", "local-to-global-figure-3", "--quick", "--threads", "1"});
  CHECK(gaussian == commandJson({"reproduce", "local-to-global-figure-3", "--quick", "--threads", "2"}));
  const Json looked = commandJson({"reproduce", "local-to-global-figure-3", "--quick", "--seed", "1"});
  CHECK(gaussian != looked);
  CHECK(settingOf(gaussian, "released")["runs"][0]["seed"] == 3);
  for (const Json& check : looked["checks"]) {  // on a seed that set the bound
    CHECK(check["passed"].is_null());
    CHECK(check["why_not_judged"] == "the threshold was set on this seed");
  }
  REQUIRE(gaussian["settings"].size() == 7);
  CHECK(gaussian["shown_by"][0] == "released");
  CHECK(gaussian["checks"].size() == 3);
  // The printed setting; W_Q, W_K and the directions of the released setting; three matrices of three other chains.
  REQUIRE(gaussian["observations"].size() == 3 + 5 + 9);
  for (const Json& one : gaussian["observations"])
    CHECK(one["as_published"].is_null());  // quick: not the printed setting
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(gaussian["observations"][i]["value"].get<double>() < 3);
  CHECK(gaussian["passed"] == true);
  const Json &printed = settingOf(gaussian, "printed"), &released = settingOf(gaussian, "released");
  CHECK(printed["shows"] == false);
  CHECK(printed["sigma"] == 0.001);
  CHECK(released["sigma"] == 0.02);
  CHECK(released["runs"][0]["hypercube"].get<double>() > 0.8);
  CHECK(printed["runs"][0]["hypercube"].get<double>() < 0.5);
  for (const char* name : {"W_1", "W_2", "W_O W_V", "W_Q", "W_K"})
    CHECK(released["runs"][0]["alignment"][name].get<double>() > 0.9);
  for (const char* name : {"W_1", "W_V", "W_2", "W_O W_V"}) {
    const Json& ratios = released["runs"][0]["ratios"][name];
    CHECK(ratios.size() == released["runs"][0]["ratios"]["step"].size());
    CHECK(ratios.front().get<double>() < 2);
    CHECK(ratios.back().get<double>() >= 3);
    CHECK(printed["runs"][0]["ratios"][name].back().get<double>() < 3);
  }
  const Json rankOne = commandJson({"reproduce", "local-to-global-figure-6", "--quick"});
  for (const Json& setting : rankOne["settings"]) {
    CHECK(setting["runs"][0]["start"] == "rank-one");
    for (const char* name : {"W_1", "W_V", "W_2"})
      CHECK(setting["runs"][0]["ratios"][name].front().get<double>() > 1e5);
  }
  CHECK(rankOne["settings"].size() == 7);
  CHECK(rankOne["observations"].size() == 2);
  CHECK(rankOne["checks"].size() == 3);
}

TEST_CASE("A trained figure has a picture and a text with its result") {
  const Folder folder;
  const std::string path = folder.path("figure.png");
  const Ran ran = command({"reproduce", "local-to-global-figure-3", "--quick", "--out", path, "--size", "640x400"});
  CHECK(ran.status == 0);
  CHECK(ran.out.find("W_1, W_2 and W_O W_V end with sigma1/sigma2 of at least 3.") != std::string::npos);
  CHECK(ran.out.find("seeds 0, 1 and 2") != std::string::npos);
  CHECK(ran.out.find("a quick run has fewer steps") != std::string::npos);
  CHECK(ran.out.find("W_1 1 of 1, W_2 1 of 1, W_O W_V 1 of 1") != std::string::npos);
  CHECK(ran.out.find("W_1 0 of 1, W_2 0 of 1, W_O W_V 0 of 1") != std::string::npos);
  const auto picture = render::readPng(path);
  REQUIRE(picture);
  CHECK(picture->extent == gpu::Extent{640, 400});
  CHECK(command({"reproduce", "local-to-global-figure-3", "--quick", "--out", folder.path("figure.gif")}).status == 2);
  CHECK(command({"reproduce", "local-to-global-figure-3", "checkpoint"}).status == 2);
}
