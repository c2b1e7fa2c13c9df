// SPDX-License-Identifier: Apache-2.0
// Calls the nonblocking collectives of MPI and tests them until they are done, so that a rank that is requested to stop
// can leave. Values are copied through a buffer of the group, so that an abandoned call never writes into the caller's
// memory.
#include "engine/mpi/mpi_session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>

#include "engine/core/try.h"

namespace sepx::mpi {
namespace {

using std::chrono::steady_clock;

/// Messages are split into chunks of this size, so that the buffer stays small.
constexpr std::size_t kChunkBytes = std::size_t{4} << 20U;

class MpiGroup final : public train::ProcessGroup {
 public:
  MpiGroup() : buffer_(kChunkBytes) {
    MPI_Comm_dup(MPI_COMM_WORLD, &world_);
    MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(world_, &rank_);
    MPI_Comm_size(world_, &size_);
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void free() { MPI_Comm_free(&world_); }

 protected:
  Result<void> doSum(std::span<float> values) override { return sumOf(std::as_writable_bytes(values), 4, MPI_FLOAT); }
  Result<void> doSum(std::span<double> values) override { return sumOf(std::as_writable_bytes(values), 8, MPI_DOUBLE); }
  Result<void> doBroadcast(std::span<std::byte> bytes, int root) override {
    return inChunks(bytes, [&](std::size_t size, MPI_Request& request) {
      return MPI_Ibcast(buffer_.data(), static_cast<int>(size), MPI_BYTE, root, world_, &request);
    });
  }

 private:
  Result<void> sumOf(std::span<std::byte> bytes, std::size_t element, MPI_Datatype type) {
    return inChunks(bytes, [&](std::size_t size, MPI_Request& request) {
      return MPI_Iallreduce(MPI_IN_PLACE, buffer_.data(), static_cast<int>(size / element), type, MPI_SUM, world_,
                            &request);
    });
  }

  template <class Start>
  Result<void> inChunks(std::span<std::byte> bytes, const Start& start) {
    for (std::size_t at = 0; at < bytes.size(); at += kChunkBytes) {
      const std::span<std::byte> chunk = bytes.subspan(at, std::min(kChunkBytes, bytes.size() - at));
      std::ranges::copy(chunk, buffer_.begin());
      MPI_Request request = MPI_REQUEST_NULL;
      if (const int code = start(chunk.size(), request); code != MPI_SUCCESS) return failed(code);
      SEPX_TRY(wait(request));
      std::copy_n(buffer_.begin(), chunk.size(), chunk.begin());
    }
    return {};
  }

  /// MPI_Test drives the progress of the messages, so it is called in quick succession at first. Later the thread
  /// sleeps between the calls, so that a wait for a long validation does not occupy a core.
  Result<void> wait(MPI_Request& request) {
    constexpr std::chrono::milliseconds kBusy{20}, kLook{1};
    const steady_clock::time_point begin = steady_clock::now();
    steady_clock::time_point looked = begin;
    for (;;) {
      int done = 0;
      if (const int code = MPI_Test(&request, &done, MPI_STATUS_IGNORE); code != MPI_SUCCESS) return failed(code);
      if (done != 0) return {};
      const steady_clock::time_point now = steady_clock::now();
      if (now - looked >= kLook) {
        looked = now;
        if (givesUp()) return tl::unexpected(train::noAnswer());
      }
      if (now - begin < kBusy) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
    }
  }

  static tl::unexpected<Error> failed(int code) {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    return fail(ErrorKind::Interrupted, fmt::format("the ranks no longer reach each other: {}", text.data()));
  }

  MPI_Comm world_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  std::vector<std::byte> buffer_;
};

/// Collective: every rank must call it.
int coresHere() {
  cpu_set_t bound;
  CPU_ZERO(&bound);
  if (sched_getaffinity(0, sizeof(bound), &bound) != 0) return 1;
  std::array<int, CPU_SETSIZE> mine{}, all{};
  for (std::size_t cpu = 0; cpu < mine.size(); ++cpu)
    mine[cpu] = CPU_ISSET(cpu, &bound) ? 1 : 0;
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Allreduce(mine.data(), all.data(), static_cast<int>(mine.size()), MPI_INT, MPI_SUM, node);
  MPI_Comm_free(&node);
  double cores = 0;
  for (std::size_t cpu = 0; cpu < mine.size(); ++cpu)
    if (mine[cpu] != 0) cores += 1.0 / all[cpu];
  constexpr double kRounding = 1e-9;
  return std::max(1, static_cast<int>(cores + kRounding));
}

class MpiSession final : public Session {
 public:
  MpiSession() : group_(std::make_unique<MpiGroup>()), cores_(coresHere()) {}
  ~MpiSession() override {
    // After an exception here, the other ranks may still be in the middle of a call.
    if (group_->broken() || std::uncaught_exceptions() > 0) {
      // An abandoned call may still write into the buffer of the group, so the group is never freed.
      static_cast<void>(group_.release());
      return;
    }
    group_->free();
    MPI_Finalize();
  }
  train::ProcessGroup& group() override { return *group_; }
  int cores() const override { return cores_; }

 private:
  std::unique_ptr<MpiGroup> group_;
  int cores_;
};

}  // namespace

bool built() {
  return true;
}

std::string version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string whole(text.data());
  return whole.substr(0, whole.find(','));  // Open MPI appends the name of the packager
}

Result<std::unique_ptr<Session>> Session::start() {
  int given = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS || given < MPI_THREAD_SERIALIZED)
    return fail(ErrorKind::Usage, version() + " could not start; run the program with mpirun or mpiexec");
  return std::make_unique<MpiSession>();
}

}  // namespace sepx::mpi
