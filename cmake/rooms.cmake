# The rooms of the library, in order: a room may include only itself and rooms before it (tests/house checks).
# Each becomes a static library `ricochet_<room>` that links the room before it, and so all of them; the last one, app,
# is the program `ricochet`.
set(RICOCHET_ROOMS
    math
    linalg
    cone
    geometry
    model
    mechanics
    contact
    forces
    integrate
    simulation
    study
    io
    app)

set(RICOCHET_TOP_ROOM ricochet_options) # the last library defined so far
foreach(room IN LISTS RICOCHET_ROOMS)
  set(folder "${PROJECT_SOURCE_DIR}/src/ricochet/${room}")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${folder}/*.hpp")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  if(room STREQUAL "app")
    if(sources)
      add_executable(ricochet ${sources})
      target_link_libraries(ricochet PRIVATE ${RICOCHET_TOP_ROOM} ${dependencies_app})
      set_target_properties(ricochet PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
      install(TARGETS ricochet)
    endif()
  elseif(sources)
    add_library(ricochet_${room} STATIC ${sources})
    target_link_libraries(ricochet_${room} PUBLIC ${RICOCHET_TOP_ROOM} PRIVATE ${dependencies_${room}})
    set(RICOCHET_TOP_ROOM ricochet_${room})
  elseif(headers)
    add_library(ricochet_${room} INTERFACE)
    target_link_libraries(ricochet_${room} INTERFACE ${RICOCHET_TOP_ROOM})
    set(RICOCHET_TOP_ROOM ricochet_${room})
  endif()
endforeach()

# Facts about this build, each known to one file (which CMake then keeps out of the unity build).
set(io "${PROJECT_SOURCE_DIR}/src/ricochet/io")
set_source_files_properties("${io}/version.cpp" PROPERTIES COMPILE_DEFINITIONS "RICOCHET_VERSION=\"${RICOCHET_VERSION}\"")
set_source_files_properties("${io}/shipped_scenes.cpp"
                            PROPERTIES COMPILE_DEFINITIONS "RICOCHET_SCENES_DIR=\"${PROJECT_SOURCE_DIR}/scenes\"")

# The headers of Bullet, oneTBB and assimp, too, are for one file each.
foreach(file geometry/broad_phase math/threads io/mesh_file)
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/ricochet/${file}.cpp" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()
