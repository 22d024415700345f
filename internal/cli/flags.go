package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crdlift/crdlift/internal/text"
)

// A choice is a flag that takes one of few words. It is empty until it is set.
type choice struct {
	value   *string
	allowed []string
}

func (c choice) String() string { return *c.value }
func (c choice) Type() string   { return strings.Join(c.allowed, "|") }

func (c choice) Set(word string) error {
	if !slices.Contains(c.allowed, word) {
		return &wrongWord{word, c.allowed}
	}
	*c.value = word
	return nil
}

// A wrongWord is a word that a flag does not take. wrongFlag, which knows the flag, says so.
type wrongWord struct {
	word    string
	allowed []string
}

func (w *wrongWord) Error() string { return text.NotOneOf("the flag", w.word, w.allowed) }

// addChoice defines a flag that takes one of the words, and has the shell complete them. The short name may be "".
func addChoice(cmd *cobra.Command, value *string, name, short, usage string, allowed ...string) {
	cmd.Flags().VarP(choice{value, allowed}, name, short, usage)
	complete(cmd, name, cobra.FixedCompletions(allowed, cobra.ShellCompDirectiveNoFileComp))
}

// A byteSize is a flag in bytes, with a unit or without.
type byteSize int64

var _ pflag.Value = (*byteSize)(nil)

// byteUnits are powers of 1024, whichever way they are written.
var byteUnits = []string{"", "K", "M", "G"}

func (b byteSize) Type() string { return "SIZE" }

func (b byteSize) String() string {
	for power := len(byteUnits) - 1; power > 0; power-- {
		if unit := byteSize(1) << (10 * power); b != 0 && b%unit == 0 {
			return fmt.Sprintf("%d%siB", b/unit, byteUnits[power])
		}
	}
	return fmt.Sprintf("%dB", int64(b))
}

// Set takes 1000, 64MiB, 64M, 64Mi or 64MB.
func (b *byteSize) Set(text string) error {
	upper := strings.ToUpper(strings.TrimSpace(text))
	upper = strings.TrimSuffix(strings.TrimSuffix(upper, "B"), "I")
	digits := strings.TrimRight(upper, "KMG")
	power := slices.Index(byteUnits, upper[len(digits):])
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || power < 0 || n <= 0 || n > math.MaxInt64>>(10*power+1) {
		return fmt.Errorf("must be a size such as 64MiB")
	}
	*b = byteSize(n << (10 * power))
	return nil
}
