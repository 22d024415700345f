//go:build !unix

package atomicfile

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: the file inherits its folder's access rights here.
func keepOwner(*os.File, fs.FileInfo) {}
