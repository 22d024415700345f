package convert

import (
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/repair"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// An Obstacle is a reason why a CRD cannot be converted without a person's decision.
type Obstacle struct {
	Rule    string    // rule id of the catalogue
	At      crd.Place // in the CRD that was asked about
	Message string    // one line
	// Err is what the message passes on in the v1 server's words; nil when the message is convert's own. Complete says
	// that At is what it is about, not something above it.
	Err      *field.Error
	Complete bool
}

// Obstacles says what keeps a CRD from being converted under the options: what File would report, and nothing that it
// would repair. An item that has its apiVersion from its list is asked about as if it had its own. Of a CRD without obstacles,
// marks counts the x-kubernetes-preserve-unknown-fields that it would get. The CRD is not changed.
func Obstacles(c *crd.CRD, opt policy.Options) (all []Obstacle, marks int) {
	copied := c.Copy()
	if c.List != nil {
		repair.Set(copied.Node, "apiVersion", repair.String(crd.Group+"/"+string(c.Version)))
		repair.Set(copied.Node, "kind", repair.String(crd.Kind))
		copied.List = nil
	}
	out := convertCRD(copied, opt)
	for _, n := range out.notes {
		if n.class == Report {
			all = append(all, Obstacle{n.rule, n.at, n.message, n.err, n.whole})
		}
	}
	return all, out.marks
}
