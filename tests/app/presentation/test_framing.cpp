// SPDX-License-Identifier: Apache-2.0
// Messages on a stream are complete for any division of the stream. Invalid streams are refused.
#include <catch2/catch.hpp>

#include "app/presentation/framing.h"

using namespace sepx;
using app::framed;
using app::FrameReader;
using Texts = std::vector<std::string>;

TEST_CASE("Messages are complete for any division of the stream", "[presentation]") {
  const Texts sent{"{}", std::string(70'000, 'x'), "", "{\"kind\":\"goodbye\"}"};
  std::string stream;
  for (const std::string& one : sent)
    stream += framed(one);
  for (const std::size_t part : {std::size_t{1}, std::size_t{3}, std::size_t{4096}, stream.size()}) {
    FrameReader reader;
    Texts got;
    for (std::size_t at = 0; at < stream.size(); at += part) {
      const auto some = reader.take(std::string_view(stream).substr(at, part));
      REQUIRE(some);
      got.insert(got.end(), some->begin(), some->end());
    }
    CHECK(got == sent);
    CHECK_FALSE(reader.withinMessage());
  }
}

TEST_CASE("A truncated message is detected", "[presentation]") {
  FrameReader reader;
  const std::string whole = framed("{\"kind\":\"goodbye\"}");
  const auto some = reader.take(std::string_view(whole).substr(0, whole.size() - 1));
  REQUIRE(some);
  CHECK(some->empty());
  CHECK(reader.withinMessage());
}

TEST_CASE("An invalid stream and a message that is too large are refused at once", "[presentation]") {
  const auto refused = [](std::string_view bytes) {
    FrameReader reader;
    const auto some = reader.take(bytes);
    REQUIRE_FALSE(some);
    CHECK(some.error().kind == ErrorKind::BadInput);
    return some.error().message;
  };
  CHECK(refused("GET / HTTP/1.1\r\n").find("protocol") != std::string::npos);
  CHECK(refused("s!").find("protocol") != std::string::npos);
  CHECK(refused(std::string("sepx\xFF\xFF\xFF\xFF", 8)).find("4294967295") != std::string::npos);
  // The largest allowed size is not refused.
  FrameReader reader;
  const std::size_t most = app::kMostMessageBytes;
  std::string head = "sepx";
  for (int i = 0; i < 4; ++i)
    head += static_cast<char>(most >> (8 * i) & 0xFF);
  CHECK(reader.take(head));
}
