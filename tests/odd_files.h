// SPDX-License-Identifier: Apache-2.0
// Objects in place of a file that are not regular files, for tests of readers.
#pragma once

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

namespace sepx::tests {

enum class OddFile { Pipe, Socket, Folder, Device, DanglingLink };
inline constexpr OddFile kOddFiles[] = {OddFile::Pipe, OddFile::Socket, OddFile::Folder, OddFile::Device,
                                        OddFile::DanglingLink};

inline std::string nameOf(OddFile kind) {
  constexpr const char* kNames[] = {"pipe", "socket", "folder", "device", "link"};
  return kNames[static_cast<int>(kind)];
}

/// Replaces whatever exists at `path`.
inline void makeOdd(OddFile kind, const std::string& path) {
  std::filesystem::remove_all(path);
  switch (kind) {
    case OddFile::Pipe:
      REQUIRE(mkfifo(path.c_str(), 0600) == 0);
      return;
    case OddFile::Socket: {
      // The path may be longer than a socket address allows, so the socket is created elsewhere and moved.
      const std::string beside = (std::filesystem::temp_directory_path() / "sepx-socket-XXXXXX").string();
      std::string made = beside;
      REQUIRE(mkdtemp(made.data()) != nullptr);
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      const std::string here = made + "/s";
      REQUIRE(here.size() < sizeof address.sun_path);
      std::memcpy(address.sun_path, here.c_str(), here.size());
      const int file = socket(AF_UNIX, SOCK_STREAM, 0);
      REQUIRE(bind(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
      close(file);
      std::filesystem::rename(here, path);
      std::filesystem::remove(made);
      return;
    }
    case OddFile::Folder:
      std::filesystem::create_directory(path);
      return;
    case OddFile::Device:
      std::filesystem::create_symlink("/dev/zero", path);
      return;
    case OddFile::DanglingLink:
      std::filesystem::create_symlink(path + ".nowhere", path);
      return;
  }
}

}  // namespace sepx::tests
