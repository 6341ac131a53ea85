// SPDX-License-Identifier: Apache-2.0
#include "foreign/contain/source.hpp"

#include <cstdio>

#include "core/child_process.hpp"
#include "foreign/contain/child.hpp"
#include "foreign/examine/examination.hpp"
#include "foreign/plugin/load.hpp"

namespace hild::contain {

std::shared_ptr<const ModelSource> ModelSource::built_in(const model::Registration& model) {
  std::shared_ptr<ModelSource> made(new ModelSource);
  made->recipe_ = {.from = Recipe::From::built_in, .where = std::string(model.description.name)};
  made->description_ = model.description;
  return made;
}

Result<std::shared_ptr<const ModelSource>> ModelSource::plugin(const std::filesystem::path& file) {
  const auto absolute = std::filesystem::absolute(file);
  const auto words = [&](const Error& e) {
    return fail(e.code, "plug-in {}: {}", file.string(), e.message);
  };
  if (auto good = plugin::check(absolute); !good) return words(good.error());
  std::shared_ptr<ModelSource> made(new ModelSource);
  made->recipe_ = {.from = Recipe::From::plugin, .where = absolute.string()};
  auto described = made->ask_what_it_is();
  if (!described) return words(described.error());
  made->described_ = std::move(*described);
  made->description_ = made->described_->description();
  return made;
}

Result<std::shared_ptr<const ModelSource>> ModelSource::fmu(const std::filesystem::path& file,
                                                            const fmu::LoadOptions& options) {
  const auto words = [&](const Error& e) {
    return fail(e.code, "FMU {}: {}", file.string(), e.message);
  };
  auto unopened = fmu::unpacked(file, options);
  if (!unopened) return tl::make_unexpected(unopened.error());
  std::shared_ptr<ModelSource> made(new ModelSource);
  made->unopened_ = std::move(*unopened);
  made->recipe_ = {.from = Recipe::From::fmu,
                   .where = made->unopened_.folder->path().string(),
                   .options = options};
  // Also what has nothing to say that is not in its description: a binary that cannot be loaded is
  // told now.
  const auto described = made->ask_what_it_is();
  if (!described) return words(described.error());
  const auto& states = (*described)->description().states;
  fmu::Found found{.states = {states.begin(), states.end()}, .jacobian = {}};
  if (made->unopened_.kind == fmu::Kind::model_exchange) {
    if (auto taken = made->unopened_.take(found); !taken) return words(taken.error());
    for (auto& s : found.states) s.name = s.unit = {};
    made->recipe_.found = std::move(found);
  }
  made->description_ = made->unopened_.description();
  return made;
}

ModelSource::~ModelSource() {
  const std::string said =
      said_.text(fmt::format("hild: model {}: ", std::string(description_.name)));
  if (!said.empty()) std::fputs(said.c_str(), stderr);
}

remote::Sizes ModelSource::sizes() const noexcept {
  remote::Sizes sizes = remote::sizes_of(description_);
  if (recipe_.from == Recipe::From::fmu) sizes.said = fmu::Messages::bytes();
  return sizes;
}

Result<std::unique_ptr<const Described>> ModelSource::ask_what_it_is() {
  const remote::Sizes sizes{.said = fmu::Messages::bytes()};
  const remote::Shared page(sizes);
  if (!page.good()) return fail("no memory to share with the model's process");
  auto child = start_child({.work = Work::describe, .recipe = recipe_, .sizes = sizes}, page);
  if (!child) return tl::make_unexpected(child.error());
  const auto reply = child->reply();
  if (!reply) return fail("in a process of its own: {}", reply.error().message);
  keep_words(page.said());  // of one that was refused it is in the reason
  Unpacker from(*reply);
  auto described = Described::unpack(from);
  if (!described) return described;
  from(jacobian_);
  jacobian_ = plain(jacobian_);
  if (!from.done()) return fail("what it says of itself breaks off");
  return described;
}

Result<examine::Examination> examined(const ModelSource& source, const Way& way,
                                      std::span<const double> parameters,
                                      std::span<const double> initial,
                                      const examine::ExaminationOptions& options) {
  const std::size_t words = fmu::Messages::bytes();
  const remote::Sizes sizes{.said = words + sizeof(examine::Examination)};
  const remote::Shared page(sizes);
  if (!page.good()) return fail("no memory to examine the model in");
  const Task task{.work = Work::examine,
                  .recipe = source.recipe(),
                  .way = way,
                  .sizes = sizes,
                  .parameters = {parameters.begin(), parameters.end()},
                  .initial = {initial.begin(), initial.end()},
                  .frame = options.frame,
                  .steps = options.steps};
  auto child = start_child(task, page, Child::Voice::silent);
  if (!child) return tl::make_unexpected(child.error());
  if (auto begun = child->reply(); !begun) {
    return fail("{}: it did not come up in a process of its own: {}", source.description().name,
                begun.error().message);
  }
  const std::optional<int> status = wait_for_work(child->release(), options.patience);
  source.keep_words(page.said().first(words));
  // The process has ended: what it left is what it is from here on.
  examine::Examination seen =
      examine::within_bounds(page.said().subspan(words).first<sizeof(examine::Examination)>());
  examine::note_end(seen, status, aborted);
  return seen;
}

}  // namespace hild::contain
