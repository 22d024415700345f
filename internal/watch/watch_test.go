package watch

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// write writes a file as it would be written now by the clock of the test.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Now(), time.Now()); err != nil {
		t.Fatal(err)
	}
}

func TestWait(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(t *testing.T, dir string) // begins after a second
		want   []string
		took   time.Duration
	}{
		{"a file", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "a.yaml"), "b") }, []string{"a.yaml"}, 1400 * time.Millisecond},
		{"its time alone", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "a.yaml"), "a") }, []string{"a.yaml"}, 1400 * time.Millisecond},
		{"gone", func(t *testing.T, dir string) { _ = os.Remove(filepath.Join(dir, "b.yaml")) }, []string{"", "b.yaml"}, 1400 * time.Millisecond},
		{"new", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "c.yaml"), "c") }, []string{""}, 1400 * time.Millisecond},
		{"a folder", func(t *testing.T, dir string) { _ = os.Mkdir(filepath.Join(dir, "tests"), 0o700) }, []string{""}, 1400 * time.Millisecond},
		{"what editors keep", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, ".a.yaml.swp"), "a")
			time.Sleep(time.Second)
			write(t, filepath.Join(dir, "a.yaml"), "b")
		}, []string{"a.yaml"}, 2300 * time.Millisecond},
		{"one after the other", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "b.yaml"), "b")
			time.Sleep(350 * time.Millisecond)
			write(t, filepath.Join(dir, "a.yaml"), "b")
		}, []string{"a.yaml", "b.yaml"}, 1600 * time.Millisecond},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				var paths []string
				for _, name := range []string{"a.yaml", "b.yaml"} {
					write(t, filepath.Join(dir, name), "a")
					paths = append(paths, filepath.Join(dir, name))
				}
				paths = append(paths, dir, filepath.Join(dir, "none.yaml"))
				w, begin := New(), time.Now()
				go func() {
					time.Sleep(time.Second)
					test.change(t, dir)
				}()
				var got []string
				for _, path := range w.Wait(t.Context(), paths) {
					name, _ := filepath.Rel(dir, path)
					if name == "." {
						name = ""
					}
					got = append(got, name)
				}
				if !slices.Equal(got, test.want) {
					t.Errorf("%q changed, want %q", got, test.want)
				}
				if took := time.Since(begin); took != test.took {
					t.Errorf("after %s, want %s", took, test.took)
				}
			})
		})
	}
}

// TestSince changes files while nobody waits.
func TestSince(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		known, unknown := filepath.Join(dir, "known.yaml"), filepath.Join(dir, "unknown.yaml")
		w := New()
		write(t, known, "a")
		write(t, unknown, "a")
		time.Sleep(time.Second)
		write(t, known, "b")
		if got := w.Wait(t.Context(), []string{known}); !slices.Equal(got, []string{known}) {
			t.Errorf("%q changed after it was read first", got)
		}
		write(t, known, "c")
		if got := w.Wait(t.Context(), []string{known, unknown}); !slices.Equal(got, []string{known}) {
			t.Errorf("%q changed since", got)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if got := w.Wait(ctx, []string{known, unknown}); got != nil {
			t.Errorf("%q changed", got)
		}
	})
}
