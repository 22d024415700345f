package run

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/limit"

	"github.com/spf13/pflag"
)

// A ByteSize is a flag in bytes, with a unit or without.
type ByteSize int64

// defaultMaxFileSize is how large a file may be unless --max-file-size says otherwise.
const defaultMaxFileSize ByteSize = limit.FileSize

var _ pflag.Value = (*ByteSize)(nil)

// byteUnits are powers of 1024, whichever way they are written.
var byteUnits = []string{"", "K", "M", "G"}

func (b ByteSize) Type() string { return "SIZE" }

func (b ByteSize) String() string {
	for power := len(byteUnits) - 1; power > 0; power-- {
		if unit := ByteSize(1) << (10 * power); b != 0 && b%unit == 0 {
			return fmt.Sprintf("%d%siB", b/unit, byteUnits[power])
		}
	}
	return fmt.Sprintf("%dB", int64(b))
}

// Set takes 1000, 64MiB, 64M, 64Mi or 64MB.
func (b *ByteSize) Set(text string) error {
	upper := strings.ToUpper(strings.TrimSpace(text))
	upper = strings.TrimSuffix(strings.TrimSuffix(upper, "B"), "I")
	digits := strings.TrimRight(upper, "KMG")
	power := slices.Index(byteUnits, upper[len(digits):])
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || power < 0 || n <= 0 || n > math.MaxInt64>>(10*power+1) {
		return fmt.Errorf("must be a size such as 64MiB")
	}
	*b = ByteSize(n << (10 * power))
	return nil
}
