# The installed library, for find_package(carom): targets carom::carom (shared) and carom::static.
get_filename_component(_carom_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_carom_lib "${_carom_prefix}/lib")

if(NOT TARGET carom::carom)
    add_library(carom::carom SHARED IMPORTED)
    set_target_properties(carom::carom PROPERTIES
        IMPORTED_LOCATION "${_carom_lib}/${CMAKE_SHARED_LIBRARY_PREFIX}carom_c${CMAKE_SHARED_LIBRARY_SUFFIX}"
        IMPORTED_NO_SONAME TRUE
        INTERFACE_INCLUDE_DIRECTORIES "${_carom_prefix}/include")

    find_package(Threads REQUIRED)
    add_library(carom::static STATIC IMPORTED)
    set_target_properties(carom::static PROPERTIES
        IMPORTED_LOCATION "${_carom_lib}/${CMAKE_STATIC_LIBRARY_PREFIX}carom_c${CMAKE_STATIC_LIBRARY_SUFFIX}"
        INTERFACE_COMPILE_DEFINITIONS CAROM_STATIC
        INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};$<$<PLATFORM_ID:Linux>:m>"
        INTERFACE_INCLUDE_DIRECTORIES "${_carom_prefix}/include")
endif()
