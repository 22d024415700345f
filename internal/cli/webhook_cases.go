package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/crdlift/crdlift/internal/atomicfile"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/rules"
)

// readCases reads what --samples and --replay name.
func (s *session) readCases(f webhookFlags, to *rules.Conversions) error {
	for _, path := range f.samples {
		found := 0
		err := s.eachFile(path, func(name string, src []byte) error {
			n, err := to.AddSamples(name, src)
			found += n
			return err
		})
		if err == nil && found == 0 {
			err = fmt.Errorf("no custom resource in %s", run.Shown(path))
		}
		if err != nil {
			return fmt.Errorf("--samples: %w", err)
		}
	}
	if f.replay == "" {
		return nil
	}
	if err := s.eachFile(f.replay, to.AddCase); err != nil {
		return fmt.Errorf("--replay: %w", err)
	}
	return nil
}

// eachFile does something with each manifest at a path. There has to be one.
func (s *session) eachFile(path string, do func(name string, src []byte) error) error {
	found := s.FindAll(path)
	for _, err := range found.Errs {
		return err
	}
	found.NoteLinks(s.Note)
	if len(found.All) == 0 {
		return fmt.Errorf("no manifest in %s", run.Shown(path))
	}
	for _, in := range found.All {
		src, err := s.Read(in)
		if err != nil {
			return err
		}
		if err := do(run.Shown(in.Path), src); err != nil {
			return err
		}
	}
	return nil
}

// saver writes cases into the folder of --save; nil without it.
func (f *webhookFlags) saver(b *run.Run) func(file string, text []byte) string {
	if f.save == "" {
		return nil
	}
	failed := false
	return func(file string, answer []byte) string {
		if failed {
			return ""
		}
		if err := atomicfile.WriteBelow(f.save, file, answer); err != nil {
			failed = true
			b.Fail(fmt.Errorf("--save: %w", run.Unread(err)))
			return ""
		}
		return strings.Replace(f.again, casePlace, text.ShellWord(run.Shown(filepath.Join(f.save, file))), 1)
	}
}

// casePlace stands for the case in the command that replays one.
const casePlace = "\x00"

// forReplay are the flags that a replay needs as well: how the webhook is reached.
var forReplay = []string{"url", "connect", "allow-remote", "ca-file", "insecure-skip-tls-verify", "timeout", "kustomize"}

// replayCommand is the command that tries a case again, with casePlace for the case.
func (f *webhookFlags) replayCommand(flags *pflag.FlagSet, paths []string) string {
	words := []string{"crdlift webhook test"}
	for _, name := range forReplay {
		flag := flags.Lookup(name)
		switch {
		case !flag.Changed:
		case flag.Value.Type() == "bool":
			words = append(words, "--"+name)
		default:
			words = append(words, "--"+name, text.ShellWord(flag.Value.String()))
		}
	}
	words = append(words, "--replay", casePlace)
	for _, path := range paths {
		words = append(words, text.ShellWord(run.Shown(path)))
	}
	if f.commanded {
		words = append(words, "--")
		for _, word := range f.command {
			words = append(words, text.ShellWord(word))
		}
	}
	return strings.Join(words, " ")
}

// short is a duration with as many digits as say something.
func short(d time.Duration) string {
	switch {
	case d >= 10*time.Millisecond:
		return d.Round(time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(10 * time.Microsecond).String()
}
