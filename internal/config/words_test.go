package config_test

import (
	"fmt"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/internal/config"
)

// TestConvertWords: the configuration takes every word that convert's options have. That package is above lint, which
// has words of its own therefore.
func TestConvertWords(t *testing.T) {
	t.Parallel()
	for key, words := range map[string][]string{
		"policy":        {string(convert.Exact), string(convert.Idiomatic)},
		"unknownFields": {string(convert.Preserve), string(convert.Root), string(convert.Prune)},
		"missingTypes":  {string(convert.PreserveUntyped), string(convert.Infer)},
	} {
		for _, word := range words {
			if _, err := config.Read("x", fmt.Appendf(nil, "convert: {%s: %s}", key, word), nil); err != nil {
				t.Error(err)
			}
		}
	}
}
