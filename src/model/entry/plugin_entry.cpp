// SPDX-License-Identifier: Apache-2.0
/// Compiled into every plug-in, by its own compiler: what it says of itself, and its model, which
/// registers itself as a built-in one does.
#include "hild/model/plugin.hpp"

extern "C" [[gnu::visibility("default")]] const hild::model::Plugin* hild_model_plugin() {
  namespace model = hild::model;
  static const model::Plugin plugin{model::plugin_abi,      sizeof(model::Plugin),
                                    hild::plugin_library,   model::plugin_layout,
                                    model::models().data(), model::models().size()};
  return &plugin;
}
