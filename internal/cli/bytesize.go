package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/limit"

	"github.com/spf13/pflag"
)

// A byteSize is a flag in bytes, with a unit or without.
type byteSize int64

// defaultMaxFileSize is how large a file may be unless --max-file-size says otherwise.
const defaultMaxFileSize byteSize = limit.FileSize

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
