// Command hold opens a file of Windows without sharing it, says so, and holds it until its standard input ends.
package main

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

func main() {
	name, err := syscall.UTF16PtrFromString(os.Args[1])
	if err == nil {
		_, err = syscall.CreateFile(name, syscall.GENERIC_READ, syscall.FILE_SHARE_READ, nil, syscall.OPEN_EXISTING, 0, 0)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("held")
	io.Copy(io.Discard, os.Stdin)
}
