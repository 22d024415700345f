package carry

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/text"
)

// inlinePatches carries the strategic patches that are texts of a kustomization: the text of one, or the items of a list. It returns how
// many objects in them it has carried.
func (t *tending) inlinePatches(made *draft, n *yaml.Node) (carried int) {
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			carried += t.inlinePatches(made, item)
		}
		return carried
	}
	if n.Kind != yaml.ScalarNode || n.Style&yaml.LiteralStyle == 0 || t.References == ReportReferences || !objects.MayHold([]byte(n.Value)) {
		return 0 // what else names an old version is a left-over
	}
	inner := manifest.Parse(t.d.File.Path, []byte(n.Value))
	var edits []rewrite.Edit
	for _, d := range inner.Documents {
		if d.Root == nil {
			continue
		}
		out := t.document(d, true)
		edits = append(edits, out.Edits...)
		for _, item := range out.Items {
			if item.State == Moved {
				carried++
			}
		}
		for _, note := range out.Notes {
			if note.Rule != "migrate-left-over" { // the text is searched for these as a whole
				note.Path, note.Node = nil, n
				if note.Message.String() == "" {
					note.Message = text.Sprintf(" in this patch")
				} else {
					note.Message = text.Sprintf("in this patch: %s", note.Message)
				}
				made.notes = append(made.notes, note)
			}
		}
	}
	at, ok := t.placesIn(n, edits)
	if !ok {
		return 0
	}
	made.texts = append(made.texts, at...)
	made.changed[n] = string(rewrite.Apply(inner.Source, edits))
	return carried
}

// placesIn are edits of a block scalar's text as those of the file; false where one is not within a line. Each line of the text is
// written as it is, behind what all are indented by.
func (t *tending) placesIn(n *yaml.Node, edits []rewrite.Edit) (all []rewrite.Edit, ok bool) {
	start, end, ok := t.d.Span(n)
	if !ok {
		return nil, false
	}
	source, inner := t.d.File.Source, lines.TableOf([]byte(n.Value))
	begin := lines.End(source, start) // after the line of its header
	written := lines.TableOf(source[begin:end])
	for _, e := range edits {
		was := n.Value[e.Start:e.End]
		from := inner.LineStart(e.Start)
		line, _ := inner.Position(e.Start)
		at, there := written.Offset(line, 1)
		if !there || strings.Contains(was+e.New, "\n") {
			return nil, false
		}
		text := string(lines.Text(source[begin+at:]))
		indented := len(text) - len(lines.Text([]byte(n.Value[from:])))
		if at += begin + indented + e.Start - from; indented < 0 || string(source[at:at+len(was)]) != was {
			return nil, false
		}
		all = append(all, rewrite.Edit{Start: at, End: at + len(was), New: e.New})
	}
	return all, true
}

// unlike says why a JSON patch of objects, whose versions differ, cannot be one of another version; "" where all its paths lead to the
// same type there. The mapping is the one that has the patch beside its target.
func (t *tending) unlike(way *Way, m *yaml.Node) string {
	if way.Webhook {
		return "a webhook converts these objects, but nothing converts a patch; build the kustomization, migrate the result, and adapt the patch"
	}
	patch := crd.Get(m, "patch")
	if patch == nil {
		return way.From + " and " + way.To + " differ, and another file changes these objects; check that file, and change the version here by hand"
	}
	for _, d := range manifest.Parse("", []byte(patch.Value)).Documents {
		if d.Root == nil {
			return "the patch is not valid YAML; correct it"
		}
		if !leadsSame(way, crd.Items(d.Root.YNode())) {
			return way.From + " and " + way.To + " differ at the path of the patch; change the patch by hand"
		}
	}
	return ""
}

// leadsSame reports whether all paths of a JSON patch lead to the same type at both versions.
func leadsSame(way *Way, operations []*yaml.Node) bool {
	for _, operation := range operations {
		for _, name := range []string{"path", "from"} {
			if at := crd.StringAt(operation, name); at != "" && !sameAt(way, pointer(at)) {
				return false
			}
		}
	}
	return true
}

// patched finds the kinds to which references in a tree stay, by their apiVersion and kind: a list beside one is a JSON patch, as a
// ClusterClass has it, that may not be one of the other version. All references to the kind stay, so that what the patch is for and what
// it is done to are of one version.
func (t *tending) patched(root *yaml.Node) map[string]bool {
	stay := map[string]bool{}
	within(root, func(n *yaml.Node) bool {
		var operations []*yaml.Node // of all lists together: there may be thousands
		for _, list := range n.Content {
			if items := crd.Items(list); isPatch(items) {
				operations = append(operations, items...)
			}
		}
		if operations == nil {
			return true
		}
		asked := map[string]bool{}
		within(n, func(n *yaml.Node) bool {
			to := reference(n)
			if to == nil {
				return true
			}
			if kind := to.APIVersion() + " " + to.Kind; !asked[kind] {
				way := t.leads(to.Group, to.Version, to.Kind)
				asked[kind] = true
				if way != nil && (way.Webhook || !leadsSame(way, operations)) {
					stay[kind] = true
				}
			}
			return true
		})
		return true
	})
	return stay
}

// isPatch reports whether all items of a list are operations of a JSON patch.
func isPatch(items []*yaml.Node) bool {
	return !slices.ContainsFunc(items, func(n *yaml.Node) bool {
		return crd.StringAt(n, "op") == "" || crd.StringAt(n, "path") == ""
	})
}

// unfollowed is a note about a reference that stays for the patch of its kind.
func unfollowed(n *yaml.Node, name string) Note {
	note := leftOver(n, name)
	note.Message = text.Sprintf("this text still names %s, and a JSON patch depends on the version; change both by hand", name)
	return note
}

// pointer is the path that a JSON pointer leads to.
func pointer(s string) (at request.Path) {
	for _, step := range strings.Split(strings.TrimPrefix(s, "/"), "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if i, err := strconv.Atoi(step); err == nil && i >= 0 {
			at = append(at, request.Index(i))
		} else if step == "-" {
			at = append(at, request.Index(0))
		} else {
			at = append(at, request.Key(step))
		}
	}
	return at
}

// sameAt reports whether both versions have a value of the same type at a path, or both do not declare it.
func sameAt(way *Way, at request.Path) bool {
	if len(at) > 0 && at[0].Key == "metadata" {
		return true
	}
	was, rest := way.Definition.Schema(way.From, at)
	is, left := way.Definition.Schema(way.To, at)
	return was != nil && is != nil && len(rest) == len(left) && was.Type() == is.Type()
}
