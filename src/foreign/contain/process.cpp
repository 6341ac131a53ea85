// SPDX-License-Identifier: Apache-2.0
#include "foreign/contain/process.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <span>
#include <vector>

#include "foreign/contain/child.hpp"
#include "foreign/remote/bounds.hpp"
#include "foreign/remote/stepper.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::contain {
namespace {

std::string in_words(const siginfo_t& ended) {
  const bool exited = ended.si_code == CLD_EXITED;
  if (exited && ended.si_status != aborted) {
    return "the model's process ended by itself, exit code " + std::to_string(ended.si_status);
  }
  const int signal = exited ? SIGABRT : ended.si_status;
  std::string words =
      fmt::format("the model's process was ended by signal {} ({})", signal, ::strsignal(signal));
  // It is the first to go when memory runs out; the kernel does not say whether it was that.
  if (signal == SIGKILL) words += ", by somebody or by the kernel for want of memory";
  return words;
}

std::string words(const remote::Breach& b) {
  return fmt::format(
      "its process was ended: it answered `{}` as {}, where {} was expected, and so does not do "
      "what it is to; the model is broken, or writes where it must not",
      b.word, b.found, b.expected);
}

/// A model's process that has come up.
class Process final : public remote::Keeper {
 public:
  /// `shared` outlives it.
  Process(pid_t pid, std::shared_ptr<const ModelSource> source, const remote::Shared& shared)
      : pid_(pid), source_(std::move(source)), said_(shared.said()) {
    const std::lock_guard lock(mutex);
    living.push_back(this);
  }

  /// Ends the process if it has not ended by itself, and reports why it did.
  ~Process() override {
    {
      const std::lock_guard lock(mutex);
      std::erase(living, this);
    }
    const bool over = !ending().empty();
    ::kill(pid_, SIGKILL);
    siginfo_t ended{};
    TEMP_FAILURE_RETRY(::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED));
    const bool ours = !over && ended.si_code != CLD_EXITED && ended.si_status == SIGKILL;
    if (!ours || broken_.raised()) {
      const std::string model(source_->description().name);
      std::fprintf(stderr, "hild: model %s: %s\n", model.c_str(), why(ended).c_str());
    }
    source_->keep_words(said_);
  }

  /// Ends the process. The reason is reported when this object is destroyed, so that no text is
  /// composed on the real-time side.
  void end(const remote::Breach& why) noexcept override {
    ended_for_ = why;
    broken_.raise();
    ::kill(pid_, SIGKILL);  // our child, not waited for yet: the number is still its own
  }

  /// How the process ended by itself, "the model's process ended by itself, exit code 3"; empty: it
  /// did not.
  [[nodiscard]] std::string ending() const {
    siginfo_t ended{};
    const bool over =
        ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        ended.si_pid == pid_;
    return over ? why(ended) : std::string();
  }

  static inline std::mutex mutex;  // guards all there are
  static inline std::vector<const Process*> living;

 private:
  [[nodiscard]] std::string why(const siginfo_t& ended) const {
    return broken_.raised() ? words(ended_for_) : in_words(ended);
  }

  pid_t pid_;
  std::shared_ptr<const ModelSource> source_;
  std::span<std::byte> said_;
  remote::Breach ended_for_;
  rt::Flag broken_;  // the reason is set
};

// Makes the model of `source` in a new process, which then answers.
Result<remote::Link> linked(const std::shared_ptr<const ModelSource>& source,
                            const std::optional<Way>& way, const ProcessOptions& options,
                            bool starts) {
  const std::string_view model = source->description().name;
  auto shared = std::make_unique<remote::Shared>(source->sizes());
  if (!shared->good()) return fail("no memory to share with the model's process");
  auto child = start_child({.work = Work::serve,
                            .recipe = source->recipe(),
                            .way = way,
                            .sizes = source->sizes(),
                            .priority = options.priority,
                            .cpu = options.cpu},
                           *shared);
  if (!child) return fail("model {}: {}", model, child.error().message);
  if (const auto up = child->reply(); !up) {
    return fail("model {}: it did not come up in a process of its own: {}", model,
                up.error().message);
  }
  // It has answered before it said so.
  if (shared->header().answered.rung() == 0) {
    return fail(
        "model {}: it did not come up in a process of its own: it says that it has, and "
        "answers nothing",
        model);
  }
  child->give_priority(options.priority);  // now that it has made its model
  auto process = std::make_unique<Process>(child->release(), source, *shared);
  shared->handed_over();
  remote::Link link(std::move(shared), std::move(process), options.answer_within, starts,
                    source->description().time_events);
  if (link.breach()) return fail("model {}: {}", model, words(*link.breach()));
  return link;
}

}  // namespace

std::string endings() {
  const std::lock_guard lock(Process::mutex);
  std::string all;
  for (const Process* process : Process::living) {
    const std::string ended = process->ending();
    if (!ended.empty()) all += (all.empty() ? "" : "; ") + ended;
  }
  return all;
}

Result<std::unique_ptr<model::Stepper>> contained(const std::shared_ptr<const ModelSource>& source,
                                                  const Way& way, const ProcessOptions& options) {
  const auto* const rates = std::get_if<model::Multirate>(&way);
  const numerics::Method method =
      rates != nullptr ? rates->method() : *std::get<const numerics::Method*>(way);
  auto link = linked(source, way, options, method.starter != nullptr);
  if (!link) return tl::make_unexpected(link.error());
  return std::make_unique<remote::RemoteStepper>(source->description(), method, std::move(*link));
}

Result<std::unique_ptr<model::System>> contained_system(
    const std::shared_ptr<const ModelSource>& source, const ProcessOptions& options) {
  auto link = linked(source, std::nullopt, options, false);
  if (!link) return tl::make_unexpected(link.error());
  return std::make_unique<remote::RemoteSystem>(source->description(), std::move(*link),
                                                remote::RemoteSystem::Use::alone);
}

}  // namespace hild::contain
