// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a process wrote last is taken, whatever has its turn first: what it writes or its end.
#include "control/server/sequence_process.hpp"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/child_process.hpp"

namespace hild::server {
namespace {

namespace asio = boost::asio;

/// A process that lives until it is let go of; this one writes in its place.
class AProcess : public ::testing::Test {
 protected:
  AProcess() {
    std::array<int, 2> pair{};
    EXPECT_EQ(::pipe(pair.data()), 0);
    writes_ = Descriptor(pair[1]);
    launched_.lines = Descriptor(pair[0]);
    EXPECT_EQ(::pipe(pair.data()), 0);
    Descriptor held(pair[0]);
    lives_ = Descriptor(pair[1]);
    launched_.pid = ::fork();
    if (launched_.pid == 0) {
      lives_ = {};
      char none = 0;
      ::_exit(::read(held.get(), &none, 1) == 0 ? 3 : 4);
    }
    launched_.process = process_descriptor(launched_.pid);
    pid_ = launched_.pid;
  }
  void begin() {
    process_.emplace(io, std::move(launched_),
                     SequenceProcess::Calls{.line =
                                                [this](std::string_view text) {
                                                  lines.emplace_back(text);
                                                  if (at_line) at_line(lines.size());
                                                },
                                            .ended =
                                                [this](int status, const std::string& killed_for) {
                                                  EXPECT_EQ(WEXITSTATUS(status), 3);
                                                  EXPECT_EQ(killed_for, "");
                                                  ++ends;
                                                }});
  }
  /// A line more, unless it has ended.
  void writes() {
    if (!lives_) return;
    written.push_back("line " + std::to_string(written.size()));
    const std::string text = written.back() + "\n";
    EXPECT_EQ(::write(writes_.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  /// It has ended when this returns.
  void dies() {
    lives_ = {};
    siginfo_t told{};
    EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(pid_), &told, WEXITED | WNOWAIT), 0);
  }

  asio::io_context io{1};
  std::vector<std::string> written;
  std::vector<std::string> lines;
  std::function<void(std::size_t count)> at_line;
  int ends = 0;

 private:
  Run::Launched launched_;
  pid_t pid_ = -1;
  Descriptor writes_;
  Descriptor lives_;
  std::optional<SequenceProcess> process_;
};

TEST_F(AProcess, IsReadToItsEndWhereThatIsSeenFirst) {
  writes();
  writes();
  dies();
  begin();
  io.run();
  EXPECT_EQ(lines, written);
  EXPECT_EQ(ends, 1);
}

// Asio looks at all descriptors at once, then gives each its turn. A line comes in the turn of the
// one before, twice; the event has its turn next, with it come the last line and the end. An
// operation of Asio that had read a line by then would have its turn after the end.
TEST_F(AProcess, IsReadToItsEndWhereItEndsWhileALineIsTaken) {
  asio::posix::stream_descriptor event(io, ::eventfd(0, EFD_NONBLOCK));
  event.async_wait(asio::posix::stream_descriptor::wait_read,
                   [this](const boost::system::error_code& error) {
                     EXPECT_FALSE(error);
                     writes();
                     dies();
                   });
  at_line = [&](std::size_t count) {
    if (count > 2) return;
    writes();
    const std::uint64_t one = 1;
    EXPECT_EQ(::write(event.native_handle(), &one, sizeof one), ssize_t{sizeof one});
  };
  writes();
  begin();
  io.run();
  EXPECT_EQ(lines, written);
  EXPECT_EQ(ends, 1);
}

}  // namespace
}  // namespace hild::server
