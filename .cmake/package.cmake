# SPDX-License-Identifier: Apache-2.0
# `make package`: man pages from the programs' own help and the page of the configuration, completions
# from the client's own words, and two Debian packages: hild, what is installed and all of these, and
# python3-hild, the client where Python looks.
set(documents /usr/share/doc/hild)  # of the package, whatever the prefix of an installation by CMake
find_program(HELP2MAN help2man)
if(HELP2MAN)
  set(pages)
  foreach(program hild hildctl)
    set(page ${PROJECT_BINARY_DIR}/man/${program}.1)
    add_custom_command(OUTPUT ${page}.gz
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
      COMMAND ${PROJECT_SOURCE_DIR}/.ci/man_page $<TARGET_FILE:${program}> ${page} ${documents}
      COMMAND gzip -9nf ${page}
      DEPENDS ${program} ${PROJECT_SOURCE_DIR}/.ci/man_page VERBATIM)
    list(APPEND pages ${page}.gz)
  endforeach()
  add_custom_target(man DEPENDS ${pages})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT package
    EXCLUDE_FROM_ALL)
endif()

find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(page ${PROJECT_BINARY_DIR}/man/hild.yaml.5)
  add_custom_command(OUTPUT ${page}.gz
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/.ci/page_as_man
      ${PROJECT_SOURCE_DIR}/docs/configuration.md ${page} ${documents}
    COMMAND gzip -9nf ${page}
    DEPENDS ${PROJECT_SOURCE_DIR}/docs/configuration.md ${PROJECT_SOURCE_DIR}/.ci/page_as_man VERBATIM)
  add_custom_target(man5 DEPENDS ${page}.gz)
  install(FILES ${page}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT package
    EXCLUDE_FROM_ALL)
endif()

# Where each shell looks: hild_completion(PROGRAM SHELL FOLDER NAME)
function(hild_completion program shell folder name)
  set(script ${PROJECT_BINARY_DIR}/completions/${shell}/${name})
  add_custom_command(OUTPUT ${script}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completions/${shell}
    COMMAND ${program} completion ${shell} > ${script}
    DEPENDS ${program} VERBATIM)
  add_custom_target(completion_${program}_${shell} DEPENDS ${script})
  install(FILES ${script} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} COMPONENT package
    EXCLUDE_FROM_ALL)
endfunction()
set(completions)
foreach(program hild hildctl)
  hild_completion(${program} bash bash-completion/completions ${program})
  hild_completion(${program} zsh zsh/vendor-completions _${program})
  hild_completion(${program} fish fish/vendor_completions.d ${program}.fish)
  list(APPEND completions completion_${program}_bash completion_${program}_zsh completion_${program}_fish)
endforeach()

# What Debian asks of every package.
set(maintainer "hild developers <hild@debian.example.org>")
set(debian ${PROJECT_BINARY_DIR}/debian)
foreach(package hild python3-hild)
  file(CONFIGURE OUTPUT ${debian}/${package}/changelog CONTENT "@package@ (@PROJECT_VERSION@) bookworm; urgency=medium

  * See the history of the sources.

 -- @maintainer@  Sat, 21 Nov 2026 12:00:00 +0000
" @ONLY)
  execute_process(COMMAND gzip -9n INPUT_FILE ${debian}/${package}/changelog
    OUTPUT_FILE ${debian}/${package}/changelog.gz)
endforeach()
file(CONFIGURE OUTPUT ${debian}/copyright CONTENT
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: hild

Files: *
Copyright: 2026 hild developers
License: Apache-2.0
 On Debian systems, the text of the Apache License, Version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
" @ONLY)
install(FILES ${debian}/hild/changelog.gz ${debian}/copyright
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hild COMPONENT package EXCLUDE_FROM_ALL)
install(FILES ${debian}/python3-hild/changelog.gz ${debian}/copyright
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-hild COMPONENT python3 EXCLUDE_FROM_ALL)
install(FILES src/cli/ctl/python/hild.py DESTINATION lib/python3/dist-packages COMPONENT python3
  EXCLUDE_FROM_ALL)

# A service that is ready to start, and a configuration to begin with: the administrator's from then on.
install(FILES config/demo.yaml DESTINATION ../etc/hild COMPONENT package EXCLUDE_FROM_ALL)
file(WRITE ${debian}/conffiles "/etc/hild/demo.yaml\n")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hild)
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
  GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own, the first line of its description
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL Unspecified package python3)
set(CPACK_COMPONENT_UNSPECIFIED_GROUP hild)
set(CPACK_COMPONENT_PACKAGE_GROUP hild)
set(CPACK_COMPONENT_PYTHON3_GROUP python)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_HILD_PACKAGE_NAME hild)
set(CPACK_DEBIAN_HILD_PACKAGE_SECTION science)
set(CPACK_DEBIAN_HILD_PACKAGE_SHLIBDEPS ON)
# What plug-ins are built with is in the package of the daemon that loads them, since both must be of
# one version; a rig that builds none need not have a compiler.
set(CPACK_DEBIAN_HILD_PACKAGE_SUGGESTS
  "python3-hild, g++, cmake, make | ninja-build, libfmt-dev, libexpected-dev, libgtest-dev, rt-tests")
set(CPACK_DEBIAN_HILD_DESCRIPTION
"hardware-in-the-loop real-time simulation executive
Runs the model of a plant in lock-step with real time, so that real hardware
can be wired to a simulated world through A/D and D/A converters (Comedi).

With a daemon (hild), its client (hildctl), a systemd unit for each rig, one
of them ready to start (hild@demo), the documentation, and the headers for
authors of models and drivers.")
set(CPACK_DEBIAN_HILD_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/systemd/debian/postinst
  ${PROJECT_SOURCE_DIR}/systemd/debian/postrm ${debian}/conffiles)

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-hild)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.9)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS hild)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION
"steer runs of hild from Python
The client of hild, a hardware-in-the-loop real-time simulation executive, as
one module without dependencies: reads and follows signals, sets parameters,
injects faults, several changes at the start of one step.")
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # the tests are in no package
include(CPack)
# Packages of an older make are not taken for this one's.
add_custom_target(deb
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/package
  COMMAND ${CMAKE_CPACK_COMMAND} --config ${PROJECT_BINARY_DIR}/CPackConfig.cmake
    -B ${PROJECT_BINARY_DIR}/package
  DEPENDS hild hildctl hild_sdk hild_driver_sdk ${completions} VERBATIM)
foreach(target man man5)
  if(TARGET ${target})
    add_dependencies(deb ${target})
  endif()
endforeach()
