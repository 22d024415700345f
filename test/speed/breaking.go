package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// breaking has programs compare CRDs with older releases of them: the first and the last of each CRD in the corpus, or
// generated ones where there is none.
func (b *bench) breaking() (string, error) {
	older, newer := filepath.Join(b.dir, "older"), filepath.Join(b.dir, "newer")
	what, write := "generated CRDs", writeAges
	if b.evolution != "" {
		what, write = "real CRDs, each in its first and its last release", b.copyAges
	}
	if err := write(older, newer); err != nil {
		return "", err
	}
	s, err := ages(older, newer)
	if err != nil {
		return "", err
	}
	f, err := survey(newer)
	if err != nil {
		return "", err
	}
	alone := contestant{name: "`crdlift breaking`, a process for each", does: "the same for one CRD at a time", args: []string{b.crdlift, "breaking", "--no-config"}, done: []int{1}}
	for _, pair := range s.ages {
		alone.each = append(alone.each, []string{"--against", pair[0], pair[1]})
	}
	return b.hold(heat{
		caption: fmt.Sprintf("%s %s; the newer ones have %s", thousands(f.files), what, megabytes(f.size)),
		subject: s, peers: comparers, show: comparison,
		rows:  slices.Concat(b.parse(older, newer), b.judge(older, newer), b.comparing(older, newer), []contestant{alone}),
		goals: []goal{light("`crdlift breaking`", 150*megabyte)},
	})
}

// comparing is the commands that compare folders.
func (b *bench) comparing(older, newer string) []contestant {
	return []contestant{
		{name: "`crdlift breaking`", does: "finds what breaks users of the API, and its lines",
			args: []string{b.crdlift, "breaking", "--no-config", "--against", older, newer}, done: []int{1}},
		{name: "`crdlift plan`", does: "plans releases and what clusters have to do between them",
			args: []string{b.crdlift, "plan", older, newer}},
	}
}

// ages pairs the files of two folders by their names.
func ages(older, newer string) (subject, error) {
	s := subject{path: newer}
	files, err := filepath.Glob(filepath.Join(newer, "*.yaml"))
	for _, file := range files {
		s.ages = append(s.ages, []string{filepath.Join(older, filepath.Base(file)), file})
	}
	return s, err
}

// copyAges copies the first and the last release of each CRD, which have a folder for each CRD below one for its repository.
func (b *bench) copyAges(older, newer string) error {
	crds, err := filepath.Glob(filepath.Join(b.evolution, "*", "*"))
	if err != nil {
		return err
	}
	for i, crd := range crds {
		releases, err := filepath.Glob(filepath.Join(crd, "*.yaml")) // in their order
		if err != nil {
			return err
		}
		if len(releases) < 2 {
			continue
		}
		name := fmt.Sprintf("%03d.yaml", i)
		if err := copyFile(filepath.Join(older, name), releases[0]); err != nil {
			return err
		}
		if err := copyFile(filepath.Join(newer, name), releases[len(releases)-1]); err != nil {
			return err
		}
	}
	return nil
}

// writeAges writes generated CRDs of different sizes. The newer ones have another part, and a rule where the older ones
// had none.
func writeAges(older, newer string) error {
	for i := range 100 {
		c := specimen.CRD{Version: "v1", Number: i, Parts: 4 + i%16}
		for dir, crd := range map[string]specimen.CRD{older: before(c), newer: c} {
			crd.Number, crd.Rules = i, 1
			if dir == newer {
				crd.Rules = 2
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.yaml", i)), []byte(crd.YAML()), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
