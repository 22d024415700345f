package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// BenchmarkRun is a whole run but for the start of the process: finding files, reading them, several at a time, and
// reporting.
func BenchmarkRun(b *testing.B) {
	for _, files := range []int{1, 100} {
		for _, tt := range []struct{ verb, flags, version string }{
			{"lint", "--config off --quiet", "v1"},
			{"convert", "--check --quiet", "v1beta1"},
		} {
			b.Run(fmt.Sprintf("command=%s/files=%d", tt.verb, files), func(b *testing.B) {
				dir, size := b.TempDir(), 0
				for i := range files {
					text := specimen.Sized(tt.version, i, 20_000).YAML()
					size += len(text)
					if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.yaml", i)), []byte(text), 0o644); err != nil {
						b.Fatal(err)
					}
				}
				args := append(append([]string{tt.verb}, strings.Fields(tt.flags)...), dir)
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					if code := Run(args, strings.NewReader(""), io.Discard, io.Discard); code == run.ExitTrouble {
						b.Fatalf("exit code %d", code)
					}
				}
			})
		}
	}
}

// BenchmarkValidate is a whole run, too: five kinds, and objects of them.
func BenchmarkValidate(b *testing.B) {
	for _, files := range []int{5, 500} {
		b.Run(fmt.Sprintf("files=%d", files), func(b *testing.B) {
			crds, dir, size := b.TempDir(), b.TempDir(), 0
			for i := range files {
				text := specimen.Object{Kind: specimen.Kind{Number: i % 5}, Number: i}.YAML()
				size += len(text)
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.yaml", i)), []byte(text), 0o644); err != nil {
					b.Fatal(err)
				}
			}
			for i := range 5 {
				k := specimen.Kind{Number: i}
				if err := os.WriteFile(filepath.Join(crds, k.Name()+".yaml"), []byte(k.CRD()), 0o644); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				args := []string{"validate", "--config", "off", "--quiet", "--crds", crds, dir}
				if code := Run(args, strings.NewReader(""), io.Discard, io.Discard); code != 0 {
					b.Fatalf("exit code %d", code)
				}
			}
		})
	}
}

// BenchmarkCorpus works on real manifests, which are not part of the repository.
func BenchmarkCorpus(b *testing.B) {
	if testing.Short() {
		b.Skip("takes seconds")
	}
	corpus.Need(b)
	for _, tt := range []struct{ verb, flags, folder string }{
		{"lint", "--config off --quiet", "v1"},
		{"convert", "--check --quiet", "v1beta1"},
	} {
		b.Run("command="+tt.verb, func(b *testing.B) {
			dir := filepath.Join(corpus.Dir(), tt.folder)
			args := append(append([]string{tt.verb}, strings.Fields(tt.flags)...), dir)
			b.ReportAllocs()
			for b.Loop() {
				if code := Run(args, strings.NewReader(""), io.Discard, io.Discard); code == run.ExitTrouble {
					b.Fatalf("exit code %d", code)
				}
			}
		})
	}
}
