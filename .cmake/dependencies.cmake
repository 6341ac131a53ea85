# SPDX-License-Identifier: Apache-2.0
# All from Debian: `make deps` installs what is missing.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(Boost 1.81 REQUIRED COMPONENTS json)

function(hild_find_library name header library)
  find_path(${name}_INCLUDE ${header} PATH_SUFFIXES ${ARGN} REQUIRED)
  find_library(${name}_LIBRARY ${library} REQUIRED)
  add_library(hild_${name} INTERFACE)
  target_include_directories(hild_${name} SYSTEM INTERFACE ${${name}_INCLUDE})
  target_link_libraries(hild_${name} INTERFACE ${${name}_LIBRARY})
endfunction()
hild_find_library(udunits udunits2.h udunits2)
hild_find_library(comedi comedilib.h comedi)
hild_find_library(systemd systemd/sd-daemon.h systemd)
hild_find_library(deflate libdeflate.h deflate)
# That without MPI: a header of its own, and a library of its own name.
hild_find_library(hdf5 hdf5.h hdf5_serial hdf5/serial)
