module github.com/mockddb/mockddbtest

go 1.21
