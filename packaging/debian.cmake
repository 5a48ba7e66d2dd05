# SPDX-License-Identifier: BSD-3-Clause
# Four Debian packages: the shared library, what programs are compiled with, the generator, and the package for Python.
set(CPACK_PACKAGE_VENDOR "the sidewinder authors")
set(SIDEWINDER_CONTACT "the sidewinder authors <sidewinder@localhost>" CACHE STRING "Who maintains the Debian packages")
set(CPACK_PACKAGE_CONTACT ${SIDEWINDER_CONTACT})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL library development)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

set(soname ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(library libsidewinder${soname})
set(exactly "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

# component, package, section, description; the first line of which is the synopsis
macro(debian_package component package section description)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${description}")
  set(documents ${CMAKE_INSTALL_DATADIR}/doc/${package})
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/copyright ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian.gz
          DESTINATION ${documents} COMPONENT ${component})
endmacro()

# gzip writes no name and no time, so that the packages are the same whenever they are made.
configure_file(copyright copyright COPYONLY)
execute_process(COMMAND gzip -9n INPUT_FILE ${CMAKE_CURRENT_SOURCE_DIR}/changelog
                OUTPUT_FILE ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian.gz COMMAND_ERROR_IS_FATAL ANY)

debian_package(library ${library} libs "SHAKE and RATTLE for coisotropic constraints, shared library
Steps of Hamiltonian systems with constraints on positions and momenta,
for models that the generator of the package sidewinder has written as C.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/triggers)

debian_package(development libsidewinder-dev libdevel "SHAKE and RATTLE for coisotropic constraints, headers
Headers, the static library, and files for CMake and pkg-config, with
which C of the generator of the package sidewinder is compiled.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${library} ${exactly}, libc6-dev, libsundials-dev, libsuitesparse-dev, liblapacke-dev, libjansson-dev")

if(SIDEWINDER_GENERATOR)
  list(APPEND CPACK_COMPONENTS_ALL generator)
  debian_package(generator sidewinder science "verified integrators in C from Hamiltonian and constraints
Analyses a Hamiltonian with constraints on positions and momenta,
differentiates it symbolically, and writes, compiles and runs specialised
C that keeps the structure.")
  set(CPACK_DEBIAN_GENERATOR_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_GENERATOR_PACKAGE_DEPENDS "libsidewinder-dev ${exactly}, gcc | c-compiler")
  set(CPACK_DEBIAN_GENERATOR_PACKAGE_RECOMMENDS "gnuplot-nox, libhdf5-dev")

  # Where Debian's Python looks; others take `pip install`, so that `cmake --install` leaves it out.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/sidewinder DESTINATION lib/python3/dist-packages COMPONENT python EXCLUDE_FROM_ALL
          FILES_MATCHING PATTERN "*.py" PATTERN "shim.c" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  list(APPEND CPACK_COMPONENTS_ALL python)
  debian_package(python python3-sidewinder python "verified integrators from Hamiltonian and constraints, Python
Models of the package sidewinder as Python objects: analysed, compiled and
run, one trajectory or many, with results as NumPy arrays.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.9), python3-numpy, sidewinder (>= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-matplotlib, python3-xarray")
endif()
include(CPack)
