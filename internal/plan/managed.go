package plan

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/text"
)

// whole and merged are parts of programs for jq: whole says of each field that it is meant itself, and merged are the entries of metadata
// as they are to be.
const (
	whole  = `def whole: if . == {} then {".": {}} else with_entries(if .key == "." then . else .value |= whole end) end; `
	merged = `.managedFields | group_by([.manager, .operation, .subresource])[] | sort_by(.time) | reduce .[] as $e ({}; . * ($e | .fieldsV1 |= whole)) | .apiVersion = $to`
)

// union is a program for jq. Of each object of a list that has managedFields of another version than $to, it prints the command that
// replaces them by one entry for each manager, operation and subresource, with the fields of all entries of these, if nobody has changed
// the object in between. An entry that is only renamed would take the place of one that the manager has at the new version already.
// In fieldsV1, {} is a field itself, and "." beside others says that the field itself is meant as well.
const union = whole + `.items[].metadata | select(any(.managedFields[]?; .apiVersion != $to)) | [` + merged + `] as $union | ` +
	`[{op: "test", path: "/metadata/resourceVersion", value: .resourceVersion}, {op: "replace", path: "/metadata/managedFields", value: $union}] as $patch | ` +
	`@sh "printf %s \($patch | tojson) | kubectl patch \($resource) \(.name) --type json --patch-file /dev/stdin" + if .namespace then @sh " --namespace \(.namespace)" else "" end`

// RewriteManaged are the commands that rewrite managedFields of all objects of a resource to an apiVersion of its group. Get lists them.
func RewriteManaged(get, resource, apiVersion string) []string {
	return []string{
		"union='" + union + "'",
		fmt.Sprintf(`%s --output json --show-managed-fields | jq --raw-output --arg resource %s --arg to %s "$union" | sh`, get, resource, apiVersion),
	}
}

// managed returns the step that takes versions out of managedFields before they are removed. The script that it prints takes them out of
// status.storedVersions as well. Plans of one group share it.
func (c *change) managed(versions []string) Step {
	return Step{
		Do: fmt.Sprintf("In every cluster, rewrite stored objects and metadata.managedFields where field managers wrote at %s: without that version, every server-side "+
			"apply of such an object fails with 500. Neither a StorageVersionMigration nor writing the objects back fixes that. The audit names the managers that still write an old version; "+
			"its script needs kubectl and jq, and can be run again. Read it before you run it.", text.And(versions)),
		Commands: []string{
			"crdlift audit --groups " + c.to.Spec.Group + " --kubectl",
			"crdlift audit --groups " + c.to.Spec.Group + " --commands --kubectl > move.sh",
			"sh move.sh",
		},
	}
}
