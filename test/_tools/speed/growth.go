package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// enough is how much CPU time the larger input takes at least, above that of an input with one.
	enough = 250 * time.Millisecond
	// steepest is how many times the CPU time may be if there are eight times as many.
	steepest = 10.0
	// doubtful is how often a steeper growth is measured again, with more each time.
	doubtful = 4
	// bulk is how many bytes an input has at most. What takes less than enough then takes too little to say.
	bulk = 16 * megabyte
	// endless is when a process is not waited for any longer.
	endless = 5 * time.Minute
	// drawn is how many growths are measured of every change; others each day.
	drawn = 24
)

// A repeated is what an input may have any number of.
type repeated struct {
	what string
	ways string // names of ways, with spaces between them
	most int    // no input has more of them; 0 if it could
	input
}

// A growth is how many times the CPU time is for eight times as many of something.
type growth struct {
	factor float64 // 0 where it takes too little to say
	n      int     // of the larger input
	cpu    time.Duration
}

func (g growth) String() string {
	if g.factor == 0 {
		return noRatio
	}
	return fmt.Sprintf("%.1f×", g.factor)
}

// A climb measures a way with more and more of something.
type climb struct {
	bench *bench
	way   way
	of    repeated
	start time.Duration         // CPU time for one
	took  map[int]time.Duration // above that, the least for each number
	size  int                   // of the input that was measured last, in bytes
}

// measure measures a number once more.
func (c *climb) measure(n int) error {
	folder, err := os.MkdirTemp(c.bench.dir, "growth")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	c.size = 0
	for name, text := range c.of.grown(n) {
		c.size += len(text)
		if err := put(filepath.Join(folder, name), text); err != nil {
			return err
		}
	}
	s, err := c.bench.done(c.way, folder)
	if err != nil {
		return fmt.Errorf("%s, %d %s: %w", c.way.name, n, c.of.what, err)
	}
	t := s.cpu - c.start
	if old, again := c.took[n]; again {
		t = min(t, old)
	}
	c.took[n] = t
	return nil
}

// growth takes more and more until that costs enough, and compares it with an eighth. What is too steep is compared with still
// more, up to a limit: a step is behind then, such as a finding about the size, and both are too large for the caches of the machine.
func (c *climb) growth() (growth, error) {
	for range 2 {
		if err := c.measure(1); err != nil {
			return growth{}, err
		}
	}
	c.start, c.took = c.took[1], map[int]time.Duration{}
	n := 64
	for {
		if err := c.measure(n); err != nil {
			return growth{}, err
		}
		step := 2
		if c.took[n] < enough/20 {
			step = 8
		}
		if c.took[n] >= enough {
			break
		}
		if !c.may(step*n) || step*c.size > bulk {
			return growth{n: n, cpu: c.took[n]}, nil
		}
		n *= step
	}
	for try := 0; ; try++ {
		if _, done := c.took[n/8]; !done || try > 0 {
			if err := c.measure(n / 8); err != nil {
				return growth{}, err
			}
		}
		g := growth{float64(c.took[n]) / float64(max(c.took[n/8], time.Millisecond)), n, c.took[n]}
		if g.factor <= steepest || try == doubtful {
			return g, nil
		}
		if try > 0 && c.may(2*n) && c.took[n] < endless/10 {
			n *= 2
		}
		if err := c.measure(n); err != nil {
			return growth{}, err
		}
	}
}

func (c *climb) may(n int) bool { return c.of.most == 0 || n <= c.of.most }

// linearly measures those growths whose names match, or without any, a sample that the seed chooses. The error names those
// that are too steep, or could not be measured.
func (b *bench) linearly(seed uint64, out io.Writer) error {
	var climbs []*climb
	for _, r := range repeateds() {
		for _, w := range ways {
			if slices.Contains(strings.Fields(r.ways), w.name) && (b.grow == nil || b.grow.MatchString(w.name+", "+r.what)) {
				climbs = append(climbs, &climb{bench: b, way: w, of: r, took: map[int]time.Duration{}})
			}
		}
	}
	if b.grow == nil {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(climbs), func(i, j int) { climbs[i], climbs[j] = climbs[j], climbs[i] })
		climbs = climbs[:min(len(climbs), drawn)]
	}
	var problems []string
	fmt.Fprint(out, "\n| eight times as many | take, of the CPU time | way | which take |\n|---|---:|---|---:|\n")
	for _, c := range climbs {
		g, err := c.growth()
		switch {
		case b.ctx.Err() != nil:
			return b.ctx.Err()
		case err != nil:
			problems = append(problems, err.Error())
			continue
		case g.factor > steepest:
			problems = append(problems, fmt.Sprintf("%s: %d %s take %s the CPU time of %d", c.way.name, g.n, c.of.what, g, g.n/8))
		}
		fmt.Fprintf(out, "| %s | %s | %s: `crdlift %s` | %s |\n", c.of.what, g, c.way.name, c.way.args, short(g.cpu))
	}
	if problems == nil {
		return nil
	}
	return fmt.Errorf("the CPU time of crdlift grows faster than its input: more than %.0f times for eight times as many\n  %s", steepest, strings.Join(problems, "\n  "))
}
