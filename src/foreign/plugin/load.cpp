// SPDX-License-Identifier: Apache-2.0
#include "foreign/plugin/load.hpp"

#include "foreign/plugin/shared_object.hpp"
#include "hild/model/plugin.hpp"

namespace hild::plugin {
namespace {

constexpr Kind kind_of_models{"model",           model::plugin_entry,
                              model::plugin_abi, model::plugin_layout,
                              "hild_add_model",  "HILD_MODEL"};

}  // namespace

Result<void> check(const std::filesystem::path& file) { return check_file(file); }

Result<const model::Registration*> open(const std::filesystem::path& file) {
  auto model = open_one<model::Registration>(file, kind_of_models);
  if (!model) return model;
  if (auto good = check_description((*model)->description); !good) {
    return tl::make_unexpected(good.error());
  }
  return model;
}

Result<const model::Registration*> load(const std::filesystem::path& file) {
  const auto absolute = std::filesystem::absolute(file);  // a name without `/` would be searched
  auto good = check(absolute);
  auto model = good ? open(absolute) : tl::make_unexpected(good.error());
  if (!model) return refusal(file, model.error());
  return model;
}

}  // namespace hild::plugin
