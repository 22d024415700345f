package template

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Unsafe error says which action would not mean the same in a changed text.
type Unsafe struct {
	Action string // as it is written, on one line
	Line   int    // in the template, from 1
	Why    string
	Limit  string // of internal/limit, where that is why; "" elsewhere
}

func (e *Unsafe) Error() string { return fmt.Sprintf("%s on line %d %s", e.Action, e.Line, e.Why) }

// errOrder is the reason where no single action can be named.
var errOrder = errors.New("the actions of the template would be in another order")

func (t *Template) unsafe(start, end int, why string) *Unsafe {
	return &Unsafe{Action: oneLine(t.Source[start:end]), Line: 1 + strings.Count(t.Source[:start], "\n"), Why: why}
}

// oneLine is an action for a message: an only line, not too long.
func oneLine(action string) string {
	const enough = 80
	words := strings.Join(strings.Fields(action), " ")
	if runes := []rune(words); len(runes) > enough {
		return string(runes[:enough]) + "..."
	}
	return words
}

// Restore puts the actions back into a text that was made of the masked one. The error, an *Unsafe as a rule, says which of them
// would be lost, repeated, stand in another branch, or print at another indentation than it is written for.
func (m *MaskedTemplate) Restore(changed []byte) ([]byte, error) {
	for _, u := range m.Units {
		if u.Code == "" && !bytes.Equal(changed, m.Text) {
			return nil, m.unsafe(u.Start, u.End, "is too short to be followed through a change")
		}
	}
	out, err := m.restore(changed)
	if err != nil || bytes.Equal(changed, m.Text) {
		return []byte(m.Source), err
	}
	after, err := Parse(out)
	if err != nil {
		return nil, err
	}
	return out, m.sameActions(after)
}

// restore replaces what stands for actions, each as often as it is there.
func (m *MaskedTemplate) restore(changed []byte) ([]byte, error) {
	var out bytes.Buffer
	seen := map[*Unit]int{}
	at := 0
	for code, units := range m.Codes(changed) {
		if code < at {
			continue // a later line of the last one
		}
		u, begin, end := m.find(changed, code, units)
		if u == nil {
			return nil, m.unsafe(units[0].Start, units[0].End, "would be cut")
		}
		if begin < at {
			return nil, m.unsafe(u.Start, u.End, "would be cut")
		}
		seen[u]++
		out.Write(changed[at:begin])
		out.WriteString(reindented(m.Source[u.Start:u.End], string(changed[begin:end])))
		at = end
	}
	out.Write(changed[at:])
	return out.Bytes(), m.counted(seen)
}

// find returns the unit that a code in a text belongs to, and its bytes there. Units of the same text have the same code, and
// may differ in their form.
func (m *MaskedTemplate) find(changed []byte, code int, units []*Unit) (found *Unit, begin, end int) {
	for _, u := range units {
		lines := strings.SplitAfter(u.masked, "\n")
		start, ok := code-strings.Index(u.masked, u.Code), true
		if first := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, u.Code) }); first > 0 {
			start, ok = lineBefore(changed, code, first, len(strings.TrimRight(lines[0], " \t\r\n")))
		}
		if !ok || start < 0 {
			continue
		}
		stop, ok := match(changed, start, lines)
		if ok && (found == nil || stop-start > end-begin) {
			found, begin, end = u, start, stop
		}
	}
	return found, begin, end
}

// lineBefore is the offset of the last bytes, before white space, of a line that is some lines above an offset.
func lineBefore(text []byte, at, lines, length int) (int, bool) {
	for range lines {
		if at = bytes.LastIndexByte(text[:at], '\n'); at < 0 {
			return 0, false
		}
	}
	return len(bytes.TrimRight(text[:at], " \t\r")) - length, true
}

// match reports whether lines are in a text from an offset on, whatever their indentation but for the first, and where they end.
func match(text []byte, at int, lines []string) (end int, ok bool) {
	for i, line := range lines {
		line = strings.TrimRight(line, " \t\r\n")
		if i > 0 {
			if at = at + bytes.IndexByte(text[at:], '\n') + 1; at == 0 {
				return 0, false
			}
			line = strings.TrimLeft(line, " \t")
			at += len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t"))
		}
		if !bytes.HasPrefix(text[at:], []byte(line)) {
			return 0, false
		}
		at += len(line)
		if i < len(lines)-1 && len(bytes.Trim(bytes.SplitN(text[at:], []byte("\n"), 2)[0], " \t\r")) > 0 {
			return 0, false
		}
	}
	return at, true
}

// reindented is a source text with the indentation and the line ends that its mask has in a changed text.
func reindented(source, masked string) string {
	lines, as := strings.SplitAfter(source, "\n"), strings.SplitAfter(masked, "\n")
	for i := range lines {
		body, own := strings.TrimLeft(lines[i], " \t"), strings.TrimLeft(as[i], " \t")
		if i > 0 && strings.Trim(body, "\r\n") != "" {
			lines[i] = as[i][:len(as[i])-len(own)] + body
		}
	}
	return strings.Join(lines, "")
}

// counted says which unit is not there as often as it was.
func (m *MaskedTemplate) counted(seen map[*Unit]int) error {
	wants, has := map[string]int{}, map[string]int{}
	for _, u := range m.Units {
		wants[u.masked]++
	}
	for u, n := range seen {
		has[u.masked] += n
	}
	for _, u := range m.Units {
		switch {
		case u.Code == "":
		case has[u.masked] < wants[u.masked]:
			return m.unsafe(u.Start, u.End, "would be lost")
		case has[u.masked] > wants[u.masked]:
			return m.unsafe(u.Start, u.End, "would be repeated")
		}
	}
	return nil
}

// An actionPlace is what has to stay the same of an action: the branch that it is in, the variables that are set before it,
// and the column for what prints whole lines.
type actionPlace struct {
	text   string
	branch int // the action that begins it, or the place of a control action among those
	set    int // assignments before it
	column int // -1 where it does not matter
}

// sameActions proves that a changed template has the same actions: those that control and assign in the same order, and
// between the same two of them the same others, at the same indentation if that shows.
func (m *MaskedTemplate) sameActions(after *Template) error {
	was, is := m.places(), after.places()
	left := map[actionPlace]int{}
	for _, p := range is {
		left[p]++
	}
	for i, p := range was {
		if left[p] > 0 {
			left[p]--
			continue
		}
		a := m.Actions[i]
		why := "would stand elsewhere"
		if p.column >= 0 && slices.ContainsFunc(is, func(q actionPlace) bool { return p.text == q.text && p.column != q.column && p.branch == q.branch }) {
			why = "would print at another indentation"
		}
		return m.unsafe(a.Start, a.End, why)
	}
	if len(was) != len(is) {
		return errOrder
	}
	return nil
}

func (t *Template) places() []actionPlace {
	var all []actionPlace
	controls, set := 0, 0
	var branches []int // that are open
	for i, a := range t.Actions {
		p := actionPlace{text: strings.Join(strings.Fields(t.Source[a.Start:a.End]), " "), column: -1}
		word := a.Keyword()
		if word != "" || a.assigns() {
			controls++
			p.branch, p.set = controls, -1
		}
		switch word {
		case "":
			if a.assigns() {
				set++
			}
		case "else", "end":
			branches = branches[:len(branches)-1]
		}
		if word != "" && word != "end" && word != "break" && word != "continue" {
			branches = append(branches, controls)
		}
		if a.prints() {
			p.set = set
			if len(branches) > 0 {
				p.branch = branches[len(branches)-1]
			}
			if !literal().MatchString(a.Body) && (t.onOwnLine(i) || expands().MatchString(a.Body)) {
				p.column = t.indentation(a.Start)
			}
		}
		all = append(all, p)
	}
	return all
}

// indentation is the white space, in bytes, that the line of an offset begins with.
func (t *Template) indentation(at int) int {
	line := t.Source[t.lineStart(at):at]
	return len(line) - len(strings.TrimLeft(line, " \t"))
}
