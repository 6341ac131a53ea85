// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds/gateway_process.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

namespace hild::dds {
namespace {

void tell_person(const Name& device, const std::string& words) {
  std::fprintf(stderr, "hild: device %s: %s\n", device.c_str(), words.c_str());
}

// As waitpid() has it.
std::string ending_of(int status) {
  const bool exited = WIFEXITED(status);
  if (exited && WEXITSTATUS(status) != confined::aborted) {
    return fmt::format("its gateway ended by itself, exit code {}", WEXITSTATUS(status));
  }
  const int signal = exited ? SIGABRT : WTERMSIG(status);
  return fmt::format("its gateway was ended by signal {} ({})", signal, ::strsignal(signal));
}

}  // namespace

Result<std::unique_ptr<GatewayProcess>> GatewayProcess::start(const GatewayTask& task, int page) {
  const auto program = confined::find_program("hild-dds", "the gateway of devices of driver dds");
  if (!program) return tl::make_unexpected(program.error());
  auto process = confined::Process::start(
      *program, page,
      {.whose = "the gateway", .reach = confined::Reach::network, .priority = task.priority});
  if (!process) return tl::make_unexpected(process.error());
  process->give_priority(task.priority);  // else it tries, and says why not
  if (auto told = process->tell(packed(task)); !told) return tl::make_unexpected(told.error());
  const auto up = process->reply();
  if (!up) {
    return fail(ExitCode::device_failed, "its gateway did not come up: {}",
                confined::plain(up.error().message));
  }
  std::string not_confined = process->refused();
  if (!up->empty()) not_confined += (not_confined.empty() ? "" : "; ") + confined::plain(*up);
  if (!not_confined.empty()) {
    tell_person(task.device, "its gateway is not confined as it should be: " + not_confined);
  }
  return std::unique_ptr<GatewayProcess>(
      new GatewayProcess(std::move(*process), task.device.view()));
}

GatewayProcess::~GatewayProcess() {
  constexpr Duration patience = 5_s;  // to say goodbye to other nodes
  const std::optional<int> status = process_.dismiss(patience);
  if (status && *status != 0) tell_person(device_, ending_of(*status));
}

}  // namespace hild::dds
