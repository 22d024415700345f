// Package objects has the rules about custom resources. Read causes.go first: it says which rule tells what an API server refuses.
package objects

import (
	"slices"

	"github.com/crdlift/crdlift/internal/objectpass"
)

// The rules of each topic.
var (
	Rules   = slices.Concat(matchRules, objectFieldRules, objectText, objectValues, objectCEL, objectMetadata, objectSizes, []*objectpass.Rule{sampleMissing, crdRefused})
	Upgrade = append(upgradeRules, kindGone)
)
