package release

import (
	"os"
	"slices"
	"strings"
	"testing"
	"text/template"

	"sigs.k8s.io/yaml"
)

// aquaPackage is what crdlift has in packaging/aqua.yaml, as in aqua's json-schema/registry.json.
type aquaPackage struct {
	Type          string   `json:"type"`
	RepoOwner     string   `json:"repo_owner"`
	RepoName      string   `json:"repo_name"`
	Description   string   `json:"description"`
	Asset         string   `json:"asset"`
	Format        string   `json:"format"`
	SupportedEnvs []string `json:"supported_envs"`
	Checksum      aquaChecksum
}

type aquaChecksum struct {
	Type      string `json:"type"`
	Asset     string `json:"asset"`
	Algorithm string `json:"algorithm"`
	Cosign    struct {
		Bundle struct {
			Type  string `json:"type"`
			Asset string `json:"asset"`
		} `json:"bundle"`
		Opts []string `json:"opts"`
	} `json:"cosign"`
}

// TestAqua compares the files that aqua asks a release for with those that goreleaser makes.
func TestAqua(t *testing.T) {
	t.Parallel()
	var registry struct {
		Packages []aquaPackage `json:"packages"`
	}
	decode(t, repository("packaging", "aqua.yaml"), &registry, yaml.UnmarshalStrict)
	var release struct {
		ProjectName string `json:"project_name"`
		Builds      []struct{ Goos, Goarch []string }
		Archives    []struct {
			NameTemplate string `json:"name_template"`
			Formats      []string
		}
		Checksum struct {
			NameTemplate string `json:"name_template"`
			Algorithm    string
		}
		Signs []struct{ Signature string }
	}
	decode(t, repository(".goreleaser.yaml"), &release, func(text []byte, to any, _ ...yaml.JSONOpt) error { return yaml.Unmarshal(text, to) })

	pkg := registry.Packages[0]
	made := slices.Concat(release.Builds[0].Goos, release.Builds[1].Goos)
	if !slices.Equal(pkg.SupportedEnvs, made) || len(release.Builds) != 2 {
		t.Errorf("aqua knows %v, a release has %v", pkg.SupportedEnvs, made)
	}
	for _, os := range made {
		for _, arch := range release.Builds[0].Goarch {
			made := fill(t, release.Archives[0].NameTemplate, map[string]string{"ProjectName": release.ProjectName, "Os": os, "Arch": arch}) +
				"." + release.Archives[0].Formats[0]
			if asked := fill(t, pkg.Asset, map[string]string{"OS": os, "Arch": arch, "Format": pkg.Format}); asked != made {
				t.Errorf("aqua asks for %s, a release has %s", asked, made)
			}
		}
	}
	sum := pkg.Checksum
	if sum.Asset != release.Checksum.NameTemplate || sum.Algorithm != release.Checksum.Algorithm {
		t.Errorf("aqua asks for %s, a release has %s", sum.Asset, release.Checksum.NameTemplate)
	}
	if signature := strings.Replace(release.Signs[0].Signature, "${artifact}", sum.Asset, 1); sum.Cosign.Bundle.Asset != signature {
		t.Errorf("aqua asks for %s, a release has %s", sum.Cosign.Bundle.Asset, signature)
	}
}

func decode(t *testing.T, path string, to any, how func([]byte, any, ...yaml.JSONOpt) error) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := how(text, to); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func fill(t *testing.T, text string, values map[string]string) string {
	t.Helper()
	parsed, err := template.New("name").Option("missingkey=error").Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := parsed.Execute(&b, values); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
