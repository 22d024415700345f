package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

const (
	dumpSize = 1000 * megabyte
	// partSize is below the size from which lists are judged in pieces.
	partSize = megabyte
	// dumpMistakes is prime, as the number of kinds is not: all kinds have mistakes.
	dumpMistakes = 503
)

// dump has crdlift judge what kubectl prints of all objects of a cluster: one list, with two workers.
func (b *bench) dump() (string, error) {
	crds, parts := filepath.Join(b.dir, "dump-crds"), filepath.Join(b.dir, "dump-parts")
	if err := (population{kinds: many.kinds}).write(crds, filepath.Join(b.dir, "no-objects")); err != nil {
		return "", err
	}
	d := dumped{yaml: filepath.Join(b.dir, "dump.yaml"), json: filepath.Join(b.dir, "dump.json"), parts: parts}
	if err := d.write(dumpSize); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(b.ctx, b.reference, "json", d.yaml, d.json)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("reference json: %w\n%s", err, out)
	}
	lists := map[string]string{}
	judge := func(name, does, input string, more ...string) contestant {
		lists[name] = filepath.Join(b.dir, fmt.Sprintf("verdicts-%d.tsv", len(lists)))
		args := append([]string{b.crdlift, "validate", "--no-config", "--crds", crds, "--list", lists[name]}, more...)
		return contestant{name: name, does: does, args: args, stdin: input, env: twoCores, done: []int{1}}
	}
	results, err := b.race(1,
		judge("`crdlift validate dump.yaml`", "one list in YAML", "", d.yaml),
		judge("`cat dump.yaml \\| crdlift validate -`", "the same from a pipe", d.yaml, "-"),
		judge("`crdlift validate dump.json`", "the same list in JSON", "", d.json),
		judge("`crdlift validate parts`", "the same objects in lists that are read as a whole, of 1 MB each", "", d.parts))
	if err != nil {
		return "", err
	}
	for _, r := range results[:3] {
		b.targets = append(b.targets, below("peak memory of "+r.name+", of 1 GB", r.memory().most, 300*megabyte, megabytes))
	}
	same, err := sameVerdicts(lists[results[0].name], lists[results[1].name], lists[results[2].name], lists[results[3].name])
	if err != nil {
		return "", err
	}
	b.promise("verdicts and rules of each object of 1 GB in pieces, from a pipe, in JSON and in small lists", "the same", map[bool]string{true: "the same", false: "not the same"}[same], same)
	return fmt.Sprintf("%d CRDs; %s objects, %s in YAML; one run of each.\n\n", many.kinds, thousands(d.objects), megabytes(d.size)) + plain(results), nil
}

// A dumped is a list of objects by kind, and the same objects in many lists.
type dumped struct {
	yaml, json, parts string
	objects           int
	size              int64 // of the YAML
}

// write writes the lists in YAML, without holding them in memory.
func (d *dumped) write(size int64) error {
	if err := os.MkdirAll(d.parts, 0o755); err != nil {
		return err
	}
	whole, err := createList(d.yaml)
	if err != nil {
		return err
	}
	var part *listFile
	kinds := specimen.Kinds(many.kinds)
	for err == nil && whole.size < size {
		if part == nil || part.size > partSize-100_000 {
			if err = part.close(); err == nil {
				part, err = createList(filepath.Join(d.parts, fmt.Sprintf("%07d.yaml", d.objects)))
			}
			if err != nil {
				break
			}
		}
		o := specimen.Object{Kind: kinds[int(whole.size*int64(len(kinds))/size)], Number: d.objects}
		if d.objects%dumpMistakes == dumpMistakes-1 {
			o.Mistake = specimen.Mistakes[d.objects/dumpMistakes%len(specimen.Mistakes)]
		}
		item := asItem(o.YAML(), d.objects)
		d.objects++
		err = errors.Join(whole.add(item), part.add(item))
	}
	d.size = whole.size
	return errors.Join(err, whole.close(), part.close())
}

// asItem is a manifest as an item of a list, with what a server adds to it.
func asItem(manifest string, number int) string {
	manifest = strings.Replace(manifest, "\nmetadata:\n", fmt.Sprintf("\nmetadata:\n  creationTimestamp: \"2024-01-01T00:00:00Z\"\n  generation: 1\n  resourceVersion: \"%d\"\n  uid: 00000000-0000-4000-8000-%012d\n", 1000+number, number), 1)
	return "- " + strings.TrimSuffix(strings.ReplaceAll(manifest, "\n", "\n  "), "  ")
}

// A listFile is a list as kubectl prints it. Its methods do nothing on a nil file.
type listFile struct {
	*bufio.Writer
	file *os.File
	size int64
}

func createList(path string) (*listFile, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	l := &listFile{bufio.NewWriterSize(f, 1<<20), f, 0}
	return l, l.add("apiVersion: v1\nitems:\n")
}

func (l *listFile) add(text string) error {
	n, err := l.WriteString(text)
	l.size += int64(n)
	return err
}

func (l *listFile) close() error {
	if l == nil {
		return nil
	}
	return errors.Join(l.add("kind: List\nmetadata:\n  resourceVersion: \"\"\n"), l.Flush(), l.file.Close())
}

// sameVerdicts compares lists of verdicts, line by line, without the places of the objects.
func sameVerdicts(paths ...string) (same bool, err error) {
	var all []*bufio.Scanner
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return false, err
		}
		defer f.Close()
		all = append(all, bufio.NewScanner(f))
	}
	for {
		more := all[0].Scan()
		for _, other := range all[1:] {
			if other.Scan() != more || more && !bytes.Equal(withoutPlace(other.Bytes()), withoutPlace(all[0].Bytes())) {
				return false, nil
			}
		}
		if !more {
			return true, all[0].Err()
		}
	}
}

// withoutPlace is a line of a list of verdicts without the file and the line.
func withoutPlace(line []byte) []byte {
	fields := bytes.Split(line, []byte("\t"))
	if len(fields) > 4 {
		fields[4] = nil
	}
	return bytes.Join(fields, []byte("\t"))
}
