// SPDX-License-Identifier: Apache-2.0
#include "cli/main/rewinder.hpp"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

#include "config/plan/assembly.hpp"
#include "offline/replay/state_at.hpp"

namespace hild::commands {
namespace {

constexpr std::chrono::seconds newest_within{2};

}  // namespace

Rewinder::~Rewinder() {
  given_up_.raise();
  if (looking_.joinable()) looking_.join();
}

std::string Rewinder::begin(std::string file, SimTime to, Run run) {
  {
    const std::lock_guard lock(mutex_);
    if (state_.looking || step_) {
      return fmt::format("it goes back to {:.6f} s already", seconds(*state_.to));
    }
    state_ = {.looking = true, .to = to};
  }
  if (looking_.joinable()) looking_.join();  // of a look that is over
  looking_ = std::thread([this, file = std::move(file), to, run = std::move(run)] {
    try {
      look(file, to, run);
    } catch (const std::exception& e) {
      fail(e.what());
    } catch (const Error& e) {
      fail(e.message);
    }
  });
  return {};
}

// The configuration is that of the file as it is now: one that was changed makes other steps.
void Rewinder::look(const std::string& file, SimTime to, const Run& run) {
  auto config = run.again();
  if (!config) return fail(config.error().message);
  const plan::Assembly assembly = plan::assemble(std::move(*config));
  const auto wanted = [this] { return !given_up_.raised(); };
  // The newest frames are on their way to the disk for a moment.
  const auto until = std::chrono::steady_clock::now() + newest_within;
  auto state = replay::state_at(assembly, file, to, wanted);
  while (!state && wanted() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    state = replay::state_at(assembly, file, to, wanted);
  }
  if (!state) return fail(state.error().message);
  boost::asio::post(io_, [this, found = run.found,
                          step = RecordedStep{file, fmt::format("{:.9f} s", seconds(to))}] {
    step_ = step;
    if (const std::string why = found(step); !why.empty()) {
      step_.reset();
      fail(why);
    }
  });
}

void Rewinder::fail(const std::string& why) {
  const std::lock_guard lock(mutex_);
  state_.looking = false;
  state_.error = why;
}

server::Run::Rewinding Rewinder::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

}  // namespace hild::commands
