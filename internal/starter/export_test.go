package starter

import (
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
)

// Distance is in how many paths two objects differ.
func Distance(a, b request.Object) int { return size(suite.Difference(a, b)) }
