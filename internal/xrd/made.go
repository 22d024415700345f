package xrd

import (
	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// crd makes the CRD of composite resources, as ForCompositeResource of xcrd does, or that of claims, as ForCompositeResourceClaim.
// It has the nodes of the XRD where Crossplane takes values over, and mappings that stand for those of the XRD around them.
func (x *definition) crd(claim bool) *crd.CRD {
	root := like(x.node)
	add(root, own("apiVersion"), own(crd.Group+"/"+string(crd.V1)))
	add(root, own("kind"), own(crd.Kind))
	add(root, keyOf(x.node, "metadata", "metadata"), x.metadata(claim))
	if x.spec != nil {
		spec := x.spec
		if spec.Kind == yaml.MappingNode {
			spec = x.specOf(claim)
		}
		add(root, keyOf(x.node, "spec", "spec"), spec)
	}
	return &crd.CRD{Node: root, Version: crd.V1, From: x.envelope(claim)}
}

// metadata is what setCrdMetadata of xcrd makes.
func (x *definition) metadata(claim bool) *yaml.Node {
	was, more := crd.Get(x.node, "metadata"), crd.Get(x.spec, "metadata")
	m := like(was)
	if claim {
		add(m, own("name"), own(crd.StringAt(x.spec, "claimNames", "plural")+"."+crd.StringAt(x.spec, "group")))
	} else {
		share(m, was, "name")
	}
	added := crd.Entries(crd.Get(more, "labels"))
	labels := without(crd.Get(was, "labels"), namesOf(added)...)
	for _, e := range added {
		add(labels, e.Key, e.Value)
	}
	if len(labels.Content) > 0 {
		add(m, keyOf(was, "labels", "labels"), labels)
	}
	share(m, more, "annotations")
	return m
}

func (x *definition) specOf(claim bool) *yaml.Node {
	s := like(x.spec)
	share(s, x.spec, "group")
	kind, written, category, scope := x.scope(), "names", "composite", cluster
	if claim {
		kind, written, category = claims, "claimNames", "claim"
	}
	if claim || kind == namespaced {
		scope = namespaced
	}
	if names := crd.Get(x.spec, written); names != nil {
		all := names
		if names.Kind == yaml.MappingNode {
			all = without(names, "categories")
			extend(all, names, "categories", own(category))
		}
		add(s, keyOf(x.spec, written, "names"), all)
	}
	if scopeAt := crd.Get(x.spec, "scope"); scopeAt != nil && !claim {
		add(s, keyOf(x.spec, "scope", "scope"), as(scopeAt, scope))
	} else {
		add(s, own("scope"), own(scope))
	}
	if versions := crd.Get(x.spec, "versions"); versions != nil && versions.Kind == yaml.SequenceNode {
		list := like(versions)
		list.Kind, list.Tag = yaml.SequenceNode, yaml.NodeTagSeq
		for _, v := range versions.Content {
			list.Content = append(list.Content, x.versionOf(crd.Deref(v), kind))
		}
		add(s, keyOf(x.spec, "versions", "versions"), list)
	} else {
		share(s, x.spec, "versions")
	}
	share(s, x.spec, "conversion")
	return s
}

// versionOf is what genCrdVersion of xcrd makes, with what its callers add.
func (x *definition) versionOf(was *yaml.Node, kind string) *yaml.Node {
	if was.Kind != yaml.MappingNode {
		return was
	}
	v := like(was)
	share(v, was, "name", "served", "deprecated", "deprecationWarning")
	if _, storage := crd.Lookup(was, "referenceable"); storage != nil {
		add(v, keyOf(was, "referenceable", "storage"), storage)
	}
	extend(v, was, "additionalPrinterColumns", crd.Get(added(kind), "columns").Content...)
	sub := like(crd.Get(was, "subresources"))
	add(sub, own("status"), like(nil))
	share(sub, crd.Get(was, "subresources"), "scale")
	add(v, keyOf(was, "subresources", "subresources"), sub)
	holder := crd.Get(was, "schema")
	if schema := crd.Get(holder, "openAPIV3Schema"); schema != nil && schema.Kind == yaml.MappingNode {
		in := without(holder, "openAPIV3Schema")
		add(in, keyOf(holder, "openAPIV3Schema", "openAPIV3Schema"), x.schemaOf(schema, kind))
		add(v, keyOf(was, "schema", "schema"), in)
	} else {
		share(v, was, "schema")
	}
	return v
}
