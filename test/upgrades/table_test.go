package upgrades

// The CRDs at the time of the upgrades.
var (
	helmBeta2     = folder{"0114b20936a970d149d83b59b6ab965a956ad811", "config/crd/bases"}
	helmV2        = folder{"6085b4f02224b0fb5d6f819ed7c8d63628cc3adf", "config/crd/bases"}
	sourceBeta2   = folder{"a9a85b2b0f9de83cfc84b6d223f3e767777a701c", "config/crd/bases"}
	sourceV1      = folder{"a40e0da705f26710077a7591f9dad05b7cd55acd", "config/crd/bases"}
	sourceHelmV1  = folder{"a80a99b359f964d92c70f119195be34ca8438f89", "config/crd/bases"}
	kustomizeV1   = folder{"7c4ce08d1abccf86456b16bc4d2ffa7152c9e67f", "config/crd/bases"}
	notifications = folder{"0768aa25556bc456a2e33be1554bb96bb3a68c3b", "config/crd/bases"}
	receivers     = folder{"092d3d3f20d1dbed55e97fd3d5be353d4701e56d", "config/crd/bases"}
	secrets       = folder{"d1747266da0d9ef494adbf1099e72f9b6db7e93a", "config/crds/bases"}
	kafka         = folder{"4431b5a490bfe24b5fcd66d4f4ec7ae9871e3e42", "packaging/install/cluster-operator"}
)

// table has the upgrades. They are named by their commits.
var table = []upgrade{
	{
		commit: "e91e1a4ac6be02ee723c67113d06585881a1285b",
		about:  "Helm releases to v2beta2, alerts and providers to v1beta3",
		crds:   []folder{helmBeta2, notifications},
		runs:   [][]string{{"--to", "helm.toolkit.fluxcd.io/v2beta2", "."}, {"--to", "notification.toolkit.fluxcd.io/v1beta3", "."}},
		want:   counts{comments: 88},
	},
	{
		commit: "0e93aec9fd82d4958cd74fd9d97d067578bc3873",
		about:  "Helm releases to v2, Helm repositories to v1",
		crds:   []folder{helmV2, sourceHelmV1},
		runs:   [][]string{{"--to", "helm.toolkit.fluxcd.io/v2", "."}, {"--to", "source.toolkit.fluxcd.io/v1", "."}},
		want:   counts{equal: 125},
	},
	{
		commit: "d6becc5cdbcc16a5a34a0b2e0354d5c24439616a",
		about:  "external secrets and their stores to v1",
		crds:   []folder{secrets},
		runs:   [][]string{{"--to", "external-secrets.io/v1", "."}},
		want:   counts{equal: 32},
	},
	{
		commit: "effbb0550b7e6bbd37b6c5a65938f924ba9da88a",
		about:  "Helm releases to v2, Helm repositories to v1, and the schemas of another host",
		crds:   []folder{helmV2, sourceHelmV1},
		runs:   [][]string{{"--to", "helm.toolkit.fluxcd.io/v2", "."}, {"--to", "source.toolkit.fluxcd.io/v1", "."}},
		want:   counts{comments: 114},
	},
	{
		commit: "fd9fd7790ecc6fe41aeea845c0b01ad95c6deb83",
		about:  "external secrets to v1, with placeholders",
		crds:   []folder{secrets},
		runs:   [][]string{{"--to", "external-secrets.io/v1", "."}},
		want:   counts{equal: 31},
	},
	{
		commit: "e29964fd0c85754951ff594d524285cad73cbc3a",
		about:  "Flux Kustomizations to v1, with patches in texts",
		crds:   []folder{kustomizeV1, sourceV1, receivers},
		runs: [][]string{
			{"--to", "kustomize.toolkit.fluxcd.io/v1", "."}, {"--to", "source.toolkit.fluxcd.io/v1", "--kind", "GitRepository", "."},
			{"--to", "notification.toolkit.fluxcd.io/v1", "."},
		},
		want: counts{equal: 4, differ: 68},
		differ: []difference{{
			"kubernetes/", "labels were taken out as well, and the version of a patch's target, which crdlift moves",
			`\+  labels:\n|\+    substitution.*\n|\+ *version: v1\n`,
		}},
	},
	{
		commit: "604f9b0b36cc40aeef6f76d430cd0a2fb2795cb5",
		about:  "external secrets to v1",
		crds:   []folder{secrets},
		runs:   [][]string{{"--to", "external-secrets.io/v1", "."}},
		want:   counts{equal: 1, comments: 41},
	},
	{
		commit: "85d6fd51ecbfa50c1a43c3943cd0b70056f1bf36",
		about:  "Helm releases to v2, and what refers to them",
		crds:   []folder{helmV2},
		runs:   [][]string{{"--to", "helm.toolkit.fluxcd.io/v2", "."}},
		want:   counts{equal: 55},
	},
	{
		commit: "f249b51764812d3659500530e13db8daa997fa29",
		about:  "Helm releases to v2beta2, and patches of them",
		crds:   []folder{helmBeta2},
		runs:   [][]string{{"--to", "helm.toolkit.fluxcd.io/v2beta2", "."}},
		want:   counts{equal: 6},
	},
	{
		commit: "94098379eb6f7fedf5b3c3246892ce28ede0af4a",
		about:  "sources to v1beta2",
		crds:   []folder{sourceBeta2},
		runs:   [][]string{{"--to", "source.toolkit.fluxcd.io/v1beta2", "."}},
		want:   counts{equal: 21, differ: 1},
		differ: []difference{{"kubernetes/base/repositories/helm/kustomization.yaml", "another file was added", `-  - .*\n`}},
	},
	{
		commit: "4431b5a490bfe24b5fcd66d4f4ec7ae9871e3e42",
		about:  "the examples of Kafka's operator to v1",
		crds:   []folder{kafka},
		runs:   [][]string{{"--to", "kafka.strimzi.io/v1", "packaging/examples"}},
		want:   counts{equal: 46, differ: 3},
		differ: []difference{
			{"packaging/examples/metrics/kube-state-metrics/", "a text in a ConfigMap names versions, and is reported", `[-+] *version: v1(beta2)?\n`},
			{"packaging/examples/metrics/", "what v1 requires is not there, so that it stays", `[-+]apiVersion: .*\n`},
		},
	},
}
