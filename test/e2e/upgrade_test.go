package e2e

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/runtime"
)

// inPlace converts for a cluster that has the CRD already.
func inPlace(unknown policy.UnknownFields) policy.Options {
	return policy.Options{UnknownFields: unknown, UpgradeInPlace: true, UnapprovedAPI: true}
}

// A promise says which object a version of the new CRD shows where the old one showed this one, and why.
type promise func(object map[string]any, version string) (map[string]any, []string)

// A convertedCRD is a CRD of the server that is being updated to a conversion, and what is promised about its objects.
type convertedCRD struct {
	*resources
	m     *crdManifest
	tally *tally
	model *request.Server // the CRD as it was
}

// checkUpgrade puts custom resources into a CRD that was created through v1beta1, updates it to our conversion, and
// looks what became of them: under preserve first, which must leave them as they are, then under prune.
func (s *server) checkUpgrade(m *crdManifest, stored *v1.CustomResourceDefinition, tally *tally) error {
	model, err := modelOf(m.json, crd.V1beta1)
	if err != nil {
		tally.count("objects cannot be made", 1, m, ": ", err)
		return nil
	}
	r, reason, err := s.serve(stored)
	if err != nil {
		return err
	}
	if r == nil {
		tally.count("not upgraded with objects: it serves none", 1, m, ": ", reason)
		return nil
	}
	u := &convertedCRD{r, m, tally, model}
	if err := u.fill(); err != nil {
		return err
	}
	before, err := u.readAll()
	if err != nil {
		return err
	}
	if len(before[u.version]) == 0 {
		tally.count("not upgraded with objects: none is valid", 1, m)
		return nil
	}
	kept, err := u.to(policy.Preserve, before, func(object map[string]any, version string) (map[string]any, []string) {
		return behaviour.Normal(object, model.Version(version))
	})
	if err != nil || !kept {
		return err
	}
	_, manifest, err := m.converted(inPlace(policy.Prune))
	if err != nil || manifest == nil {
		return err
	}
	pruned, err := modelOf(manifest, crd.V1)
	if err != nil {
		return err
	}
	promise := behaviour.Pruned(false)
	_, err = u.to(policy.Prune, before, func(object map[string]any, version string) (map[string]any, []string) {
		less := runtime.DeepCopyJSON(object)
		promise.Before(less, model.Version(version), pruned.Version(version))
		keepEmbedded(object, less, pruned.Version(version).Structural())
		less, applied := behaviour.Normal(less, model.Version(version))
		return less, append(applied, "unknown fields are pruned")
	})
	return err
}

func modelOf(manifest []byte, version crd.Version) (*request.Server, error) {
	decoded, err := crd.DecodeJSON(manifest, version)
	if err != nil {
		return nil, err
	}
	return request.New(decoded.Hub)
}

// keepEmbedded puts back what makes embedded resources what they are: servers never prune that, declared or not.
func keepEmbedded(was, less any, s *structuralschema.Structural) {
	if s == nil {
		return
	}
	switch less := less.(type) {
	case map[string]any:
		was, _ := was.(map[string]any)
		for _, name := range []string{"apiVersion", "kind", "metadata"} {
			if value, ok := was[name]; ok && s.XEmbeddedResource {
				less[name] = value
			}
		}
		for name := range less {
			if property, ok := s.Properties[name]; ok {
				keepEmbedded(was[name], less[name], &property)
			} else if s.AdditionalProperties != nil {
				keepEmbedded(was[name], less[name], s.AdditionalProperties.Structural)
			}
		}
	case []any:
		was, _ := was.([]any)
		for i := range min(len(was), len(less)) {
			keepEmbedded(was[i], less[i], s.Items)
		}
	}
}

// fill stores objects: some that are filled at random, and for some nodes of the schema some that show what becomes of
// unknown fields, nulls and lists there.
func (u *convertedCRD) fill() error {
	g := behaviour.NewGenerator(u.model, u.version, 1)
	samples := g.Whole(8)
	nodes := g.Nodes()
	for i := range min(len(nodes), 8) {
		found, reached := g.Node(nodes[i*len(nodes)/min(len(nodes), 8)])
		if !reached {
			continue
		}
		found = slices.DeleteFunc(found, func(s behaviour.Sample) bool {
			return !behaviour.Show(u.model.Version(u.version), s.Node, s.Object).Accepted()
		})
		slices.SortStableFunc(found, func(a, b behaviour.Sample) int { return telling(b.About) - telling(a.About) })
		samples = append(samples, found[:min(len(found), 3)]...)
	}
	for i, sample := range samples {
		object := runtime.DeepCopyJSON(sample.Object)
		if metadata, ok := object["metadata"].(map[string]any); ok {
			delete(metadata, "finalizers") // nobody would finalize it, and the CRD could not be deleted
			if metadata["name"] == "sample" {
				metadata["name"] = fmt.Sprintf("sample-%d", i)
			}
		}
		reason, err := u.store(object)
		if err != nil {
			return err
		}
		likely := behaviour.Create(u.model.Version(u.version), object)
		switch {
		case reason == crashed:
			u.tally.count("objects on which 1.21 crashes", 1, u.m, ", ", sample.Node, ", ", sample.About)
		case strings.HasPrefix(reason, "409:"): // another object has the name that the schema asks for
		case likely.Accepted() != (reason == ""):
			u.tally.count("objects that only one of 1.21 and our model of servers takes", 1,
				u.m, ", ", sample.Node, ", ", sample.About, ": ", reason, likely)
		}
		if reason == "" {
			u.tally.count("objects stored on 1.21", 1)
		}
	}
	return nil
}

// telling prefers objects that a pruning server may treat differently.
func telling(about string) int {
	switch {
	case strings.Contains(about, behaviour.Unknown) || strings.Contains(about, "list of"):
		return 2
	case strings.Contains(about, "null"):
		return 1
	}
	return 0
}

// to updates the CRD, and reads the objects, writes them, and reads them again. It returns whether
// the promise was kept.
func (u *convertedCRD) to(unknown policy.UnknownFields, before byVersion, promise promise) (bool, error) {
	_, manifest, err := u.m.converted(inPlace(unknown))
	if err != nil {
		u.tally.fail("cannot be converted in place", u.m, err.Error())
		return false, nil
	}
	updated, err := u.replace(manifest, "e2e-"+string(unknown))
	if err != nil {
		return false, err
	}
	figure := string(unknown) + ": "
	if !updated.ok() {
		u.tally.fail(figure+"1.21 rejects the update", u.m, updated.reason())
		return false, nil
	}
	kept := true
	for _, stage := range []string{"read after the update", "read after a write"} {
		if stage == "read after a write" {
			refused, err := u.writeAll()
			if err != nil {
				return false, err
			}
			for name, reason := range refused {
				// Pruning can leave too little: an object may have owed its minProperties to unknown fields.
				left, _ := promise(before[u.version][name], u.version)
				if u.model != nil && !behaviour.Create(u.model.Version(u.version), left).Accepted() {
					u.tally.count(figure+"objects that cannot be written, as the schema rejects what is left of them", 1, u.m, ": ", reason)
					continue
				}
				kept = false
				u.tally.fail(figure+"an object cannot be written any more", u.m, name+": "+reason)
			}
		}
		after, err := u.readAll()
		if err != nil {
			return false, err
		}
		for version, objects := range before {
			for name, was := range objects {
				if !u.compare(figure, stage, version, was, after[version][name], promise) {
					kept = false
				}
			}
		}
	}
	if kept {
		u.tally.count(figure+"CRDs upgraded in place with all objects as promised", 1)
	}
	return kept, nil
}

// compare looks at one object through one version. What was in storage passes the storage version's schema first.
func (u *convertedCRD) compare(figure, stage, version string, was, is map[string]any, promise promise) bool {
	expected, applied := promise(was, u.storage)
	if version != u.storage {
		var more []string
		expected, more = promise(expected, version)
		applied = append(applied, more...)
	}
	at, wrong := objectsDiffer(was, is), objectsDiffer(expected, is)
	switch {
	case wrong != "":
		u.tally.fail(figure+"objects differ, "+stage, u.m, fmt.Sprintf("version %s at %s:\nwas %s\nis %s\nexpected %s",
			version, wrong, text(settled(was)), text(settled(is)), text(settled(expected))))
	case at != "":
		u.tally.count(figure+"objects changed as promised, "+stage, 1, u.m, " at ", at, ": ", strings.Join(applied, "; "))
	default:
		u.tally.count(figure+"objects equal, "+stage, 1)
	}
	return wrong == ""
}
