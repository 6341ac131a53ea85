// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model that is not trusted, as hild knows it: its description, and where its code is, which
/// runs in other processes only. Load time.
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
  /// A model of hild's own. Its process makes it by its name.
  [[nodiscard]] static std::shared_ptr<const ModelSource> built_in(
      const model::Registration& model);
  /// A plug-in. It is asked for its description in a process of its own. Error: as plugin::load(),
  /// or how that process failed.
  [[nodiscard]] static Result<std::shared_ptr<const ModelSource>> plugin(
      const std::filesystem::path& file);
  /// An FMU. It is unpacked and read in this process; it is opened, and under model exchange
  /// initialised, in one of its own.
  [[nodiscard]] static Result<std::shared_ptr<const ModelSource>> fmu(
      const std::filesystem::path& file, const fmu::LoadOptions& options);
  ~ModelSource();  ///< shows the messages of its processes

  [[nodiscard]] const model::Description& description() const noexcept { return description_; }
  [[nodiscard]] const Recipe& recipe() const noexcept { return recipe_; }
  /// Properties of an FMU; of other models model exchange, 0 and empty.
  [[nodiscard]] fmu::Kind kind() const noexcept { return unopened_.kind; }
  [[nodiscard]] double fixed_step() const noexcept { return unopened_.fixed_step; }
  [[nodiscard]] const std::string& jacobian() const noexcept { return jacobian_; }

  /// The sizes of its exchange page.
  [[nodiscard]] remote::Sizes sizes() const noexcept;
  /// Adds the messages of one of its processes to those of the others.
  void keep_words(std::span<std::byte> said) const {
    if (recipe_.from == Recipe::From::fmu) said_.take_over(fmu::Messages(said));
  }

 private:
  ModelSource() = default;
  [[nodiscard]] Result<std::unique_ptr<const Described>> ask_what_it_is();

  Recipe recipe_;
  std::unique_ptr<const Described> described_;  // of a plug-in
  fmu::Unopened unopened_;                      // of an FMU
  std::string jacobian_;
  model::Description description_;
  mutable fmu::Messages said_;
};

/// Examines the model in all its calls, as examine::examine() does, in a process of its own. Error:
/// it could not be made there.
[[nodiscard]] Result<examine::Examination> examined(const ModelSource& source, const Way& way,
                                                    std::span<const double> parameters,
                                                    std::span<const double> initial,
                                                    const examine::ExaminationOptions& options);

}  // namespace hild::contain
