// SPDX-License-Identifier: Apache-2.0
#include "foreign/contain/server.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <functional>
#include <memory>
#include <new>

#include "foreign/contain/described.hpp"
#include "foreign/contain/task.hpp"
#include "foreign/examine/examination.hpp"
#include "foreign/fmu/messages.hpp"
#include "foreign/plugin/load.hpp"
#include "foreign/remote/model_server.hpp"
#include "hild/model/registry.hpp"
#include "hild/rt/confined/confine.hpp"
#include "hild/rt/confined/task.hpp"

namespace hild::contain {
namespace {

using confined::give_up;
using confined::Outcome;
using confined::say;

Task read_task() {
  auto task = unpacked(confined::take_task());
  if (!task) give_up(task.error().message);
  return std::move(*task);
}

// Where rights are missing it runs as it is: the run says so of its own thread.
void take_scheduling(const Task& task) {
  ::mlockall(MCL_CURRENT);
  if (task.cpu >= 0) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(task.cpu), &one);
    ::sched_setaffinity(0, sizeof one, &one);
  }
  if (task.priority > 0) {
    sched_param param{};
    param.sched_priority = task.priority;
    ::sched_setscheduler(0, SCHED_FIFO, &param);
  }
  confined::settle_scheduling();
}

// ---- the model ---------------------------------------------------------------------------------

struct Opened {
  model::Description description;
  std::string jacobian{};
  std::function<std::unique_ptr<model::System>()> make_system{};
  std::function<std::unique_ptr<model::Stepper>(const Way&)> make{};
};

// From here on its code runs.
Opened open(const Task& task, const remote::Shared& page) {
  const Recipe& recipe = task.recipe;
  if (recipe.from == Recipe::From::fmu) {
    auto model = fmu::open_unpacked(recipe.where, recipe.options, page.said(),
                                    recipe.found ? &*recipe.found : nullptr);
    if (!model) give_up(model.error().message);
    return {model->description, model->jacobian, model->make_system,
            [make = model->make](const Way& way) {
              const auto* const* method = std::get_if<const numerics::Method*>(&way);
              return method == nullptr ? nullptr : make(**method);
            }};
  }
  const model::Registration* r = model::find_model(recipe.where);
  if (recipe.from == Recipe::From::plugin) {
    auto loaded = plugin::open(recipe.where);
    if (!loaded) give_up(loaded.error().message);
    r = *loaded;
  }
  if (r == nullptr) give_up(fmt::format("there is no model {} in this program", recipe.where));
  return {
      r->description, {}, r->make_system, [r](const Way& way) -> std::unique_ptr<model::Stepper> {
        const auto* const rates = std::get_if<model::Multirate>(&way);
        if (rates == nullptr) return r->make(*std::get<const numerics::Method*>(way));
        return r->make_multirate == nullptr ? nullptr : r->make_multirate(*rates);
      }};
}

std::unique_ptr<model::Stepper> made(const Opened& model, const Way& way) {
  auto stepper = model.make(way);
  if (stepper == nullptr) give_up("it has no partitions to be advanced by");
  return stepper;
}

// ---- what it does ------------------------------------------------------------------------------

[[noreturn]] void describe(const Task& task, const remote::Shared& page) {
  const Opened model = open(task, page);
  Packer to;
  Described::pack(model.description, to);
  to(model.jacobian);
  say(Outcome::done, to.bytes());
  ::_exit(0);
}

[[noreturn]] void answer_for(const Task& task, remote::Shared& page) {
  const Opened model = open(task, page);
  remote::Sizes sizes = remote::sizes_of(model.description);
  sizes.said = task.sizes.said;
  if (sizes != task.sizes) give_up("it describes itself otherwise than it did before");
  const auto alone = task.way ? nullptr : model.make_system();
  const auto stepper = task.way ? made(model, *task.way) : nullptr;
  model::System& system = stepper != nullptr ? stepper->system() : *alone;
  take_scheduling(task);
  remote::Header& h = page.header();
  h.request.call = remote::Call::start;
  remote::ModelServer server(system, stepper.get(), page);
  server.answer();
  h.answered.ring();
  say(Outcome::done, {});
  ::close(confined::socket_place);
  for (std::uint32_t seen = 0;; ++seen) {
    h.asked.wait(seen);
    server.answer();
    h.answered.ring();
  }
}

[[noreturn]] void be_watched(const Task& task, const remote::Shared& page, long (*heap_calls)()) {
  const Opened model = open(task, page);
  if (!task.way) give_up("it is to be watched without a method");
  const auto plant = made(model, *task.way);
  const std::size_t n = model.description.parameters.size();
  for (std::size_t i = 0; i < std::min(n, task.parameters.size()); ++i) {
    plant->system().set_parameter(i, task.parameters[i]);
  }
  if (task.initial.size() == model.description.states.size()) plant->set_initial(task.initial);
  auto& result = *new (page.said().data() + fmu::Messages::bytes()) examine::Examination;
  say(Outcome::done, {});
  ::close(confined::socket_place);
  examine::watch_here(*plant,
                      {.frame = task.frame,
                       .steps = task.steps,
                       .heap_calls = heap_calls,
                       .messages = &fmu::Messages::added_here},
                      result);
  ::_exit(0);
}

}  // namespace

void serve(long (*heap_calls)()) {
  // Before anything is read: what comes comes of somebody who lives.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  confined::settle_signals();  // the run decides when to end, also on Ctrl-C
  const Task task = read_task();
  remote::Shared page(task.sizes, confined::page_place);
  if (!page.good()) give_up("its exchange page cannot be mapped");
  // Where it is refused its end is seen by hild alone, which looks at no words.
  if (task.work == Work::serve && !page.header().life.hold()) {
    give_up("the system keeps no robust list for it, by which its end is seen");
  }
  const std::string refused = confined::confine(confined::socket_place);
  try {
    switch (task.work) {
      case Work::attempt:
        say(Outcome::done, refused);
        break;
      case Work::describe:
        describe(task, page);
      case Work::serve:
        answer_for(task, page);
      case Work::examine:
        be_watched(task, page, heap_calls);
    }
  } catch (const std::exception& e) {
    give_up(e.what());
  }
  ::_exit(0);
}

}  // namespace hild::contain
