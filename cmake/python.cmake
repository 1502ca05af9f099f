# The Python module: `import ricochet` with build/<preset>/python on the path. Include it after `rooms`.
#
# Needs pybind11 and NumPy for the system's Python (another python3 may come first on the path). The compiled part is
# _ricochet; the rest is Python, linked into the build tree so that an edit needs no build. Without pybind11 the program is
# complete, and a message says what is lost.

option(RICOCHET_PYTHON_MODULE "Build the Python module; needs pybind11 and NumPy" ON)
find_program(RICOCHET_PYTHON NAMES python3 HINTS /usr/bin REQUIRED)
mark_as_advanced(RICOCHET_PYTHON)
set(python_lost "there will be no Python module (import ricochet), and its tests are left out")

if(NOT RICOCHET_PYTHON_MODULE)
  message(STATUS "The Python module is switched off: ${python_lost}")
  return()
elseif(RICOCHET_SANITIZE)
  message(STATUS "A module with sanitizers does not load into an ordinary Python: ${python_lost}")
  return()
endif()
set(Python_EXECUTABLE "${RICOCHET_PYTHON}")
find_package(Python QUIET COMPONENTS Interpreter Development.Module NumPy)
find_package(pybind11 2.10 QUIET)
if(NOT Python_FOUND OR NOT pybind11_FOUND)
  message(STATUS "python3-dev, python3-numpy or pybind11-dev is not installed: ${python_lost}")
  return()
endif()

set(python "${PROJECT_SOURCE_DIR}/python")
set(RICOCHET_PYTHON_PATH "${PROJECT_BINARY_DIR}/python") # for PYTHONPATH
file(GLOB bindings CONFIGURE_DEPENDS "${python}/bindings/*.cpp")
pybind11_add_module(_ricochet MODULE NO_EXTRAS ${bindings})
target_include_directories(_ricochet PRIVATE "${python}")
target_link_libraries(_ricochet PRIVATE ${RICOCHET_TOP_ROOM})
# Steps run in the rooms; what is compiled here only hands over, and -O1 saves a quarter of the time to compile it.
target_compile_options(_ricochet PRIVATE $<$<CONFIG:Release>:-O1>)
set_target_properties(_ricochet PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${RICOCHET_PYTHON_PATH}/ricochet")

file(GLOB modules CONFIGURE_DEPENDS "${python}/ricochet/*.py" "${python}/ricochet/*.pyi" "${python}/ricochet/py.typed")
file(MAKE_DIRECTORY "${RICOCHET_PYTHON_PATH}/ricochet")
foreach(module IN LISTS modules)
  get_filename_component(name "${module}" NAME)
  file(CREATE_LINK "${module}" "${RICOCHET_PYTHON_PATH}/ricochet/${name}" SYMBOLIC)
endforeach()

set(python_installed "${CMAKE_INSTALL_LIBDIR}/ricochet/python/ricochet")
install(TARGETS _ricochet DESTINATION "${python_installed}")
install(FILES ${modules} DESTINATION "${python_installed}")
install(DIRECTORY "${python}/examples" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/ricochet/python")

# Tests: one CTest entry per file of tests/python; those of documents are labelled so.
file(GLOB python_tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/python/test_*.py")
foreach(file IN LISTS python_tests)
  get_filename_component(name "${file}" NAME_WE)
  string(REPLACE "test_" "python." name "${name}")
  add_test(NAME ${name} COMMAND "${RICOCHET_PYTHON}" -B "${file}")
  set_tests_properties(${name} PROPERTIES LABELS python TIMEOUT 300 ENVIRONMENT
                                          "PYTHONPATH=${RICOCHET_PYTHON_PATH};MPLBACKEND=Agg")
endforeach()
set_tests_properties(python.docs PROPERTIES LABELS docs)
