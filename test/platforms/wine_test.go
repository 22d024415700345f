package platforms

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// wineEnv keeps wine to a folder of its own and quiet. Names of files are UTF-8, whatever the locale of who runs the tests.
func wineEnv() []string {
	return []string{"WINEPREFIX=" + filepath.Join(work, "wine"), "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=", "LC_ALL=C.UTF-8"}
}

// drive is a path of wine's drive C.
func drive(path ...string) string {
	return filepath.Join(append([]string{work, "wine", "drive_c"}, path...)...)
}

var wineStarted bool

// startWine makes wine's folder.
var startWine = sync.OnceValue(func() error {
	wineStarted = true
	if err := wine("wine", "wineboot", "--init"); err != nil {
		return err
	}
	return addRandom(drive("windows", "system32", "bcryptprimitives.dll"))
})

// stopWine ends what wine leaves running for the next program.
func stopWine() {
	if wineStarted {
		_ = wine("wineserver", "--kill")
	}
}

func wine(command ...string) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), wineEnv()...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", command, err, out)
	}
	return nil
}

// addRandom adds the library that programs of Go get random numbers from, which wine has since 8.10 and Debian 12's has not:
// one that leads to another of wine's. It returns in AL only, which is what the runtime looks at.
func addRandom(library string) error {
	if _, err := os.Stat(library); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	definition := filepath.Join(work, "random.def")
	text := "LIBRARY bcryptprimitives.dll\nEXPORTS\n  ProcessPrng = advapi32.SystemFunction036\n"
	if err := os.WriteFile(definition, []byte(text), 0o644); err != nil {
		return err
	}
	out, err := exec.Command("x86_64-w64-mingw32-ld", "--dll", "-o", library, definition).CombinedOutput()
	if err != nil {
		return fmt.Errorf("this wine lacks bcryptprimitives.dll; Debian's binutils-mingw-w64-x86-64 makes it: %w\n%s", err, out)
	}
	return nil
}
