package starter

import "github.com/crdlift/crdlift/internal/request"

// Distance is in how many paths two objects differ.
func Distance(a, b request.Object) int { return size(difference(a, b)) }
