// Package corpus provides real manifests to tests and benchmarks. They are not part of the repository and add volume
// only: every lesson from them has a fixture. CRDLIFT_CORPUS names their folder; without it, that is shared/corpus
// beside the repository.
package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// Dir is the folder of the real manifests, which may not exist.
func Dir() string {
	if dir := os.Getenv("CRDLIFT_CORPUS"); dir != "" {
		return filepath.Clean(dir)
	}
	beside := filepath.Join("shared", "corpus")
	dir, err := os.Getwd()
	if err != nil {
		return beside
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, beside)); err == nil || dir == filepath.Dir(dir) {
			return filepath.Join(dir, beside)
		}
		dir = filepath.Dir(dir)
	}
}

// Cases is the folder of manifests that servers were asked about, beside the real ones. It may not exist either.
func Cases() string {
	return filepath.Join(filepath.Dir(Dir()), "cases")
}

// Need skips the test if there are no real manifests.
func Need(t testing.TB) {
	t.Helper()
	if _, err := os.Stat(Dir()); err != nil {
		t.Skipf("no corpus at %s: set CRDLIFT_CORPUS to a folder of real manifests", Dir())
	}
}

// Files lists the files in folders of the corpus, all of them by default. Without the corpus the test is skipped; with one
// that has none of them it fails.
func Files(t testing.TB, folders ...string) []string {
	t.Helper()
	Need(t)
	if len(folders) == 0 {
		folders = []string{"."}
	}
	var all []string
	for _, folder := range folders {
		all = append(all, Below(t, filepath.Join(Dir(), folder))...)
	}
	if len(all) == 0 {
		t.Fatalf("no files in %q of %s: is it a corpus?", folders, Dir())
	}
	return all
}

// Below lists the files below any folder, none if it does not exist.
func Below(t testing.TB, folder string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all = append(all, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return all
}

// Releases lists the manifests of successive releases of real CRDs, those of one CRD together and in their order.
// Without the corpus the test is skipped.
func Releases(t testing.TB) [][]string {
	t.Helper()
	Need(t)
	folders, err := filepath.Glob(filepath.Join(Dir(), "evolution", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for _, folder := range folders {
		all = append(all, Below(t, folder))
	}
	if len(all) == 0 {
		t.Fatalf("no evolution/*/* in %s: is it a corpus?", Dir())
	}
	return all
}

// All reports whether CRDLIFT_VOLUME=all asks for everything instead of samples.
func All() bool {
	return os.Getenv("CRDLIFT_VOLUME") == "all"
}

// Sample takes one of nth, in a short run one of ten times as many, and all with CRDLIFT_VOLUME=all. Which ones changes
// from day to day, so that in time every one is seen, and CRDLIFT_SEED repeats a day's.
func Sample[T any](t testing.TB, all []T, nth int) []T {
	t.Helper()
	if All() {
		return all
	}
	if testing.Short() {
		nth *= 10
	}
	seed := Seed(t)
	at := rand.New(rand.NewPCG(seed, uint64(len(all)))).Perm(len(all))[:(len(all)+nth-1)/nth]
	slices.Sort(at)
	some := make([]T, len(at))
	for i := range at {
		some[i] = all[at[i]]
	}
	t.Logf("%d of %d; CRDLIFT_SEED=%d takes the same again, CRDLIFT_VOLUME=all takes all", len(some), len(all), seed)
	return some
}

// Turn takes one of four of what takes long if CRDLIFT_TURN says which (0 to 3), as .ci/run has it, so that four turns take all;
// otherwise it takes all.
func Turn[T any](t testing.TB, all []T) (some []T) {
	t.Helper()
	text := os.Getenv("CRDLIFT_TURN")
	if text == "" {
		return all
	}
	turn, err := strconv.ParseUint(text, 10, 2)
	if err != nil {
		t.Fatalf("CRDLIFT_TURN=%q is not 0, 1, 2 or 3", text)
	}
	for i := int(turn); i < len(all); i += 4 {
		some = append(some, all[i])
	}
	t.Logf("%d of %d; CRDLIFT_TURN=%d takes the same again", len(some), len(all), turn)
	return some
}

// Seed is that of today, for a test.
func Seed(t testing.TB) uint64 {
	seed, err := Today()
	if err != nil {
		t.Fatal(err)
	}
	return seed
}

// Today is CRDLIFT_SEED, by default the day's date as a number.
func Today() (uint64, error) {
	text := os.Getenv("CRDLIFT_SEED")
	if text == "" {
		text = time.Now().UTC().Format("20060102")
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("CRDLIFT_SEED=%q is not a number", text)
	}
	return n, nil
}
