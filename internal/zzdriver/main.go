package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/crdlift/crdlift/internal/carry"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/template"
)

func main() {
	to := flag.String("to", "", "")
	crds := flag.String("crds", "", "")
	url := flag.String("url", "", "")
	quiet := flag.Bool("q", false, "")
	kind := flag.String("kind", "", "")
	flag.Bool("w", true, "")
	args := os.Args[2:]
	var command []string
	for i, a := range args {
		if a == "--" {
			command, args = args[i+1:], args[:i]
			break
		}
	}
	flag.CommandLine.Parse(args)
	if command != nil {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Stderr = os.Stderr
		cmd.Start()
		defer cmd.Process.Kill()
		for range 100 {
			if _, err := http.Get(*url); err == nil {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	cat := &objects.Catalogue{}
	walk(*crds, func(p string, src []byte) {
		for _, d := range objects.Definitions(p, p, src, true) {
			cat.Add(d)
		}
	})
	var kinds []string
	if *kind != "" {
		kinds = strings.Split(*kind, ",")
	}
	c := &carry.Carrier{Options: carry.Options{To: *to, Kinds: kinds}, Catalogue: cat, Context: context.Background(), Ask: func(d *objects.Definition) (carry.Asker, error) {
		return review.New(review.Config{CRD: d.Hub, URL: *url})
	}}
	counts := map[string]int{}
	for _, dir := range flag.Args() {
		walk(dir, func(p string, src []byte) {
			o := manifest.Open(p, p, src)
			var edits []rewrite.Edit
			var notes []carry.Note
			if fmt.Sprint(o.Unread) != "" && o.Unread != template.None {
				notes = c.Text(src)
			} else if o.Template != nil {
				r := c.Template(o)
				edits, notes = r.Edits, r.Notes
			} else {
				for _, d := range manifest.Parse(p, src).Documents {
					r := c.Document(d)
					edits = append(edits, r.Edits...)
					notes = append(notes, r.Notes...)
					for _, i := range r.Items {
						counts[fmt.Sprint("state ", i.State)]++
					}
				}
			}
			for _, n := range notes {
				counts[n.Rule]++
				if !*quiet {
					s := n.Message.String()
					if n.Cause != nil {
						s += fmt.Sprintf(" [%s at %s]", n.Cause.Keyword, n.Version)
					}
					fmt.Printf("%s:%d %s %s: %s\n", p, strings.Count(string(src[:n.Start]), "\n")+1, n.Rule, n.Path, s)
				}
			}
			if len(edits) > 0 {
				os.WriteFile(p, rewrite.Apply(src, edits), 0o600)
			}
		})
	}
	fmt.Println(counts)
}

func walk(dir string, do func(string, []byte)) {
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && (strings.HasSuffix(p, ".yaml") || strings.HasSuffix(p, ".yml") || strings.HasSuffix(p, ".json")) {
			src, _ := os.ReadFile(p)
			do(p, src)
		}
		return nil
	})
}
