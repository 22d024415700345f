package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestUnified(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"equal", "a\n", "a\n", ""},
		{"middle", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
			"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		{"two hunks", "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
			"@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"},
		{"one hunk", "a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
			"@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n"},
		{"newline lost", "a\nb\n", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"},
		{"newline gained", "a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
		{"no newline in context", "a\nb", "A\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"},
		{"from empty", "", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		{"to empty", "a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"CRLF", "a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
		{"line ends", "a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want != "" {
				want = "--- a/f\n+++ b/f\n" + want
			}
			if got := string(Unified("a/f", "b/f", []byte(tt.old), []byte(tt.new))); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestHeaderName(t *testing.T) {
	for name, want := range map[string]string{
		"a/crd.yaml":    "a/crd.yaml",
		"a/my crd.yaml": "a/my crd.yaml\t",
		"a/größe.yaml":  "a/größe.yaml",
		`a/"x".yaml`:    `"a/\"x\".yaml"`,
		`a/x\y.yaml`:    `"a/x\\y.yaml"`,
		"a/x\ty z\n":    `"a/x\011y z\012"`,
		"a/\x1b[31m":    `"a/\033[31m"`,
		"a/\xff":        `"a/\377"`,
	} {
		if got := headerName(name); got != want {
			t.Errorf("headerName(%q) = %s, want %s", name, got, want)
		}
	}
}

// variant changes a text at random: lines dropped, doubled, replaced, re-indented, blocks moved, the end cut off.
func variant(r *rand.Rand, text string) string {
	all := lines([]byte(text))
	for range r.IntN(8) {
		if len(all) == 0 {
			return "new\n"
		}
		i := r.IntN(len(all))
		j := i + r.IntN(min(40, len(all)-i)) + 1
		block := append([]string(nil), all[i:j]...)
		rest := append(append([]string(nil), all[:i]...), all[j:]...)
		switch r.IntN(5) {
		case 0:
			all = rest
		case 1:
			all = append(append(append([]string(nil), all[:j]...), block...), all[j:]...)
		case 2:
			all[i] = fmt.Sprintf("line %d\n", r.IntN(1000))
		case 3:
			for k := range block {
				block[k] = "  " + block[k]
			}
			at := r.IntN(len(rest) + 1)
			all = append(append(append([]string(nil), rest[:at]...), block...), rest[at:]...)
		case 4:
			all[len(all)-1] = strings.TrimRight(all[len(all)-1], "\r\n") + "."
		}
	}
	return strings.Join(all, "")
}

func sampleText(r *rand.Rand) string {
	end := []string{"\n", "\r\n"}[r.IntN(2)]
	distinct := []int{2, 10, 1000}[r.IntN(3)]
	var text strings.Builder
	for range r.IntN(300) {
		fmt.Fprintf(&text, "%*s%d%s", r.IntN(4), "", r.IntN(distinct), end)
	}
	return text.String()
}

// TestUnifiedApplies has git and patch apply the diff of many pairs of texts, all in one patch.
func TestUnifiedApplies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	old, new := map[string]string{}, map[string]string{}
	names := []string{"plain.yaml", "with space.yaml", "größe.yaml", "sub/folder/f.yaml", `qu"ote.yaml`, `back\slash.yaml`}
	for i := range 300 {
		name := fmt.Sprintf("%03d.yaml", i)
		if i < len(names) {
			name = names[i]
		}
		old[name] = sampleText(r)
		new[name] = variant(r, old[name])
	}
	old["empty.yaml"], new["empty.yaml"] = "", "a\nb"
	old["emptied.yaml"], new["emptied.yaml"] = "a\nb\n", ""
	var patch bytes.Buffer
	for name := range old {
		patch.Write(Unified("a/"+name, "b/"+name, []byte(old[name]), []byte(new[name])))
	}
	for _, command := range [][]string{
		{"git", "-c", "core.autocrlf=false", "apply", "-"},
		{"patch", "-p1", "--binary", "--quiet"},
	} {
		t.Run(command[0], func(t *testing.T) {
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Skipf("%s is not installed", command[0])
			}
			dir := t.TempDir()
			for name, text := range old {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(command[0], command[1:]...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_GLOBAL="+os.DevNull)
			cmd.Stdin = bytes.NewReader(patch.Bytes())
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for name, want := range new {
				got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
				if err != nil {
					t.Error(err)
				} else if string(got) != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
		})
	}
}

// applied is a patch program of few lines: strict about positions and context, ignorant of file names.
func applied(t *testing.T, old, diff []byte) []byte {
	t.Helper()
	source, rest := lines(old), lines(diff)
	var out strings.Builder
	at := 0
	for k := 2; k < len(rest); {
		var a, an, b, bn int
		an, bn = 1, 1
		fields := strings.Fields(rest[k])
		if len(fields) != 4 || fields[0] != "@@" {
			t.Fatalf("not a hunk: %q", rest[k])
		}
		for i, into := range [][2]*int{{&a, &an}, {&b, &bn}} {
			start, count, two := strings.Cut(fields[1+i][1:], ",")
			*into[0], _ = strconv.Atoi(start)
			if two {
				*into[1], _ = strconv.Atoi(count)
			}
		}
		from := a - 1
		if an == 0 {
			from = a
		}
		out.WriteString(strings.Join(source[at:from], ""))
		at = from
		for k++; k < len(rest) && !strings.HasPrefix(rest[k], "@@"); k++ {
			line := rest[k][1:]
			if k+1 < len(rest) && rest[k+1][0] == '\\' {
				line = strings.TrimSuffix(line, "\n")
			}
			switch rest[k][0] {
			case ' ', '-':
				if source[at] != line {
					t.Fatalf("line %d is %q in the diff, %q in the file", at+1, line, source[at])
				}
				if rest[k][0] == ' ' {
					out.WriteString(line)
					bn--
				}
				at, an = at+1, an-1
			case '+':
				out.WriteString(line)
				bn--
			case '\\':
			default:
				t.Fatalf("not a line of a hunk: %q", rest[k])
			}
		}
		if an != 0 || bn != 0 {
			t.Fatalf("the hunk's header is %d and %d lines off", an, bn)
		}
	}
	return []byte(out.String() + strings.Join(source[at:], ""))
}

func FuzzUnified(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		text := sampleText(r)
		f.Add([]byte(text), []byte(variant(r, text)))
	}
	f.Add([]byte(""), []byte("a"))
	f.Add([]byte("\r"), []byte("\n\r"))
	f.Fuzz(func(t *testing.T, old, new []byte) {
		diff := Unified("a/f", "b/f", old, new)
		if diff == nil {
			if !bytes.Equal(old, new) {
				t.Fatal("no diff of different texts")
			}
			return
		}
		if got := applied(t, old, diff); !bytes.Equal(got, new) {
			t.Errorf("got %q, want %q\n%s", got, new, diff)
		}
	})
}

// TestUnifiedLarge covers the sizes at which a line diff breaks or never comes back: more distinct lines than a 16-bit number
// counts, a re-indented block among lines that repeat, and files with nothing and with everything in common. What stayed is no
// part of the diff.
func TestUnifiedLarge(t *testing.T) {
	number := func(n, distinct int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, (i*7919)%distinct)
		}
		return b.String()
	}
	repeated := strings.Repeat("type: object\nproperties:\ntype: string\n", 4000)
	block := number(10_000, 97, "field %d:\n")
	r := rand.New(rand.NewPCG(5, 6))
	var shuffled [2]strings.Builder
	for range 8_000 {
		fmt.Fprintln(&shuffled[0], r.IntN(500))
		fmt.Fprintln(&shuffled[1], r.IntN(500))
	}
	for _, tt := range []struct {
		name, old, new string
		most           int // lines of diff
	}{
		{"distinct", number(150_000, 150_000, "%d\n"), number(150_000, 150_000, "%d\n") + "more\n", 10},
		{"distinct, start and end", "first\n" + number(150_000, 150_000, "%d\n"), number(150_000, 150_000, "%d\n") + "last\n", 20},
		{"distinct, backwards", number(70_000, 70_000, "%d\n"), number(70_000, 1, "%d\n") + number(70_000, 70_000, "%d\n"), 70_010},
		{"block", repeated + block, strings.ReplaceAll(block, "field", "    field") + repeated, 20_020},
		{"repeated, start and end", "a\n" + strings.Repeat(repeated, 10), strings.Repeat(repeated, 10) + "b\n", 20},
		{"shuffled", shuffled[0].String(), shuffled[1].String(), 15_500},
		{"over the limit", strings.Repeat(shuffled[0].String(), 3), strings.Repeat(shuffled[1].String(), 2), 39_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			diff := Unified("a/f", "b/f", []byte(tt.old), []byte(tt.new))
			// Two seconds would do on any machine; the race detector takes ten times as long.
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("took %v", took)
			} else if n := bytes.Count(diff, []byte("\n")); n > tt.most {
				t.Errorf("%d lines of diff, not %d", n, tt.most)
			}
			if !bytes.Equal(applied(t, []byte(tt.old), diff), []byte(tt.new)) {
				t.Error("the diff does not give the new text")
			}
		})
	}
}
