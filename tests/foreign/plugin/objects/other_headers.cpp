// SPDX-License-Identifier: Apache-2.0
/// Says that its descriptions have another size.
#include "hild/model/plugin.hpp"

extern "C" [[gnu::visibility("default")]] const hild::model::Plugin* hild_model_plugin() {
  namespace model = hild::model;
  static constexpr model::Plugin plugin = [] {
    model::Plugin p{model::plugin_abi,
                    sizeof(model::Plugin),
                    hild::plugin_library,
                    model::plugin_layout,
                    nullptr,
                    0};
    p.layout[1] += 8;
    return p;
  }();
  return &plugin;
}
