# mockddb.node: libmockddb for Node.js (packages/npm/addon). It is built without Node.js: its symbols are found when
# Node.js loads it, and it loads the library beside it. Without sanitizers: those are in the library.
add_library(mockddb_node MODULE packages/npm/addon/addon.c)
set_target_properties(mockddb_node PROPERTIES PREFIX "" SUFFIX .node OUTPUT_NAME mockddb C_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${library_folder})
target_include_directories(mockddb_node PRIVATE mockddb/library)
target_link_libraries(mockddb_node PRIVATE mockddb_warnings ${CMAKE_DL_LIBS})
target_link_options(mockddb_node PRIVATE -Wl,$<IF:$<BOOL:${APPLE}>,-undefined$<COMMA>dynamic_lookup,-z$<COMMA>undefs>)
