package carry

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// A Way leads objects of one kind from a version to another. It is used by several goroutines.
type Way struct {
	Definition *objects.Definition
	From, To   string // versions
	Webhook    bool   // a webhook converts between them
	Alike      bool   // both have the same structural schema, defaults, validations and subresources: only the apiVersion differs

	carrier           *Carrier
	server            *request.Server
	from, to, storage *request.Version
	webhook           *webhook // nil for strategy None
}

// ways are the ways of all objects of a run, each prepared once.
type ways struct {
	mu       sync.Mutex
	all      map[wayKey]*leading
	webhooks []*webhook
}

type wayKey struct {
	of   *objects.Definition
	from string
}

// A leading is what way returns.
type leading struct {
	way   *Way
	state State
	why   string
}

// way is the way of the objects that a CRD has at a version. Without one, the state says what becomes of them: Passed, NoTarget or, for
// a reason, Rejected.
func (c *Carrier) way(d *objects.Definition, from string) (w *Way, state State, why string) {
	c.ways.mu.Lock()
	defer c.ways.mu.Unlock()
	key := wayKey{d, from}
	if c.ways.all == nil {
		c.ways.all = map[wayKey]*leading{}
	}
	if c.ways.all[key] == nil {
		w, state, why := c.newWay(d, from)
		c.ways.all[key] = &leading{w, state, why}
	}
	known := c.ways.all[key]
	return known.way, known.state, known.why
}

func (c *Carrier) newWay(d *objects.Definition, from string) (w *Way, state State, why string) {
	to, asked := c.target(d)
	if !asked || to == from || len(c.From) > 0 && !slices.Contains(c.From, from) {
		return nil, Passed, ""
	}
	if version := d.Version(to); version == nil || !version.Served {
		return nil, NoTarget, ""
	}
	server, why := d.Server()
	if why != "" {
		return nil, Refused, why
	}
	w = &Way{Definition: d, From: from, To: to, carrier: c, server: server}
	w.from, w.to, w.storage = server.Version(from), server.Version(to), server.Storage()
	if w.from == nil {
		return nil, Refused, "its CRD has no version " + from + "; correct the version"
	}
	for _, v := range []*request.Version{w.from, w.to, w.storage} {
		if err := v.Err(); err != nil {
			return nil, Refused, "its CRD cannot be used (" + err.Error() + "); run `crdlift lint` on the CRD"
		}
	}
	if w.Webhook = server.Converts(w.from, w.to); w.Webhook {
		if w.webhook = c.webhookOf(d); w.webhook.err != nil {
			return nil, Refused, "its conversion webhook is needed to convert it; pass the address of the webhook with --url"
		}
		return w, Moved, ""
	}
	w.Alike = alike(w.from, w.to)
	return w, Moved, ""
}

// target is the version that objects of a CRD are to be of, and whether they are asked for.
func (c *Carrier) target(d *objects.Definition) (to string, asked bool) {
	is := func(kind string) bool { return strings.EqualFold(kind, d.Hub.Spec.Names.Kind) }
	if len(c.Kinds) > 0 && !slices.ContainsFunc(c.Kinds, is) {
		return "", false
	}
	if c.To == ToStorage {
		return d.Storage(), true
	}
	if group, version, qualified := strings.Cut(c.To, "/"); qualified {
		return version, group == d.Hub.Spec.Group
	}
	return c.To, true
}

func (c *Carrier) context() context.Context {
	if c.Context == nil {
		return context.Background()
	}
	return c.Context
}

// alike reports whether two versions read, validate and show objects in the same way. A rule about the apiVersion is none that
// they could have in common.
func alike(a, b *request.Version) bool {
	one, other := bare(a.Structural()), bare(b.Structural())
	if a.HasStatus() != b.HasStatus() || !reflect.DeepEqual(a.ScalePaths(), b.ScalePaths()) || !reflect.DeepEqual(one, other) {
		return false
	}
	return one == nil || !slices.ContainsFunc(one.XValidations, func(rule apiextensionsv1.ValidationRule) bool {
		return strings.Contains(rule.Rule, "apiVersion")
	})
}

// bare is a schema without what it says to people.
func bare(s *structuralschema.Structural) *structuralschema.Structural {
	if s == nil {
		return nil
	}
	s = s.DeepCopy()
	(&structuralschema.Visitor{Structural: func(s *structuralschema.Structural) bool {
		s.Title, s.Description, s.ExternalDocs, s.Example = "", "", nil, structuralschema.JSON{}
		return true
	}}).Visit(s)
	return s
}
