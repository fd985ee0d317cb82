module github.com/mockddb/mockddbtest/program

go 1.21

require github.com/mockddb/mockddbtest v0.0.0

replace github.com/mockddb/mockddbtest => ../
