# libmockddb: the server without its sockets, for other programs (mockddb/library/mockddb.h): docs/library.md. As
# the program, it links the system's SQLite and other libraries or, with MOCKDDB_STATIC, has them inside; then it
# exports nothing of them, so that a host with another SQLite keeps its own.
set(MOCKDDB_ABI 1) # MOCKDDB_ABI in mockddb.h
set(library_folder ${PROJECT_BINARY_DIR}/lib)
set(exports ${PROJECT_SOURCE_DIR}/cmake/library.map)
add_library(mockddb_object OBJECT mockddb/library/mockddb.c)
set_target_properties(mockddb_object PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_link_libraries(mockddb_object PRIVATE mockddb_options PkgConfig::EVENT)

add_library(mockddb_shared SHARED $<TARGET_OBJECTS:mockddb_object>)
set_target_properties(mockddb_shared PROPERTIES OUTPUT_NAME mockddb VERSION ${PROJECT_VERSION} SOVERSION ${MOCKDDB_ABI}
    PUBLIC_HEADER mockddb/library/mockddb.h LIBRARY_OUTPUT_DIRECTORY ${library_folder} LINKER_LANGUAGE C
    LINK_DEPENDS ${exports})
target_link_libraries(mockddb_shared PRIVATE mockddb_core)
if(APPLE)
    target_link_options(mockddb_shared PRIVATE -Wl,-exported_symbol,_mockddb_* -Wl,-dead_strip)
else()
    target_link_options(mockddb_shared PRIVATE -Wl,--version-script=${exports} -Wl,--gc-sections)
endif()
install(TARGETS mockddb_shared LIBRARY OPTIONAL PUBLIC_HEADER)

set(needs ${SQLITE_LINK_LIBRARIES} ${DEFLATE_LINK_LIBRARIES} ${ZLIB_LINK_LIBRARIES} ${ZSTD_LINK_LIBRARIES}
    ${YAML_LINK_LIBRARIES} ${CRYPTO_LINK_LIBRARIES})
set(inside ${needs})
list(FILTER inside INCLUDE REGEX "\\.a$")
list(FILTER needs EXCLUDE REGEX "\\.a$")
list(APPEND needs m pthread ${CMAKE_DL_LIBS})

# The archive is one object whose symbols are local, but those of the header.
if(NOT APPLE)
    if(inside MATCHES "libcrypto" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
        target_sources(mockddb_object PRIVATE cmake/ia32cap.c)
    endif()
    set(archive ${library_folder}/libmockddb.a)
    set(object ${library_folder}/mockddb.o)
    add_custom_command(OUTPUT ${archive}
        COMMAND ${CMAKE_LINKER} -r -o ${object} $<TARGET_OBJECTS:mockddb_object>
                --start-group $<TARGET_FILE:mockddb_core> ${inside} --end-group
        COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=mockddb_* ${object}
        COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
        COMMAND ${CMAKE_AR} qcs ${archive} ${object}
        COMMAND ${CMAKE_COMMAND} -E rm ${object}
        DEPENDS mockddb_object mockddb_core $<TARGET_OBJECTS:mockddb_object>
        COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(mockddb_archive_file ALL DEPENDS ${archive})
    add_library(mockddb_archive INTERFACE)
    add_dependencies(mockddb_archive mockddb_archive_file)
    target_link_libraries(mockddb_archive INTERFACE ${archive} ${needs})
    install(FILES ${archive} TYPE LIB OPTIONAL)
endif()

list(TRANSFORM needs REPLACE "^.*/lib([^/]*)\\.(so|dylib)$" "\\1" OUTPUT_VARIABLE needs)
list(TRANSFORM needs PREPEND "-l")
list(JOIN needs " " LIBRARY_NEEDS)
configure_file(cmake/libmockddb.pc.in libmockddb.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/libmockddb.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
