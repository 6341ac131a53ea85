// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model that is not trusted, as hild knows it: what it says of itself, and where its code is,
/// which runs in other processes only. Load time.
#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "foreign/contain/described.hpp"
#include "foreign/contain/task.hpp"
#include "foreign/examine/examination.hpp"
#include "foreign/fmu/messages.hpp"
#include "hild/model/registry.hpp"

namespace hild::contain {

class ModelSource {
 public:
  /// Of hild's own. Its process makes it by its name.
  [[nodiscard]] static std::shared_ptr<const ModelSource> built_in(
      const model::Registration& model);
  /// What it is it says in a process of its own. Error: as plugin::load(), or what became of that.
  [[nodiscard]] static Result<std::shared_ptr<const ModelSource>> plugin(
      const std::filesystem::path& file);
  /// Unpacked and read here; opened, and under model exchange initialised, there.
  [[nodiscard]] static Result<std::shared_ptr<const ModelSource>> fmu(
      const std::filesystem::path& file, const fmu::LoadOptions& options);
  ModelSource(const ModelSource&) = delete;
  ModelSource& operator=(const ModelSource&) = delete;
  ~ModelSource();  ///< shows what it has said

  [[nodiscard]] const model::Description& description() const noexcept { return description_; }
  [[nodiscard]] const Recipe& recipe() const noexcept { return recipe_; }
  /// Of an FMU; else model exchange, 0 and empty.
  [[nodiscard]] fmu::Kind kind() const noexcept { return unopened_.kind; }
  [[nodiscard]] double fixed_step() const noexcept { return unopened_.fixed_step; }
  [[nodiscard]] const std::string& jacobian() const noexcept { return jacobian_; }

  /// Of its exchange page.
  [[nodiscard]] remote::Sizes sizes() const noexcept;
  /// What a process of it said goes with what others said.
  void keep_words(std::span<std::byte> said) const {
    if (recipe_.from == Recipe::From::fmu) said_.take_over(fmu::Messages(said));
  }

 private:
  ModelSource() = default;
  [[nodiscard]] Result<std::string> ask_what_it_is() const;

  Recipe recipe_;
  std::unique_ptr<const Described> described_;  // of a plug-in
  fmu::Unopened unopened_;                      // of an FMU
  std::string jacobian_;
  model::Description description_;
  mutable fmu::Messages said_;
};

/// Watches it in all its calls, as examine::examine() does, in a process of its own. Error: it did
/// not come up there.
[[nodiscard]] Result<examine::Examination> examined(const ModelSource& source, const Way& way,
                                                    std::span<const double> parameters,
                                                    std::span<const double> initial,
                                                    const examine::ExaminationOptions& options);

}  // namespace hild::contain
