// SPDX-License-Identifier: Apache-2.0
/// Compiled into every plug-in, by its own compiler: what it says of itself, and its model, which
/// registers itself as a built-in one does.
#include "hild/model/plugin.hpp"

extern "C" [[gnu::visibility("default")]] const hild::model::Plugin* hild_model_plugin() {
  using namespace hild::model;
  static const Plugin plugin{plugin_abi,    sizeof(Plugin),  plugin_library,
                             plugin_layout, models().data(), models().size()};
  return &plugin;
}
