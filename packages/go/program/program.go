// Package program has mockddb's program for the platforms that it was packed for, so that tests need no other
// installation. Import it for its effect, in one file of a package's tests:
//
//	import _ "github.com/mockddb/mockddbtest/program"
//
// The files of its platforms are made when the module is packed.
package program
