package main

import (
	"debug/buildinfo"
	"os"
	"strings"
)

// A subject is what the programs of a contest look at. Which of its fields are set depends on the contest.
type subject struct {
	path string     // manifests: a file or a folder
	crds string     // a folder with the CRDs of those manifests
	ages [][]string // pairs of files: a CRD in an older and a newer release
}

// A peer is somebody else's program that can do the work of a contest.
type peer struct {
	program, does string
	// aim adds the arguments that have it look at a subject, without a network.
	aim  func(*bench, subject, *contestant) error
	done []int // see contestant
}

// linters look at CRDs.
var linters = []peer{
	{"kubeconform", "checks each manifest against a JSON schema, here that of CustomResourceDefinition, made of upstream's OpenAPI", byDefinition, []int{1}},
	{"kubectl-validate", "decodes by OpenAPI, then decodes and validates with the API server's own code; no rules of its own", byPath, []int{1}},
	{"kube-linter", "looks for workloads; has no check for CRDs", func(_ *bench, s subject, c *contestant) error {
		c.args = append(c.args, "lint", s.path)
		return nil
	}, []int{1}},
	{"pluto", "looks for API versions that are deprecated or gone", func(_ *bench, s subject, c *contestant) error {
		if info, err := os.Stat(s.path); err == nil && info.IsDir() {
			c.args = append(c.args, "detect-files", "-d", s.path)
		} else {
			c.args = append(c.args, "detect", s.path)
		}
		return nil
	}, []int{2, 3}},
}

// judges look at objects by their CRDs.
var judges = []peer{
	{"kubeconform", "checks each object against a JSON schema, made of its CRD before; does not prune, default, run rules or look at list types", bySchemas, []int{1}},
	{"kubectl-validate", "prunes, defaults, validates and runs rules with the API server's own code, of Kubernetes 1.30; no lines",
		func(_ *bench, s subject, c *contestant) error {
			c.args = append(c.args, "--local-crds", s.crds, s.path)
			return nil
		}, []int{1}},
}

// crdify compares two CRDs.
var crdify = peer{"crdify", "compares each CRD with an older one, a process for each", func(_ *bench, s subject, c *contestant) error {
	for _, ages := range s.ages {
		c.each = append(c.each, []string{"file://" + ages[0], "file://" + ages[1]})
	}
	return nil
}, []int{1}}

// comparers compare CRDs with older ones.
var comparers = []peer{
	crdify,
	{"crd-schema-checker", "the same, without its check of conditions, which crashes on some", func(_ *bench, s subject, c *contestant) error {
		c.args = append(c.args, "check-manifests", "--disabled-validators", "ConditionsMustHaveProperSSATags")
		for _, ages := range s.ages {
			c.each = append(c.each, []string{"--existing-crd-filename", ages[0], "--new-crd-filename", ages[1]})
		}
		return nil
	}, []int{1}},
}

func byPath(_ *bench, s subject, c *contestant) error {
	c.args = append(c.args, s.path)
	return nil
}

// byDefinition has kubeconform judge CRDs by the schema of CustomResourceDefinition.
func byDefinition(b *bench, s subject, c *contestant) error {
	schemas, err := b.schemas()
	c.args = append(c.args, "-summary", "-ignore-missing-schemas", "-schema-location", schemas, s.path)
	return err
}

// bySchemas has kubeconform judge objects by the schemas in CRDs.
func bySchemas(b *bench, s subject, c *contestant) error {
	schemas, err := b.schemasOf(s.crds)
	c.args = append(c.args, "-strict", "-summary", "-schema-location", schemas, s.path)
	return err
}

// find makes contestants of the peers on PATH, and names those that are not there. A contestant's name has the version of
// its module.
func (b *bench) find(peers []peer, s subject) (found []contestant, missing []string, err error) {
	if !b.withPeers {
		return nil, nil, nil
	}
	for _, p := range peers {
		path, err := b.lookPath(p.program)
		if err != nil {
			missing = append(missing, p.program)
			continue
		}
		c := contestant{peer: p.program, name: p.program, does: p.does, args: []string{path}, done: p.done}
		if info, err := buildinfo.ReadFile(path); err == nil && info.Main.Version != "" {
			c.name += " " + info.Main.Version
		}
		if err := p.aim(b, s, &c); err != nil {
			return nil, nil, err
		}
		found = append(found, c)
	}
	return found, missing, nil
}

// absent says which peers a table does not have, and why: they are not on PATH, or one of their runs failed.
func absent(missing []string, ran []contestant, results []result) string {
	var why []string
	for _, program := range missing {
		why = append(why, program+" was not on `PATH`")
	}
	for _, c := range ran {
		if _, found := named(results, c.name); !found {
			why = append(why, c.name+" failed")
		}
	}
	if why == nil {
		return ""
	}
	return "\nNot measured: " + strings.Join(why, "; ") + ".\n"
}
