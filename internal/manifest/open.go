package manifest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/template"
)

// Contents are those of a file, as far as it can be read without rendering it.
type Contents struct {
	// Worlds is the manifest, or what a template may become: its text under some choices of branches, each in the place that it
	// has in the file. Documents are those of Split.
	Worlds []*File
	// Template is the template that the file is; nil for a manifest.
	Template *template.Template
	// Unseen is the block of the first branch of the template that is in no world, since there are too many; nil where there is
	// none. Each world knows how many of them there are.
	Unseen *template.Block
	// Unread is the language of a template that cannot be read, and Why the reason. Worlds is empty then.
	Unread template.Language
	Why    string
}

// Open reads a manifest, or a Helm template. Templates in other languages are not read, nor are Helm templates with an action
// that no mask fits. The path says what the file is in a chart, and the label is for messages.
func Open(path, label string, src []byte) *Contents {
	o := Recognise(path, src)
	switch {
	case o.Unread == template.None:
		o.Worlds = []*File{Split(label, src)}
	case o.Unread == template.Helm:
		return OpenTemplate(label, src)
	}
	return o
}

// OpenTemplate is Open for what is known to be a Helm template, though there may be no action left in it.
func OpenTemplate(label string, src []byte) *Contents {
	o := &Contents{}
	if err := o.mask(label, src); err != nil {
		return &Contents{Unread: template.Helm, Why: err.Error()}
	}
	return o
}

// Manifest is the file, if it is a manifest: the only world there is. It is split now if only its language was asked for.
func (o *Contents) Manifest(label string, src []byte) *File {
	if len(o.Worlds) == 0 {
		return Split(label, src)
	}
	return o.Worlds[0]
}

// Recognise is Open for a text of which only the language matters: no template is read.
func Recognise(path string, src []byte) *Contents {
	return &Contents{Unread: template.Recognise(path, src)}
}

func (o *Contents) mask(label string, src []byte) (err error) {
	if why, _ := unreadable(src); why != "" {
		return errors.New(why)
	}
	if o.Template, err = template.Parse(src); err != nil {
		return err
	}
	worlds, unseen, branches := o.Template.Worlds()
	o.Unseen = unseen
	for _, w := range worlds {
		m, err := o.Template.Mask(w)
		if err != nil {
			return err
		}
		world := SplitMasked(label, m.Text, m)
		world.Unseen = branches
		o.Worlds = append(o.Worlds, world)
	}
	return nil
}

// Documents are those of all worlds. Of a document that is in several of them, it is the first.
func (o *Contents) Documents() (all []*Document) {
	seen := map[int]bool{}
	for _, world := range o.Worlds {
		for _, d := range world.Documents {
			if !seen[d.Start] && (d.Root != nil || d.Err != nil || hasContent(d.Text())) {
				seen[d.Start] = true
				all = append(all, d)
			}
		}
	}
	return all
}

// hasContent reports whether a document is more than comments.
func hasContent(text []byte) bool {
	for line := range bytes.Lines(text) {
		if !lines.IsBlankOrComment(line) && !lines.IsMarker(line, "---") {
			return true
		}
	}
	return false
}

// SplitMasked is Split for the masked text of a template, which may have changed. What is shown of it has the actions.
func SplitMasked(label string, text []byte, m *template.MaskedTemplate) *File {
	f := Split(label, text)
	if m != nil {
		f.Mask = m
		f.shownText = m.Shown(text)
		f.shown = lines.TableOf(f.shownText)
	}
	return f
}

// Unmasked is an error of a document in the masked text of a template, as one of the template.
func (f *File) Unmasked(err *SyntaxError) error {
	return fmt.Errorf("line %d does not parse without rendering: %s", err.Line, f.Mask.Show(err.Message))
}
