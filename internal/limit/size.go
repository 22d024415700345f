package limit

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Size is a flag in bytes, with a unit or without.
type Size int64

// byteUnits are powers of 1024, whichever way they are written.
var byteUnits = []string{"", "K", "M", "G"}

func (b Size) Type() string { return "SIZE" }

func (b Size) String() string {
	for power := len(byteUnits) - 1; power > 0; power-- {
		if unit := Size(1) << (10 * power); b != 0 && b%unit == 0 {
			return fmt.Sprintf("%d%siB", b/unit, byteUnits[power])
		}
	}
	return fmt.Sprintf("%dB", int64(b))
}

// Set takes 1000, 64MiB, 64M, 64Mi or 64MB.
func (b *Size) Set(text string) error {
	upper := strings.ToUpper(strings.TrimSpace(text))
	upper = strings.TrimSuffix(strings.TrimSuffix(upper, "B"), "I")
	digits := strings.TrimRight(upper, "KMG")
	power := slices.Index(byteUnits, upper[len(digits):])
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || power < 0 || n <= 0 || n > math.MaxInt64>>(10*power+1) {
		return fmt.Errorf("must be a size such as 64MiB")
	}
	*b = Size(n << (10 * power))
	return nil
}
