package template

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// A Unit is a part of a template that its mask hides: actions, or a branch that is left out, with the action before it.
type Unit struct {
	Start, End int
	Prints     bool   // it is or has output
	OwnLine    bool   // it is alone on its lines
	Code       string // in the masked text; "" for one that is too short

	branch bool // it is a branch that is not looked at
	masked string
}

// MaskedTemplate is a template with text over its actions, in one world.
type MaskedTemplate struct {
	*Template
	Text  []byte // as long as the source
	Units []*Unit

	byCode map[string][]*Unit // one for each form
}

// An UnsupportedError is about an action that stands where no text of its length leaves YAML.
type UnsupportedError struct {
	Action Action
	Line   int // from 1
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("the action on line %d shares its line with text", e.Line)
}

// Mask writes text of the same length over the actions, and over the branches that a world leaves out. The same
// action has the same text everywhere, so that names made of it agree.
func (t *Template) Mask(w World) (*MaskedTemplate, error) {
	for salt := range 16 {
		m := &masker{MaskedTemplate: &MaskedTemplate{Template: t, byCode: map[string][]*Unit{}}, codes: map[string]string{}, salt: salt}
		if err := m.write(w); err != nil {
			return nil, err
		}
		if m.unmistakable() {
			return m.MaskedTemplate, nil
		}
	}
	return nil, fmt.Errorf("its text has every character that could replace an action")
}

type masker struct {
	*MaskedTemplate
	out   strings.Builder
	at    int               // in the source, up to which out is written
	codes map[string]string // by what they stand for
	taken map[string]bool   // what looks like a code in the source
	salt  int
}

func (m *masker) write(w World) error {
	m.taken = map[string]bool{}
	for at := 1; at+codeLength-1 <= len(m.Source); at++ {
		if c := m.Source[at]; c >= '0' && c <= '9' {
			m.taken[m.Source[at-1:at-1+codeLength]] = true
		}
	}
	off := m.off(w)
	for i := 0; i < len(m.Actions); {
		start, end, next := m.span(i, off)
		if m.Actions[i].Start >= m.at {
			if err := m.hide(start, end, i, next); err != nil {
				return err
			}
		}
		i = next
	}
	m.out.WriteString(m.Source[m.at:])
	m.Text = []byte(m.out.String())
	return nil
}

// off is by action the end of the branch that it begins, if that is not looked at.
func (m *masker) off(w World) map[int]int {
	ends := map[int]int{}
	for _, b := range m.Blocks {
		if !b.own || !b.IsCondition() {
			continue
		}
		for i, branch := range b.Branches {
			next := b.after(i)
			if r := m.runs[m.runOf[branch.Action]]; w[b.Index] != i && r.last == branch.Action && m.runs[m.runOf[next]].first == next {
				ends[branch.Action] = next
			}
		}
	}
	return ends
}

// span is what is hidden together, beginning with an action, and the next action after it.
func (m *masker) span(i int, off map[int]int) (start, end, next int) {
	r := m.runs[m.runOf[i]]
	if r.own {
		if to, ok := off[r.last]; ok {
			text := m.Source[:m.lineStart(m.Actions[to].Start)]
			return m.Actions[i].Start, max(m.Actions[r.last].End, len(strings.TrimRight(text, space))), to
		}
		return m.Actions[i].Start, m.Actions[r.last].End, r.last + 1
	}
	// On a line with text, a block is one with its end; actions without anything between them are one.
	last := i
	for {
		if b := m.blockAt(last); b != nil && !strings.Contains(m.Source[m.Actions[last].Start:m.Actions[b.End].End], "\n") {
			last = b.End
		}
		if last+1 >= len(m.Actions) || m.Actions[last+1].Start != m.Actions[last].End {
			return m.Actions[i].Start, m.Actions[last].End, last + 1
		}
		last++
	}
}

// blockAt is the block that an action begins; nil for another.
func (t *Template) blockAt(action int) *Block {
	i, found := slices.BinarySearchFunc(t.Blocks, action, func(b *Block, action int) int { return b.Branches[0].Action - action })
	if !found {
		return nil
	}
	return t.Blocks[i]
}

// hide writes a mask over a span, which has the actions from first to before next.
func (m *masker) hide(start, end, first, next int) error {
	m.out.WriteString(m.Source[m.at:start])
	m.at = start
	before, after := m.around(m.out.String(), start, end)
	if inComment(before) {
		return nil
	}
	form, ok := formOf(m.Source[start:end], before, after, m.whole(first, next), m.deeper(before, end))
	if !ok {
		return &UnsupportedError{m.Actions[first], 1 + strings.Count(m.Source[:start], "\n")}
	}
	code := m.code(m.Source[start:end])
	u := &Unit{Start: start, End: end, OwnLine: form == comment && strings.TrimLeft(before, " \t\ufeff") == ""}
	u.branch = m.runs[m.runOf[first]].own && next > m.runs[m.runOf[first]].last+1
	u.masked = form.write(m.Source[start:end], code)
	if strings.Contains(u.masked, code) {
		u.Code = code
		if !slices.ContainsFunc(m.byCode[code], func(o *Unit) bool { return o.masked == u.masked }) {
			m.byCode[code] = append(m.byCode[code], u)
		}
	}
	for i := first; i < next; i++ {
		hasText := i > first && strings.Trim(m.Source[m.Actions[i-1].End:m.Actions[i].Start], space) != ""
		u.Prints = u.Prints || m.Actions[i].prints() || hasText && !u.branch
	}
	m.Units = append(m.Units, u)
	m.out.WriteString(u.masked)
	m.at = end
	return nil
}

// deeper reports whether the next line with text of the manifest, behind a line of which the beginning is given, is indented more.
func (t *Template) deeper(before string, end int) bool {
	for line := range strings.Lines(t.Source[end:min(end+4*maxLine, len(t.Source))]) {
		text := strings.TrimLeft(line, " \t")
		if strings.TrimSpace(text) == "" || text[0] == '#' || strings.HasPrefix(text, left) {
			continue
		}
		return len(line)-len(text) > len(before)-len(strings.TrimLeft(before, " \t-"))
	}
	return false
}

// inComment reports whether the end of a line's text is in a comment.
func inComment(before string) bool {
	text := strings.TrimLeft(before, " \t")
	if strings.HasPrefix(text, "#") {
		return true
	}
	at := strings.Index(text, " #")
	return at >= 0 && strings.Count(text[:at], `"`)%2 == 0 && strings.Count(text[:at], "'")%2 == 0
}

// whole reports whether each control action of a sequence is there with its block.
func (m *masker) whole(first, next int) bool {
	depth, prints := 0, false
	for i := first; i < next; i++ {
		a := m.Actions[i]
		prints = prints || a.begins() || a.prints()
		if a.begins() {
			depth++
		} else if a.Keyword() == "end" {
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0 && prints
}

// code is what stands for a text: four bytes that the source does not have.
func (m *masker) code(of string) string {
	if code, ok := m.codes[of]; ok {
		return code
	}
	h := fnv.New32a()
	fmt.Fprint(h, m.salt, of)
	for n := h.Sum32(); ; n++ {
		const more = "abcdefghijklmnopqrstuvwxy0123456789"
		code := string([]byte{more[n%25], '0' + byte(n/25%10), more[n/250%35], more[n/250/35%35]})
		if len(m.byCode[code]) == 0 && !m.taken[code] {
			m.codes[of] = code
			return code
		}
	}
}

// unmistakable reports whether every code is in the text exactly where a unit has it.
func (m *masker) unmistakable() bool {
	found := 0
	for range m.Codes(m.Text) {
		found++
	}
	coded := 0
	for _, u := range m.Units {
		if u.Code != "" {
			coded++
		}
	}
	return found == coded
}

// Codes goes through the codes in a text, with their offsets.
func (m *MaskedTemplate) Codes(text []byte) func(yield func(at int, units []*Unit) bool) {
	return func(yield func(int, []*Unit) bool) {
		if len(m.byCode) == 0 {
			return
		}
		for at := 0; at+codeLength <= len(text); at++ {
			if c := text[at+1]; c < '0' || c > '9' {
				continue
			}
			if units := m.byCode[string(text[at:at+codeLength])]; units != nil {
				if !yield(at, units) {
					return
				}
				at += codeLength - 1
			}
		}
	}
}
