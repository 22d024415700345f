package repository

import (
	"fmt"
	"maps"
	"testing"
)

// TestApplied finds the way in which the files of a tree say that manifests are applied: "way manager forced: why".
func TestApplied(t *testing.T) {
	t.Parallel()
	const (
		flux      = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: {path: ./apps/prod, sourceRef: {kind: GitRepository}}\n"
		release   = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec: {chart: {spec: {chart: ./charts/shop}}}\n"
		argo      = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source: {path: apps/prod}\n"
		options   = "  syncPolicy: {syncOptions: [%s]}\n"
		set       = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nspec:\n  generators: [{git: {%s}}]\n  template:\n    spec:\n      source: {path: '{{path}}'}\n"
		byFlux    = "server-side kustomize-controller forced: c.yaml:2 makes Flux apply the folder apps/prod"
		byArgo    = "client-side: a.yaml:2 makes Argo CD apply the folder apps/prod"
		byKubectl = "client-side: Makefile:2 applies manifests"
	)
	argoSSA := argo + fmt.Sprintf(options, "CreateNamespace=true, ServerSideApply=true")
	line := func(command string) files { return files{"Makefile": "deploy:\n\t" + command + "\n"} }
	for _, test := range []struct {
		name  string
		files files
		want  string
	}{
		{"nothing", nil, ""},
		{"a Kustomization of Flux", files{"c.yaml": flux}, byFlux},
		{"the second document", files{"c.yaml": "kind: Namespace\n---\n# Flux\n" + flux}, "server-side kustomize-controller forced: c.yaml:5 makes Flux apply the folder apps/prod"},
		{"a Kustomization of another repository", files{"c.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: {path: ./deploy}\n"}, ""},
		{"one of all that a source has", files{"c.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: {path: ./}\n"}, ""},
		{"one that leads out of the source", files{"c.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: {path: ../../}\n"}, ""},
		{"a kustomization", files{"c.yaml": "# kustomize.toolkit.fluxcd.io/v1\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nspec: {path: apps/prod}\n"}, ""},
		{"a release of a chart here", files{"c.yaml": release}, "server-side helm-controller forced: c.yaml:2 makes Flux apply the folder charts/shop"},
		{"a release of another chart", files{"c.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec: {chart: {spec: {chart: shop}}}\n"}, ""},
		{"two managers", files{"c.yaml": flux, "d.yaml": release}, "server-side forced: c.yaml:2 makes Flux apply the folder apps/prod"},
		{"an Application", files{"a.yaml": argo}, byArgo},
		{"an Application, server-side", files{"a.yaml": argoSSA}, "server-side argocd-controller forced: a.yaml:2 makes Argo CD apply the folder apps/prod"},
		{"an Application that replaces", files{"a.yaml": argo + fmt.Sprintf(options, "ServerSideApply=true, Replace=true")}, "replace: a.yaml:2 makes Argo CD apply the folder apps/prod"},
		{"an Application of a chart elsewhere", files{"a.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: {source: {chart: shop}}\n"}, ""},
		{"the second source", files{"a.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: {sources: [{chart: shop}, {path: apps/prod}]}\n"}, byArgo},
		{"a set for folders", files{"a.yaml": fmt.Sprintf(set, "directories: [{path: apps/*}]")}, "client-side: a.yaml:2 makes Argo CD apply the folder apps"},
		{"a set for files", files{"a.yaml": fmt.Sprintf(set, "files: [{path: apps/**/config.json}]") + "      syncPolicy: {syncOptions: [ServerSideApply=true]}\n"},
			"server-side argocd-controller forced: a.yaml:2 makes Argo CD apply the folder apps"},
		{"a set for what is not here", files{"a.yaml": fmt.Sprintf(set, "directories: [{path: '*'}]")}, ""},
		{"another kind", files{"a.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec: {source: {path: apps/prod}}\n"}, ""},
		{"ways that differ", files{"a.yaml": argo, "c.yaml": flux}, ""},
		{"ways that differ, and one again", files{"a.yaml": argo, "c.yaml": flux, "d.yaml": flux}, ""},
		{"a template", files{"a.yaml": "{{ if .Values.argo }}\n" + argo + "{{ end }}\n"}, ""},

		{"a test's", files{"test/c.yaml": flux}, ""},
		{"documentation", files{"docs/c.yaml": flux}, ""},
		{"an example", files{"examples/c.yaml": flux}, ""},
		{"a release that is kept", files{"v1.2.0/c.yaml": flux, "v1.2.0/crd.yaml": whole("Gadget.example.org", false)}, ""},
		{"another project's", files{"vendor/c.yaml": flux}, ""},
		{"of a program that is one of these", files{
			"a.yaml": argo, "crd.yaml": whole("Application.argoproj.io", true),
			"api/types.go": "// +groupName=argoproj.io\npackage api\n\ntype Application struct {\n\tmetav1.TypeMeta\n}\n",
		}, ""},
		{"beside the CRD of another project", files{"a.yaml": argo, "crd.yaml": whole("Application.argoproj.io", false)}, byArgo},

		{"kubectl", line("kubectl apply -f apps/prod/x.yaml"), byKubectl},
		{"kubectl in a variable, with a folder", line("$(KUBECTL) apply -n shop --filename=apps"), byKubectl},
		{"a kustomization's folder", line("kubectl apply -k apps/prod"), byKubectl},
		{"all below a folder", line("kubectl apply -Rf apps"), byKubectl},
		{"what kustomize makes", line("$(KUSTOMIZE) build apps/prod | kubectl apply -f -"), byKubectl},
		{"server-side", line("kubectl apply --server-side -f apps"), "server-side kubectl: Makefile:2 applies manifests"},
		{"server-side and forced", line("kubectl apply --server-side=true --force-conflicts -f apps"), "server-side kubectl forced: Makefile:2 applies manifests"},
		{"server-side, the second command", line("echo; kubectl apply -k apps --server-side"), "server-side kubectl: Makefile:2 applies manifests"},
		{"one in each way", line("kubectl apply -f apps; kubectl apply --server-side -f apps"), ""},
		{"not server-side", line("kubectl apply --server-side=false -f apps"), byKubectl},
		{"what is elsewhere", line("kubectl apply -f https://example.com/apps.yaml"), ""},
		{"what is elsewhere, server-side", line("kubectl apply --server-side -f https://example.com/apps.yaml"), ""},
		{"what is made on the way", line("kubectl create ns shop --dry-run=client -o yaml | kubectl apply -f -"), ""},
		{"what is not there", line("kubectl apply -f build/apps.yaml"), ""},
		{"without files", line("kubectl apply view-last-applied"), ""},
		{"another program", line("helmfile apply -f apps"), ""},
		{"a test's command", files{"test/run.sh": "kubectl apply -f apps\n"}, ""},
		{"a command of documentation", files{"docs/run.sh": "kubectl apply -f apps\n"}, ""},
		{"a command beside the project's CRDs", files{"Makefile": "deploy:\n\tkubectl apply -f apps\n", "crd.yaml": whole("Gadget.example.org", false)}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			all := files{"apps/prod/x.yaml": "kind: ConfigMap\n", "charts/shop/Chart.yaml": "name: shop\n"}
			maps.Copy(all, test.files)
			one := Look(all).Applied()
			got := string(one.Way)
			if one.Manager != "" {
				got += " " + one.Manager
			}
			if one.Force {
				got += " forced"
			}
			if one.Way != "" {
				got += ": " + one.Because.String()
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
