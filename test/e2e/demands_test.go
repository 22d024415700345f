package e2e

import (
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
)

// A demand is a request at v2, which is not the storage version, and what is foreseen of it.
type demand struct {
	about   string
	call    func(g *gadgets, revision string) call
	foresee func(g *gadgets) forecast
}

// unchanged is the update of an object to what it is. The server writes it only if that makes another object in etcd.
const unchanged = "update without a change"

// lesser is the apply of less than was applied at v3 before. The server takes the object from version to version in an order that
// is left to chance, to find out what goes; what is lost on these ways is lost in etcd.
const lesser = "server-side apply of less"

// demands are requests of all kinds.
var demands = []demand{
	{"create",
		func(g *gadgets, _ string) call {
			return call{method: http.MethodPost, version: "v2", body: g.another()}
		},
		func(g *gadgets) forecast {
			return g.foreseeWrite("v2", g.judge.Version("v2").Create(g.another()))
		}},
	{"get",
		func(*gadgets, string) call { return call{method: http.MethodGet, version: "v2", name: first} },
		func(g *gadgets) forecast { return g.foreseeStored("v2", first) }},
	{"list",
		func(*gadgets, string) call { return call{method: http.MethodGet, version: "v2"} },
		func(g *gadgets) forecast { return g.foreseeStored("v2", first, second) }},
	{"update",
		func(g *gadgets, revision string) call {
			return call{method: http.MethodPut, version: "v2", name: first, body: at(revision, renewed(g.mine()))}
		},
		func(g *gadgets) forecast {
			return g.foreseeUpdate("v2", update, func(map[string]any) map[string]any { return renewed(g.mine()) })
		}},
	{unchanged,
		func(g *gadgets, revision string) call {
			o := g.foreseeStored("v2", first).shown[first]
			if o == nil {
				o = g.mine()
			}
			return call{method: http.MethodPut, version: "v2", name: first, body: at(revision, o)}
		},
		func(g *gadgets) forecast {
			return g.foreseeUpdate("v2", update, func(old map[string]any) map[string]any { return old })
		}},
	{"merge patch",
		func(*gadgets, string) call {
			return call{method: http.MethodPatch, version: "v2", name: first, body: renewed(map[string]any{})}
		},
		func(g *gadgets) forecast { return g.foreseeUpdate("v2", update, renewed) }},
	{"server-side apply",
		func(*gadgets, string) call {
			return applied("another", "v2", first, map[string]any{"image": "renewed"})
		},
		func(g *gadgets) forecast { return g.foreseeUpdate("v2", update, renewed) }},
	{lesser,
		func(*gadgets, string) call { return applied("before", "v2", first, map[string]any{"image": "renewed"}) },
		func(g *gadgets) forecast {
			return g.foreseeUpdate("v2", update, func(old map[string]any) map[string]any {
				delete(child(child(old, "spec"), "env"), "applied")
				return renewed(old)
			})
		}},
	{"update of the status",
		func(g *gadgets, revision string) call {
			return call{method: http.MethodPut, version: "v2", name: first, subresource: "status", body: at(revision, finished(g.mine()))}
		},
		func(g *gadgets) forecast {
			return g.foreseeUpdate("v2", updateStatus, func(map[string]any) map[string]any { return finished(g.mine()) })
		}},
	{"merge patch at the storage version",
		func(*gadgets, string) call {
			return call{method: http.MethodPatch, version: "v1", name: first, body: renewed(map[string]any{})}
		},
		func(g *gadgets) forecast { return g.foreseeUpdate("v1", update, renewed) }},
}

// mine is the object as a client has it from before the webhook went wrong.
func (g *gadgets) mine() map[string]any { return runtime.DeepCopyJSON(g.at2) }

// another is like it, as a client has it from a file.
func (g *gadgets) another() map[string]any {
	o := g.mine()
	metadataOf(o)["name"] = third
	for _, made := range []string{"uid", "resourceVersion", "creationTimestamp", "generation"} {
		delete(metadataOf(o), made)
	}
	return o
}

func renewed(o map[string]any) map[string]any {
	child(o, "spec")["image"] = "renewed"
	return o
}

func finished(o map[string]any) map[string]any {
	child(o, "status")["phase"] = "finished"
	return o
}

func at(revision string, o map[string]any) map[string]any {
	metadataOf(o)["resourceVersion"] = revision
	return o
}
