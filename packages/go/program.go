package mockddbtest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
)

var registered []byte

// RegisterProgram gives the server's program for this platform. The package
// github.com/mockddb/mockddbtest/program calls it.
func RegisterProgram(program []byte) { registered = program }

func findProgram() (string, error) {
	if named := os.Getenv("MOCKDDB_BINARY"); named != "" {
		return named, nil
	}
	if registered != nil {
		return unpackProgram(registered)
	}
	if found, err := exec.LookPath("mockddb"); err == nil {
		return filepath.Abs(found)
	}
	return "", fmt.Errorf("there is no mockddb for %s/%s: import github.com/mockddb/mockddbtest/program, "+
		"put mockddb on the PATH, or its path into MOCKDDB_BINARY", runtime.GOOS, runtime.GOARCH)
}

// unpackProgram returns the path of a file with the program, in the user's folder for caches. Programs that run at the
// same time may write it; each sees it as a whole or not at all.
func unpackProgram(program []byte) (string, error) {
	caches, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for mockddb's program (%w): put its path into MOCKDDB_BINARY", err)
	}
	folder := filepath.Join(caches, "mockddb", fmt.Sprintf("%.12x", sha256.Sum256(program)))
	path := filepath.Join(folder, "mockddb")
	if content, err := os.ReadFile(path); err == nil && bytes.Equal(content, program) {
		return path, nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	return path, writeProgram(folder, path, program)
}

func writeProgram(folder, path string, program []byte) error {
	// No process is forked while the file is open: it would hold the file open, too, and a program that is open for
	// writing cannot be started.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	file, err := os.CreateTemp(folder, "unfinished-")
	if err != nil {
		return err
	}
	_, err = file.Write(program)
	if err == nil {
		err = file.Chmod(0o700)
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}
