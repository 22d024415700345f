package plan

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/text"
)

// A Migration is what has to be rewritten in a cluster so that versions of a CRD can be removed.
type Migration struct {
	CRD *apiextensions.CustomResourceDefinition // of the cluster, with its status
	// Old are the versions besides the storage version that managedFields of objects have. They may be gone from the CRD.
	Old     []string
	Refused []string // objects that are rejected as they are, as NAMESPACE/NAME
}

// IsNeeded reports whether there is something to rewrite.
func (m *Migration) IsNeeded() bool {
	return len(m.Old) > 0 || slices.ContainsFunc(m.CRD.Status.StoredVersions, func(v string) bool { return v != m.Storage() })
}

// Storage is the storage version.
func (m *Migration) Storage() string {
	for _, v := range m.CRD.Spec.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return ""
}

// steps are the functions of the script.
//
//go:embed migration.sh
var steps string

// known is a program for jq. It follows whole, and takes out of a set of fields what the schema does not have; true stands for anything.
const known = `def known($has): if $has == true then . else with_entries((.key == ".") as $self | ($has[.key] // $has["*"]) as $below | ` +
	`select($self or $below != null) | if $self then . else .value |= known($below) end | select($self or .value != {})) end; `

// patches is a program for jq. Of each object of a list that has to be written, it prints a call of the script's function $call: with the
// patch, and the managers of which nothing is left. A server takes [{}] for no entry at all; it leaves the entries as they are for [].
const patches = whole + known +
	`.items[].metadata | any(.managedFields[]?; .apiVersion != $to) as $old | select($old or $all) | ` +
	`(if $old then [` + merged + ` | .fieldsV1 |= known($fields[0])] else [] end) as $union | ` +
	`([{op: "test", path: "/metadata/resourceVersion", value: .resourceVersion}] + ` +
	`if $old then [{op: "replace", path: "/metadata/managedFields", value: ([$union[] | select(.fieldsV1 != {})] | if . == [] then [{}] else . end)}] else [] end) as $patch | ` +
	`@sh "\($call) \($patch | tojson) \([$union[] | select(.fieldsV1 == {} and .operation == "Apply").manager] | unique | join(", ")) \(.name)"` +
	` + if .namespace then @sh " --namespace \(.namespace)" else "" end`

// Script returns a POSIX shell script that does migrations: those that are needed, one after the other. The command is the kubectl with
// its flags. The error is about a CRD whose names no API server accepts.
func Script(all []Migration, command []string) (string, error) {
	var calls strings.Builder
	needed := 0
	for _, m := range all {
		if !m.IsNeeded() {
			continue
		}
		if err := plain(m.CRD); err != nil {
			return "", err
		}
		needed++
		m.write(&calls)
	}
	head := "#!/bin/sh\n# The storage migration, printed by 'crdlift audit --commands'. "
	if needed == 0 {
		return head + "There is nothing to do.\n", nil
	}
	var quoted []string
	for _, word := range command {
		quoted = append(quoted, quote(word))
	}
	return head + strings.NewReplacer("COMMAND", strings.Join(quoted, " "), "PROGRAM", patches).Replace(steps) + calls.String() +
		"\nif [ -n \"$failed\" ]; then say \"not done:$failed\"; exit 1; fi\n", nil
}

// write writes what is called for a CRD.
func (m *Migration) write(to *strings.Builder) {
	names := m.CRD.Spec.Names
	storage, served := m.Storage(), ""
	others := append(slices.Clone(m.CRD.Status.StoredVersions), m.Old...)
	var removable []string
	for _, v := range m.CRD.Spec.Versions {
		if v.Served && (v.Storage || served == "") {
			served = v.Name
		}
		if v.Name != storage && slices.Contains(others, v.Name) {
			removable = append(removable, v.Name)
		}
	}
	// The names of versions come from a file: none may end the comment.
	about := fmt.Sprintf("%s: stored in %s; managedFields are of %s.", m.CRD.Name, text.And(m.CRD.Status.StoredVersions), text.And(append([]string{storage}, m.Old...)))
	fmt.Fprintf(to, "\n# %s\n", text.Harmless(about))
	if len(m.Refused) > 0 {
		fmt.Fprintf(to, "# The API server rejects these objects as they are, and rejects patches of them (422). Fix or delete them first:\n")
	}
	for _, name := range m.Refused {
		fmt.Fprintf(to, "#   %s\n", text.Harmless(name))
	}
	if len(removable) > 0 {
		fmt.Fprintf(to, "# 5. Only when this is done, remove %s from spec.versions, in git.\n", text.And(removable))
	}
	all := "--all-namespaces"
	if m.CRD.Spec.Scope == apiextensions.ClusterScoped {
		all = ""
	}
	fmt.Fprintf(to, "crd=%s version=%s to=%s/%s resource=%s.%s.%s all=%s\n", m.CRD.Name, storage, m.CRD.Spec.Group, storage, names.Plural, served, m.CRD.Spec.Group, all)
	fmt.Fprintf(to, "cat >\"$work/fields\" <<'END'\n%s\nEND\nmigrate || failed=\"$failed $crd\"\n", m.fields(others))
}

// fields are the fields of the storage version, as JSON for known; "true" if it has all that the versions have.
func (m *Migration) fields(versions []string) string {
	is := pathsOf(m.CRD, m.Storage())
	for _, v := range versions {
		if !has(is, pathsOf(m.CRD, v)) {
			printed, err := json.Marshal(is)
			if err != nil {
				panic(err) // it is made of maps and true
			}
			return string(printed)
		}
	}
	return "true"
}

// pathsOf are the fields of a version: true for any, as of a version that the CRD does not have any more.
func pathsOf(crd *apiextensions.CustomResourceDefinition, version string) any {
	schema, err := apiextensions.GetSchemaForVersion(crd, version)
	if err != nil || schema == nil {
		return true
	}
	all := paths(schema.OpenAPIV3Schema)
	if fields, is := all.(map[string]any); is {
		fields["f:apiVersion"], fields["f:kind"], fields["f:metadata"] = true, true, true
	}
	return all
}

// paths are the fields below a value as managedFields name them, with "*" for the keys of a mapping and for items. What is owned as a
// whole has any: the server makes one field of them by itself.
func paths(s *apiextensions.JSONSchemaProps) any {
	atomic := func(kind *string) bool { return kind != nil && *kind == "atomic" }
	switch {
	case s == nil, s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields, s.XEmbeddedResource, atomic(s.XMapType),
		s.Type == "array" && (s.XListType == nil || atomic(s.XListType) || s.Items == nil):
		return true
	case s.Type == "array":
		return map[string]any{"*": paths(s.Items.Schema)}
	}
	below := map[string]any{}
	for name, p := range s.Properties {
		below["f:"+name] = paths(&p)
	}
	if s.AdditionalProperties != nil {
		below["*"] = paths(s.AdditionalProperties.Schema)
	}
	return below
}

// has reports whether fields have all that others have.
func has(is, other any) bool {
	fields, some := is.(map[string]any)
	others, few := other.(map[string]any)
	if !some || !few {
		return !some
	}
	for key, below := range others {
		at, found := fields[key]
		if !found {
			at, found = fields["*"]
		}
		if !found || !has(at, below) {
			return false
		}
	}
	return true
}
