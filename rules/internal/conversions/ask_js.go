package conversions

import (
	"errors"

	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/webhook"
)

// Ask rejects: a browser lets no program connect to an address, and the client of an API server is a sixth of the program.
func Ask(review.Config) (webhook.Asker, error) {
	return nil, errors.New("a browser cannot call conversion webhooks")
}
