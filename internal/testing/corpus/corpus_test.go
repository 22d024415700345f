package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestSample(t *testing.T) {
	all := make([]int, 1000)
	for i := range all {
		all[i] = i
	}
	t.Setenv("CRDLIFT_VOLUME", "")
	t.Setenv("CRDLIFT_SEED", "1")
	nth := 4
	if testing.Short() {
		nth = 1 // of ten
	}
	one := Sample(t, all, nth)
	if !slices.Equal(one, Sample(t, all, nth)) {
		t.Error("the same seed takes others")
	}
	if len(one) < 100 || len(one) > 250 || !slices.IsSorted(one) || len(slices.Compact(slices.Clone(one))) != len(one) {
		t.Errorf("got %v", one)
	}
	t.Setenv("CRDLIFT_SEED", "2")
	if slices.Equal(one, Sample(t, all, nth)) {
		t.Error("another seed takes the same")
	}
	if got := Sample(t, all[:1], 100); !slices.Equal(got, all[:1]) {
		t.Errorf("of one, got %v", got)
	}
	t.Setenv("CRDLIFT_VOLUME", "all")
	if got := Sample(t, all, nth); !slices.Equal(got, all) {
		t.Error("all are not all")
	}
}

func TestTurn(t *testing.T) {
	all := []int{0, 1, 2, 3, 4, 5, 6}
	t.Setenv("CRDLIFT_TURN", "")
	if got := Turn(t, all); !slices.Equal(got, all) {
		t.Errorf("without turns, got %v", got)
	}
	var took []int
	for _, turn := range []string{"0", "1", "2", "3"} {
		t.Setenv("CRDLIFT_TURN", turn)
		took = append(took, Turn(t, all)...)
	}
	if want := []int{0, 4, 1, 5, 2, 6, 3}; !slices.Equal(took, want) {
		t.Errorf("four turns take %v, want %v", took, want)
	}
}

func TestFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corpus")
	for _, name := range []string{"v1/b/c.yaml", "v1/a.yaml", "evolution/p/crd/2.yaml", "evolution/p/crd/1.yaml", "evolution/q/crd/1.yaml"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("CRDLIFT_CORPUS", dir)
	if got, want := Files(t, "v1", "none"), []string{filepath.Join(dir, "v1/a.yaml"), filepath.Join(dir, "v1/b/c.yaml")}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Files(t); len(got) != 5 {
		t.Errorf("got %q", got)
	}
	releases := Releases(t)
	if len(releases) != 2 || len(releases[0]) != 2 || filepath.Base(releases[0][0]) != "1.yaml" {
		t.Errorf("got %q", releases)
	}
	if got, want := Cases(), filepath.Join(filepath.Dir(dir), "cases"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
