package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestHelpFits: no line of a command's help is wider than helpWidth, no word for a value is said twice, and no flag is of a group
// that there is none of.
func TestHelpFits(t *testing.T) {
	known := map[string]bool{}
	var check func(*cobra.Command)
	check = func(c *cobra.Command) {
		if c.Name() == "completion" || c.Parent() != nil && c.Parent().Name() == "completion" { // cobra's own words
			c.LocalFlags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
			return
		}
		var stdout, stderr bytes.Buffer
		args := append(strings.Fields(c.CommandPath())[1:], "--help")
		if code := Run(args, strings.NewReader(""), &stdout, &stderr); code != 0 {
			t.Fatalf("%v: exit code %d: %s", args, code, &stderr)
		}
		for line := range strings.Lines(stdout.String()) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > helpWidth {
				t.Errorf("%s: %d columns: %s", c.CommandPath(), n, line)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			known[f.Name] = true
			if strings.Contains(f.Usage, "`") {
				t.Errorf("%s --%s: the word for its value is to come first: %s", c.CommandPath(), f.Name, f.Usage)
			}
			if !f.Hidden && !strings.Contains(stdout.String(), "--"+f.Name+" ") {
				t.Errorf("%s --%s is not in the help", c.CommandPath(), f.Name)
			}
		})
		for _, below := range c.Commands() {
			check(below)
		}
	}
	check(Commands())
	for _, g := range flagGroups {
		for _, name := range g.flags {
			if !known[name] {
				t.Errorf("no command has --%s, of %q", name, g.title)
			}
		}
	}
}

// TestHelpTexts finds the text of each file in the help of the command that it is named after, and the flags in the order in which
// the command declares them.
func TestHelpTexts(t *testing.T) {
	files, err := helpTexts.ReadDir("help")
	if err != nil || len(files) < 19 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		command := strings.Split(strings.TrimSuffix(file.Name(), ".txt"), "-")
		if command[0] == "crdlift" {
			command = nil
		}
		raw, err := helpTexts.ReadFile("help/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		Run(append(command, "--help"), strings.NewReader(""), &stdout, &stderr)
		text, examples, _ := strings.Cut(strings.TrimSpace(string(raw)), "\n\nExamples:\n")
		if !strings.HasPrefix(stdout.String(), text+"\n\n") || !strings.Contains(stdout.String(), examples) {
			t.Errorf("crdlift %s --help lacks the text of help/%s", strings.Join(command, " "), file.Name())
		}
		if file.Name() == "breaking.txt" && strings.Index(stdout.String(), "  --exact ") > strings.Index(stdout.String(), "  --all-files ") {
			t.Errorf("the flags are in the order of the alphabet:\n%s", &stdout)
		}
	}
}

// TestCommandLineIsSmall counts the commands that the help lists, and the flags of all commands but for --help. Whoever adds one
// looks for one that can go, or raises the number and says why.
func TestCommandLineIsSmall(t *testing.T) {
	commands, flags := 0, 0
	var count func(*cobra.Command)
	count = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && c.InheritedFlags().Lookup(f.Name) == nil {
				flags++
			}
		})
		for _, below := range c.Commands() {
			count(below)
		}
	}
	root := Commands()
	count(root)
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			commands++
		}
	}
	// 17 flags more than 120 for --all-files, --copies and --found of the commands that fold or leave out, for init, and for roles,
	// without which what is left out could be neither seen nor corrected; and --write-defaults, since a fix that has an applier own
	// more fields than before is not what --fix alone asks for; and --apply, --field-manager and --force-conflicts of the commands whose answer depends on them;
	// and test with 31 flags, of which 14 are those of lint: no other command runs what authors expect of a CRD, says what that does not
	// test (--cover and four more), and writes suites (--init, --update, --rewrite)
	// and serve with 11 flags: authors who write tests in Go need a server, and not a file of cases
	// and schema and sample with 7: programs that know no CRDs read neither, and only what knows the rules writes valid objects
	// and migrate with 21: it rewrites files as convert does, and asks a webhook as webhook test does
	// and --config-from of 7 commands that may fail a pull request, which must not be able to change what fails it
	if commands > 20 || flags > 250 {
		t.Errorf("there are %d commands and %d flags", commands, flags)
	}
	if commands < 8 || flags < 80 {
		t.Errorf("only %d commands and %d flags are counted", commands, flags)
	}
	t.Logf("%d commands, %d flags", commands, flags)
}
