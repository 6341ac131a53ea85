// SPDX-License-Identifier: Apache-2.0
#include "foreign/contain/child.hpp"

#include <utility>

namespace hild::contain {
namespace {

confined::Program chosen;  // in place of hild-model

Result<confined::Program> program_of_models() {
  if (!chosen.path.empty()) return chosen;
  return confined::find_program("hild-model", "in which a model runs under `process: own`");
}

}  // namespace

void use_program(std::string path, std::string argument) {
  chosen = {std::move(path), std::move(argument)};
}

Result<Child> start_child(const Task& task, const remote::Shared& page, Child::Voice voice) {
  const auto program = program_of_models();
  if (!program) return tl::make_unexpected(program.error());
  auto child = Child::start(*program, page.descriptor(),
                            {.whose = "the model", .voice = voice, .priority = task.priority});
  if (!child) return child;
  if (auto told = child->tell(packed(task)); !told) return tl::make_unexpected(told.error());
  return child;
}

const std::string& not_confined() {
  static const std::string words = [] {
    const remote::Shared page(remote::Sizes{});
    if (!page.good()) return std::string("there is no memory to try it with");
    auto child = start_child({.work = Work::attempt}, page);
    if (!child) return child.error().message;
    const auto there = child->reply();
    std::string refused = child->refused();
    const std::string& further = there ? *there : there.error().message;
    if (!further.empty()) refused += (refused.empty() ? "" : "; ") + plain(further);
    return refused;
  }();
  return words;
}

}  // namespace hild::contain
