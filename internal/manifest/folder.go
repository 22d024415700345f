package manifest

import "regexp"

// Folders with copies of what a generator writes, by their names, whole or in part. Those of releases begin with v1.2 or 1.2;
// versions of an API have no dots. The scaffold of kubebuilder builds dist/install.yaml from the kustomization.
var (
	olderFolder = regexp.MustCompile(`^(bundles?|dist|olm-catalog|releases?|testdata)$|^v?[0-9]+\.[0-9]`)
	chartFolder = regexp.MustCompile(`^helm$|chart`)
)

// IsOlderFolder reports whether a folder has a name like those that keep older copies of manifests: of releases, bundles and
// test data.
func IsOlderFolder(name string) bool { return olderFolder.MatchString(name) }

// IsChartFolder reports whether a folder has a name like those of Helm charts.
func IsChartFolder(name string) bool { return chartFolder.MatchString(name) }
