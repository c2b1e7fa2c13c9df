// SPDX-License-Identifier: Apache-2.0
// Live values of runs on the link: only new values are sent, they arrive unchanged, and invalid values are refused.
#include <cmath>

#include <catch2/catch.hpp>

#include "app/presentation/event_queue.h"
#include "app/presentation/live_runs.h"
#include "app/presentation/messages.h"
#include "engine/train/run_store.h"

using namespace sepx;
using namespace sepx::app;
using ui::Json;
using ui::LiveRun;

namespace {

/// A trainer that has reported the losses of steps 0 to `end`. The snapshot has the newest of them.
std::shared_ptr<const train::Snapshot> snapshotAt(std::int64_t end) {
  auto made = std::make_shared<train::Snapshot>();
  made->state = train::RunState::Running;
  made->step = end;
  made->steps = 10'000;
  made->loss = 1.0 / static_cast<double>(end + 1);
  made->secondsLeft = 12.5;
  made->bounds = {{"H(pi)", 0.69}};
  const std::int64_t first = std::max<std::int64_t>(0, end + 1 - std::int64_t{train::Snapshot::kMetrics});
  for (std::int64_t step = first; step <= end; ++step)
    made->metrics.push_back({step, train::metricId("loss"), -1, -1, 1.0 / static_cast<double>(step + 1)});
  made->firstMetric = static_cast<std::uint64_t>(first);
  train::MatrixSnapshot matrix;
  matrix.parameter = "W_Q";
  matrix.rows = 2;
  matrix.columns = 3;
  matrix.values = {1, -2.5F, 3, 0, 1e-30F, static_cast<float>(end)};
  matrix.singular = {2, std::nan("")};
  made->matrices = {matrix};
  return made;
}

std::vector<LiveUpdate> overTheLink(const std::vector<LiveUpdate>& news) {
  StateMessage message;
  message.document = Json::object();
  message.live = news;
  const auto read = decode(encode(LinkMessage(message)));
  INFO((read ? std::string() : read.error().message));
  REQUIRE(read);
  return std::get<StateMessage>(*read).live;
}

struct Link {
  LiveSender sender;
  LiveReceiver receiver;
  std::size_t bytes = 0;  ///< of the last message

  std::vector<LiveRun> send(const std::vector<LiveRun>& live) {
    const auto news = sender.news(live);
    sender.sent(live);
    bytes = 0;
    for (const LiveUpdate& one : news)
      bytes += toJson(one).dump().size();
    auto got = receiver.take(overTheLink(news));
    REQUIRE(got);
    return std::move(*got);
  }
};

}  // namespace

TEST_CASE("A live run arrives unchanged", "[presentation]") {
  Link link;
  const auto got = link.send({{"/runs/a", 1, snapshotAt(9)}});
  REQUIRE(got.size() == 1);
  CHECK(got[0].folder == "/runs/a");
  CHECK(got[0].trainer == 1);
  const train::Snapshot &now = *got[0].now, sent = *snapshotAt(9);
  CHECK(now.state == sent.state);
  CHECK(now.step == 9);
  CHECK(now.loss == sent.loss);
  CHECK(std::isnan(now.validation));
  CHECK(now.secondsLeft == 12.5);
  REQUIRE(now.bounds.size() == 1);
  CHECK(now.bounds[0].value == 0.69);
  REQUIRE(now.metrics.size() == 10);
  CHECK(train::metricName(now.metrics[9].name) == "loss");
  CHECK(now.metrics[9].value == 0.1);
  REQUIRE(now.matrices.size() == 1);
  CHECK(now.matrices[0].values == sent.matrices[0].values);
  CHECK(std::isnan(now.matrices[0].singular[1]));
}

TEST_CASE("Only new values are sent, and the receiver has the same values as the snapshot", "[presentation]") {
  Link link;
  link.send({{"/runs/a", 1, snapshotAt(4095)}});
  const std::size_t whole = link.bytes;
  const auto same = snapshotAt(4105);
  auto got = link.send({{"/runs/a", 1, same}});
  CHECK(20 * link.bytes < whole);
  CHECK(got[0].now->metrics.size() == train::Snapshot::kMetrics);
  CHECK(got[0].now->firstMetric == 10);
  CHECK(got[0].now->metrics.front().step == 10);
  CHECK(got[0].now->metrics.back().step == 4105);
  const auto before = got[0].now;
  got = link.send({{"/runs/a", 1, same}});  // nothing new
  CHECK(link.bytes < 100);
  CHECK(got[0].now == before);
  got = link.send({{"/runs/a", 1, snapshotAt(20'000)}});  // since then more than a snapshot contains
  CHECK(got[0].now->firstMetric == 20'001 - train::Snapshot::kMetrics);
  got = link.send({{"/runs/a", 2, snapshotAt(3)}});  // another trainer starts again
  CHECK(got[0].now->firstMetric == 0);
  CHECK(got[0].now->metrics.size() == 4);
}

TEST_CASE("News of an unknown run and invalid values are refused", "[presentation]") {
  LiveReceiver receiver;
  CHECK_FALSE(receiver.take({{"/runs/a", 1, nullptr, 0}}));
  const Json good = Json::parse(toJson({"/runs/a", 1, snapshotAt(9), 0}).dump());  // in its form after the transfer
  REQUIRE(liveFromJson(good));
  Json bad = good;
  bad["folder"] = "runs/a";
  CHECK_FALSE(liveFromJson(bad));
  for (const char* const name : {"state", "step", "loss", "saved", "sentence", "bounds", "matrices", "names", "metrics",
                                 "first", "parameters"}) {
    bad = good;
    bad["now"][name] = Json::object();
    INFO(name);
    CHECK_FALSE(liveFromJson(bad));
    bad["now"].erase(name);
    CHECK_FALSE(liveFromJson(bad));
  }
  bad = good;
  bad["now"]["state"] = 6;
  CHECK_FALSE(liveFromJson(bad));
  bad = good;
  bad["now"]["metrics"][0][0] = 1;  // a name that does not exist
  CHECK_FALSE(liveFromJson(bad));
  bad = good;
  bad["now"]["matrices"][0]["rows"] = 3;  // more than was sent
  CHECK_FALSE(liveFromJson(bad));
  bad = good;
  bad["now"]["matrices"][0]["rows"] = 1 << 20;
  bad["now"]["matrices"][0]["columns"] = 1 << 20;
  CHECK_FALSE(liveFromJson(bad));
  bad = good;
  bad["now"]["metrics"] = Json(train::Snapshot::kMetrics + 1, good["now"]["metrics"][0]);
  CHECK_FALSE(liveFromJson(bad));
  StateMessage many;
  many.document = Json::object();
  many.live.assign(ui::kMostLiveRuns + 1, {"/runs/a", 1, nullptr, 0});
  CHECK_FALSE(decode(encode(LinkMessage(many))));
}

namespace {

struct Word {
  int kind = 0, number = 0;
};

}  // namespace

TEST_CASE("A full queue keeps the newest of the repeated events and all of the others", "[presentation]") {
  EventQueue<Word, 4> queue;
  for (int i = 0; i < 4; ++i)
    CHECK(queue.push({0, i}, Keep::Newest));
  for (int i = 4; i < 50; ++i) {
    CHECK_FALSE(queue.push({0, i}, Keep::Newest));
    if (i % 10 == 0) CHECK_FALSE(queue.push({1, i}, Keep::All));
  }
  CHECK(queue.full());
  std::vector<std::pair<int, int>> got;
  for (int rounds = 0; rounds < 10; ++rounds) {
    while (const auto word = queue.pop())
      got.emplace_back(word->kind, word->number);
    queue.movePendingToRing();
  }
  CHECK_FALSE(queue.hasPending());
  CHECK(got ==
        std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 10}, {1, 20}, {1, 30}, {1, 40}, {0, 49}});
}
