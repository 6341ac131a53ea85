// SPDX-License-Identifier: Apache-2.0
#include "control/server/sequence_process.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <csignal>

#include "control/rpc/line_buffer.hpp"
#include "control/server/timer.hpp"

namespace hild::server {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr auto patience_without_output = 2s;
// Of one that writes as fast as it can: 16 KiB at most every so often.
constexpr auto breath = 2ms;
constexpr int most_reads_at_the_end = 64;

}  // namespace

struct SequenceProcess::State : std::enable_shared_from_this<State> {
  State(asio::io_context& io, Run::Launched launched, Calls its_calls)
      : calls(std::move(its_calls)),
        pid(launched.pid),
        process(io, launched.process.release()),
        lines(io, launched.lines.release()),
        pause(io),
        patience(io) {}

  void begin() {
    lines.non_blocking(true);
    process.async_wait(asio::posix::stream_descriptor::wait_read,
                       [self = shared_from_this()](const boost::system::error_code& error) {
                         if (!error) self->finish();
                       });
    read();
  }

  // Nothing is read but in the turn that takes it: what an operation of Asio had read would be lost
  // where its end has its turn before it.
  void read() {
    lines.async_wait(asio::posix::stream_descriptor::wait_read,
                     [self = shared_from_this()](boost::system::error_code error) {
                       if (self->pid < 0 || error == asio::error::operation_aborted) return;
                       const std::size_t bytes = error ? 0 : self->take_some(error);
                       if (error == asio::error::would_block) return self->read();
                       if (error) return self->wait_for_its_end();
                       if (bytes < self->chunk.size()) return self->read();
                       self->pause.after(breath, [self] { self->read(); });
                     });
  }

  // What is there to be read, a chunk at most; how much that was.
  std::size_t take_some(boost::system::error_code& error) {
    const std::size_t bytes = lines.read_some(asio::buffer(chunk), error);
    if (!error) take({chunk.data(), bytes});
    return bytes;
  }

  // It has closed its output, or that cannot be read.
  void wait_for_its_end() {
    patience.after(patience_without_output, [self = shared_from_this()] {
      self->kill("it closed its output and did not end");
    });
  }

  void take(std::string_view bytes) {
    if (!killed_for.empty()) return;
    taken += bytes.size();
    if (taken > most_bytes) {
      return kill(fmt::format("it wrote more than {} MiB", most_bytes >> 20));
    }
    buffer.append(bytes);
    while (const auto line = buffer.next()) {
      if (line->too_long) {
        return kill(fmt::format("it wrote a line of more than {} KiB", longest_line >> 10));
      }
      calls.line(line->text);
    }
  }

  void kill(std::string why) {
    if (pid < 0) return;
    if (killed_for.empty()) killed_for = std::move(why);
    ::kill(pid, SIGKILL);
  }

  // It has ended: what it wrote before is still to be read.
  void finish() {
    if (pid < 0) return;
    boost::system::error_code none_left;
    for (int reads = 0; !none_left && reads < most_reads_at_the_end; ++reads) take_some(none_left);
    take("\n");
    const int status = reap();
    const auto ended = std::move(calls.ended);
    close();
    ended(status, killed_for);
  }

  int reap() {
    int status = 0;
    TEMP_FAILURE_RETRY(::waitpid(std::exchange(pid, -1), &status, 0));
    return status;
  }

  void close() {
    pause.cancel();
    patience.cancel();
    boost::system::error_code ignored;
    process.close(ignored);
    lines.close(ignored);
    calls = {};
  }

  Calls calls;
  pid_t pid;  ///< -1: it has been waited for
  asio::posix::stream_descriptor process;
  asio::posix::stream_descriptor lines;
  Timer pause;
  Timer patience;
  std::array<char, 16 << 10> chunk{};
  rpc::LineBuffer buffer{longest_line};
  std::size_t taken = 0;
  std::string killed_for;
};

SequenceProcess::SequenceProcess(asio::io_context& io, Run::Launched launched, Calls calls)
    : state_(std::make_shared<State>(io, std::move(launched), std::move(calls))) {
  state_->begin();
}

SequenceProcess::~SequenceProcess() {
  if (state_->pid >= 0) {
    ::kill(state_->pid, SIGKILL);
    state_->reap();
  }
  state_->close();
}

void SequenceProcess::interrupt(std::chrono::nanoseconds patience) {
  if (state_->pid < 0) return;
  ::kill(state_->pid, SIGINT);
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(patience);
  state_->patience.after(patience, [state = state_, whole] {
    state->kill(fmt::format("it did not end within {} s of being asked to", whole.count()));
  });
}

}  // namespace hild::server
