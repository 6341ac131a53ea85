# SPDX-License-Identifier: Apache-2.0
# `make package`: man pages from the programs' own help, completions from the client's own words, and
# a Debian package of what is installed.
find_program(HELP2MAN help2man)
if(HELP2MAN)
  set(pages)
  foreach(program hild hildctl)
    set(page ${PROJECT_BINARY_DIR}/man/${program}.1)
    add_custom_command(OUTPUT ${page}.gz
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
      COMMAND ${PROJECT_SOURCE_DIR}/.ci/man_page $<TARGET_FILE:${program}> ${page}
      COMMAND gzip -9nf ${page}
      DEPENDS ${program} ${PROJECT_SOURCE_DIR}/.ci/man_page VERBATIM)
    list(APPEND pages ${page}.gz)
  endforeach()
  add_custom_target(man DEPENDS ${pages})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT package
    EXCLUDE_FROM_ALL)
endif()

# Where each shell looks: hildctl_completion(SHELL FOLDER NAME)
function(hildctl_completion shell folder name)
  set(script ${PROJECT_BINARY_DIR}/completions/${shell}/${name})
  add_custom_command(OUTPUT ${script}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completions/${shell}
    COMMAND hildctl completion ${shell} > ${script}
    DEPENDS hildctl VERBATIM)
  add_custom_target(completion_${shell} DEPENDS ${script})
  install(FILES ${script} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} COMPONENT package
    EXCLUDE_FROM_ALL)
endfunction()
hildctl_completion(bash bash-completion/completions hildctl)
hildctl_completion(zsh zsh/vendor-completions _hildctl)
hildctl_completion(fish fish/vendor_completions.d hildctl.fish)

# What Debian asks of every package.
set(maintainer "hild developers <hild@debian.example.org>")
set(debian ${PROJECT_BINARY_DIR}/debian)
file(CONFIGURE OUTPUT ${debian}/changelog CONTENT "hild (@PROJECT_VERSION@) bookworm; urgency=medium

  * See the history of the sources.

 -- @maintainer@  Sat, 21 Nov 2026 12:00:00 +0000
" @ONLY)
file(CONFIGURE OUTPUT ${debian}/copyright CONTENT
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: hild

Files: *
Copyright: 2026 hild developers
License: Apache-2.0
 On Debian systems, the text of the Apache License, Version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
" @ONLY)
execute_process(COMMAND gzip -9n INPUT_FILE ${debian}/changelog OUTPUT_FILE ${debian}/changelog.gz)
install(FILES ${debian}/changelog.gz ${debian}/copyright
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hild COMPONENT package EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hild)
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
  GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What plug-ins are built with is in the package of the daemon that loads them, since both must be of
# one version; a rig that builds none need not have a compiler.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, ninja-build, libfmt-dev, libexpected-dev, python3, rt-tests")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "hardware-in-the-loop real-time simulation executive")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Runs the model of a plant in lock-step with real time, so that real hardware
can be wired to a simulated world through A/D and D/A converters (Comedi).

With a daemon (hild), its client (hildctl), a systemd unit for each rig, and
the headers for authors of models and drivers.")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/systemd/debian/postinst ${PROJECT_SOURCE_DIR}/systemd/debian/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # the tests are in no package
include(CPack)
add_custom_target(deb
  COMMAND ${CMAKE_CPACK_COMMAND} --config ${PROJECT_BINARY_DIR}/CPackConfig.cmake
    -B ${PROJECT_BINARY_DIR}/package
  DEPENDS hild hildctl hild_sdk completion_bash completion_zsh completion_fish VERBATIM)
if(TARGET man)
  add_dependencies(deb man)
endif()
