package plan

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// warnings returns the limits of the plan, and its preconditions.
func (c *change) warnings() []string {
	var all []string
	for _, f := range []struct{ name, from, to string }{
		{"spec.group", c.from.Spec.Group, c.to.Spec.Group},
		{"spec.scope", string(c.from.Spec.Scope), string(c.to.Spec.Scope)},
		{"spec.names.plural", c.from.Spec.Names.Plural, c.to.Spec.Names.Plural},
		{"spec.names.kind", c.from.Spec.Names.Kind, c.to.Spec.Names.Kind},
	} {
		if f.from != f.to {
			all = append(all, fmt.Sprintf("%s cannot change from %s to %s: the API server rejects it once the CRD is established. "+
				"Keep it, or make a new CRD of another name and move the objects yourself.", f.name, f.from, f.to))
		}
	}
	if !slices.ContainsFunc(c.new, func(v State) bool { return v.Served }) {
		all = append(all, "The new manifest serves no version: nobody can read, change or delete objects through the API any more.")
	}
	if c.opt.Stored == nil && len(c.removed()) > 0 {
		all = append(all, "What status.storedVersions lists is not known: compare with 'kubectl get crd -o yaml' of a cluster to plan for it. "+
			"Clusters differ; the API server rejects a manifest that lacks a version listed there.")
	}
	return all
}

// steps are what to do around a release, in order.
func (c *change) steps(r int) []Step {
	var steps []Step
	if r == 1 {
		steps = append(steps, c.leftovers()...)
	}
	if r == 1 && (len(c.added()) > 0 || c.strategy(c.from) != c.strategy(c.to)) {
		steps = append(steps, c.conversion()...)
	}
	if names := c.differ(r, stops); len(names) > 0 {
		steps = append(steps, c.manifests(r, names)...)
		steps = append(steps, c.clients(names))
	}
	dropped := c.differ(r, drops)
	if len(dropped) > 0 {
		steps = append(steps, c.unlisted(dropped), c.managed(dropped))
	}
	steps = append(steps, c.apply(r))
	if c.switches(r) {
		old := slices.DeleteFunc(slices.Clone(c.stored), func(name string) bool { return name == c.newStorage })
		steps = append(steps, c.migrateTo(c.newStorage, old)...)
	}
	if len(dropped) > 0 && c.strategy(c.from) == apiextensions.WebhookConverter {
		steps = append(steps, Step{Do: fmt.Sprintf("Once no cluster runs an earlier release, drop %s from the conversion webhook.", text.And(dropped))})
	}
	return steps
}

// leftovers moves objects out of versions that are removed, and are not the storage version, but were. A change of the
// storage version moves them anyway.
func (c *change) leftovers() []Step {
	if c.storageAt() > 0 {
		return nil
	}
	left := slices.DeleteFunc(c.removed(), func(name string) bool { return name == c.oldStorage || !slices.Contains(c.stored, name) })
	if len(left) == 0 {
		return nil
	}
	return c.migrateTo(c.oldStorage, left)
}

func (c *change) strategy(crd *apiextensions.CustomResourceDefinition) apiextensions.ConversionStrategyType {
	if crd.Spec.Conversion == nil {
		return apiextensions.NoneConverter
	}
	return crd.Spec.Conversion.Strategy
}

// conversion is what to do about the conversion before there is a new version.
func (c *change) conversion() []Step {
	if c.strategy(c.to) == apiextensions.WebhookConverter {
		step := Step{Do: "Deploy the conversion webhook before the CRD names it: from then on the API server calls it for every object " +
			"that is stored in another version than it is asked for, and fails the request when there is no response."}
		if its := c.to.Spec.Conversion.WebhookClientConfig; its != nil && its.Service != nil {
			step.Commands = []string{fmt.Sprintf("kubectl --namespace %s get endpointslices --selector kubernetes.io/service-name=%s",
				quote(its.Service.Namespace), quote(its.Service.Name))}
		}
		return []Step{step}
	}
	var differ []string
	before := schema(c.from, c.from.Spec.Versions[slices.IndexFunc(c.old, func(v State) bool { return v.Storage })])
	for i, v := range c.new {
		if !c.was[v.Name].isThere() && !reflect.DeepEqual(schema(c.to, c.to.Spec.Versions[i]), before) {
			differ = append(differ, v.Name)
		}
	}
	if len(differ) == 0 {
		return nil
	}
	return []Step{{Do: fmt.Sprintf("Make sure that strategy None is enough. It changes only the apiVersion: fields that %s and %s do not "+
		"both have are pruned when an object goes from one to the other. If data moves or changes its form, write a conversion webhook first.",
		text.And(differ), c.oldStorage)}}
}

// schema returns the schema of a version, at the top level or in the version.
func schema(crd *apiextensions.CustomResourceDefinition, v apiextensions.CustomResourceDefinitionVersion) *apiextensions.CustomResourceValidation {
	if v.Schema != nil {
		return v.Schema
	}
	return crd.Spec.Validation
}

// manifests returns the step that carries manifests out of versions that will not be served; none if the CRD did not serve the version that
// they would go to.
func (c *change) manifests(r int, versions []string) []Step {
	to := c.storageIn(r)
	if !byName(c.states(r - 1))[to].Served || !byName(c.states(r))[to].Served {
		return nil
	}
	step := Step{
		Do: fmt.Sprintf("In every repository with objects, migrate the manifests from %s to %s while the CRD has both versions. Read the diff first, then write with --write instead "+
			"of --diff. crdlift uses the CRD of the repository, or the one that --crds names.", text.And(versions), to),
		Commands: []string{"crdlift migrate --to " + c.to.Spec.Group + "/" + to + " --diff ."},
	}
	if c.strategy(c.from) == apiextensions.WebhookConverter {
		step.Do += " Name the conversion webhook with --url."
	}
	return []Step{step}
}

// clients returns the step that finds clients of versions that will not be served.
func (c *change) clients(versions []string) Step {
	step := Step{Do: fmt.Sprintf("Make sure that no client uses %s any more. Every API server counts requests for deprecated versions since it started; "+
		"manifests in repositories and the clients of operators do not show up until they run.", text.And(versions))}
	for _, v := range versions {
		step.Commands = append(step.Commands, fmt.Sprintf(
			`kubectl get --raw /metrics | grep 'apiserver_requested_deprecated_apis{group="%s",.*resource="%s",.*version="%s"}'`,
			c.to.Spec.Group, c.to.Spec.Names.Plural, v))
	}
	return step
}

// unlisted returns the step with the check that the API server makes before it removes a version.
func (c *change) unlisted(versions []string) Step {
	return Step{
		Do: fmt.Sprintf("In every cluster, make sure that status.storedVersions does not list %s. If it does, objects may still be stored so: "+
			"rewrite them first, as after a change of the storage version. The API server rejects the manifest otherwise.", text.And(versions)),
		Commands: []string{c.storedVersions()},
	}
}

func (c *change) storedVersions() string {
	return fmt.Sprintf(`kubectl get customresourcedefinition %s --output jsonpath='{.status.storedVersions}{"\n"}'`, c.to.Name)
}

// apply brings a release to a cluster.
func (c *change) apply(r int) Step {
	do, command := "Apply the manifest", "kubectl apply --filename "+quote(cmp.Or(c.written, c.opt.File))
	var commands []string
	switch {
	case c.opt.Chart != "":
		do, command = "Upgrade the Helm release of the chart that has the manifest", `helm upgrade "$RELEASE" `+quote(c.opt.Chart)
	case c.opt.Kustomization != "":
		do, command = "Apply the kustomization that lists the manifest", "kubectl apply --kustomize "+quote(c.opt.Kustomization)
	}
	if c.written != "" && (c.opt.Chart != "" || c.opt.Kustomization != "") {
		do = "Copy the manifest to its place. " + do
		commands = append(commands, "cp "+quote(c.written)+" "+quote(c.opt.File))
	}
	if r < c.last() && c.written == "" {
		do += " with spec.versions as above, and everything else as it will be"
	}
	do += "."
	if r == 1 && len(c.deprecated()) > 0 {
		do += " A deprecationWarning can tell users what to use instead of " + text.And(c.deprecated()) + "."
	}
	return Step{Do: do, Commands: append(commands, command,
		fmt.Sprintf("kubectl wait --for=condition=Established customresourcedefinition/%s --timeout=60s", c.to.Name))}
}

// migrateTo rewrites all objects, which stores them in the storage version, and drops the others from the status.
func (c *change) migrateTo(storage string, old []string) []Step {
	name := c.to.Name + "-" + storage
	return []Step{
		{
			Do: fmt.Sprintf("In every cluster, rewrite all objects, so that they are stored as %s. Kubernetes 1.37 and later do it on request; "+
				"1.35 and 1.36 know the request as storagemigration.k8s.io/v1beta1, when that API and the feature gate StorageVersionMigrator are switched on.", storage),
			Commands: []string{
				fmt.Sprintf(`echo '{"apiVersion":"storagemigration.k8s.io/v1","kind":"StorageVersionMigration","metadata":{"name":"%s"},`+
					`"spec":{"resource":{"group":"%s","resource":"%s"}}}' | kubectl apply --filename -`, name, c.to.Spec.Group, c.to.Spec.Names.Plural),
				"kubectl wait --for=condition=Succeeded storageversionmigration.storagemigration.k8s.io/" + name + " --timeout=1h",
			},
		},
		{
			Do: "Elsewhere, read all objects and write them back. Repeat it when it reports conflicts: then objects were changed in between. " +
				"Objects that it reports as invalid must be corrected first.",
			Commands: []string{getAll(c.to) + " --output json | kubectl replace --filename -"},
		},
		{
			Do: fmt.Sprintf("Check whether status.storedVersions still lists %s (a StorageVersionMigration removes it); if it does, remove it. "+
				"Nothing checks that every object was rewritten; one that was not cannot be read once its version is removed.", text.And(old)),
			Commands: []string{
				c.storedVersions(),
				fmt.Sprintf(`kubectl patch customresourcedefinitions %s --subresource='status' --type='merge' --patch '{"status":{"storedVersions":["%s"]}}'`, c.to.Name, storage),
			},
		},
	}
}

// quote writes a text as one word for a shell, on one line. What cannot be printed takes a form that bash, zsh and
// POSIX.1-2024 know.
func quote(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }) {
		return ansi(s)
	}
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./@%+=:,", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// ansi quotes a text so that only its letters and digits are literal. An escape of three digits ends there.
func ansi(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_./ ", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	return "$'" + b.String() + "'"
}
