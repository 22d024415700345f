package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// A Preset is a set of rules to run. Each contains the one before.
type Preset int8

const (
	Recommended Preset = iota // errors, and their consequences
	All                       // conventions, too: those of most projects, and those that people disagree about
)

var presets = []string{"recommended", "all"}

// Presets are the names of presets, from the smallest.
func Presets() []string { return slices.Clone(presets) }

func (p Preset) String() string { return presets[p] }

// ParsePreset reads a preset's name.
func ParsePreset(name string) (Preset, error) {
	if i := slices.Index(presets, name); i >= 0 {
		return Preset(i), nil
	}
	return Recommended, fmt.Errorf("%s is not one of %s", text.Misspelt(name, presets), strings.Join(presets, ", "))
}
