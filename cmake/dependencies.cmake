# The libraries that Ricochet stands on, all from Debian packages (scripts/install-packages), and which room uses which.
# `dependencies_<room>` stays private to the room and its tests: no public header needs it.

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(TBB REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)

# SuiteSparse 5 brings no CMake package.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(KLU_LIBRARY klu REQUIRED)
mark_as_advanced(KLU_INCLUDE_DIR KLU_LIBRARY)
add_library(SuiteSparse::klu UNKNOWN IMPORTED)
set_target_properties(SuiteSparse::klu PROPERTIES IMPORTED_LOCATION "${KLU_LIBRARY}"
                                                  INTERFACE_INCLUDE_DIRECTORIES "${KLU_INCLUDE_DIR}")

# Bullet in double precision, which only the broad phase in geometry/ knows.
find_package(PkgConfig REQUIRED)
pkg_check_modules(BULLET REQUIRED IMPORTED_TARGET bullet-float64)
pkg_check_modules(ASSIMP REQUIRED IMPORTED_TARGET assimp) # its CMake package asks for libraries that it does not need

# Imported targets are SYSTEM: their headers give no warnings.
target_link_libraries(ricochet_options INTERFACE Eigen3::Eigen fmt::fmt)
set(dependencies_math TBB::tbb)
set(dependencies_linalg SuiteSparse::klu)
set(dependencies_geometry PkgConfig::BULLET)
set(dependencies_io PkgConfig::ASSIMP yaml-cpp hdf5::hdf5 nlohmann_json::nlohmann_json ZLIB::ZLIB Threads::Threads)
set(dependencies_app CLI11::CLI11)
