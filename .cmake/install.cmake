# SPDX-License-Identifier: Apache-2.0
# What models and drivers are built with outside of this tree, by find_package(hild): headers, libraries
# of what they call, flags, hild_add_model() and hild_add_driver(). The libraries are compiled again, to live in
# shared objects.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# hild_sdk(TARGET NAME source...): hild::NAME, of these.
function(hild_sdk target name)
  add_library(${target} STATIC ${ARGN})
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name}
    OUTPUT_NAME hild-${name}
    POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  # The bits of a run must not depend on where a model was compiled: no fused multiply-add.
  target_compile_options(${target} PUBLIC -ffp-contract=off)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC fmt::fmt tl::expected)
endfunction()

file(GLOB sdk_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/src/model/*.cpp ${PROJECT_SOURCE_DIR}/src/numerics/*.cpp)
hild_sdk(hild_sdk model ${sdk_sources})
file(GLOB driver_sdk_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/rt/*.cpp
  ${PROJECT_SOURCE_DIR}/src/rt/confined/*.cpp ${PROJECT_SOURCE_DIR}/src/core/child_process.cpp)
hild_sdk(hild_driver_sdk driver ${PROJECT_SOURCE_DIR}/src/io/registry.cpp ${driver_sdk_sources})
target_link_libraries(hild_driver_sdk PUBLIC Threads::Threads)
target_include_directories(hild_driver_sdk PRIVATE ${PROJECT_SOURCE_DIR}/src)
# Eigen is headers alone, and none of its names is in those of hild: who builds a model needs none.
target_include_directories(hild_sdk SYSTEM PRIVATE
  $<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>)

install(TARGETS hild hild_sdk hild_driver_sdk EXPORT hild)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/hild DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/src/model/entry/plugin_entry.cpp
  ${PROJECT_SOURCE_DIR}/src/io/entry/driver_plugin_entry.cpp
  DESTINATION ${CMAKE_INSTALL_DATADIR}/hild)
# What every driver owes, as tests, for hild_add_driver_test(): as its sources include each other.
set(conformance ${CMAKE_INSTALL_DATADIR}/hild/conformance)
install(FILES tests/support/driver_conformance.hpp tests/support/text_options.hpp
  tests/support/heap_trap.hpp tests/support/heap_trap.cpp
  DESTINATION ${conformance}/support)
install(FILES src/cli/main/heap_calls.hpp src/cli/main/heap_interposed.cpp
  DESTINATION ${conformance}/cli/main)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hild)
configure_package_config_file(.cmake/hildConfig.cmake.in ${PROJECT_BINARY_DIR}/hildConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hildConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hildConfig.cmake ${PROJECT_BINARY_DIR}/hildConfigVersion.cmake
  .cmake/hildPlugins.cmake
  DESTINATION ${package})
install(EXPORT hild NAMESPACE hild:: FILE hildTargets.cmake DESTINATION ${package})


# systemd looks below /usr and /usr/local; it finds hild in either bin.
install(FILES systemd/hild@.service DESTINATION lib/systemd/system)
install(FILES systemd/hild.sysusers.conf DESTINATION lib/sysusers.d RENAME hild.conf)
install(FILES systemd/hild.tmpfiles.conf DESTINATION lib/tmpfiles.d RENAME hild.conf)
install(FILES systemd/60-hild.rules DESTINATION lib/udev/rules.d)
# For those who copy them: which CPUs are to be isolated is theirs to say.
install(DIRECTORY systemd/isolated/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/systemd)

install(DIRECTORY config/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

# The pages lie side by side there, so that messages can name them (core/doc_page.hpp); of the tree's
# README the links follow, and what is in the tree alone is named only.
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS README.md)
file(READ README.md readme)
string(REPLACE "](docs/" "](" readme "${readme}")
string(REGEX REPLACE "\\[([^]]*)\\]\\(tests/[^)]*\\)" "\\1" readme "${readme}")
file(WRITE ${PROJECT_BINARY_DIR}/readme/README.md "${readme}")
install(FILES ${PROJECT_BINARY_DIR}/readme/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
