package terminal

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// patience is how long a run may take before a bar appears.
const patience = 500 * time.Millisecond

// A Progress shows on a terminal how far a long run is. Its methods do nothing on a nil progress.
type Progress struct {
	out   io.Writer
	begun time.Time
	unit  string                   // what is counted; "" for bytes
	total int64                    // -1 where it is not known
	bar   *progressbar.ProgressBar // nil until the run has taken long enough

	mu   sync.Mutex // reach is called while results of before are printed
	done int64
}

// What a progress counts besides bytes: objects by reach, and files by step.
const (
	Files   = "files"
	Objects = "objects"
)

// NewProgress returns nil where the bar would not be visible.
func NewProgress(out io.Writer, unit string, total int64) *Progress {
	if !Is(out) {
		return nil
	}
	return &Progress{out: out, begun: time.Now(), unit: unit, total: total}
}

// Step counts what was done.
func (p *Progress) Step(n int64) {
	if p == nil || p.unit == Objects {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
	p.draw()
}

// Reach says how much of what was done.
func (p *Progress) Reach(done, all int) {
	if p == nil || all == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if int64(all) != p.total && p.bar != nil {
		p.bar.ChangeMax(all)
	}
	p.done, p.total = int64(done), int64(all)
	p.draw()
}

// draw draws the bar, once the run has taken long enough.
func (p *Progress) draw() {
	if p.bar == nil {
		if time.Since(p.begun) < patience {
			return
		}
		p.bar = progressbar.NewOptions64(p.total,
			progressbar.OptionSetWriter(p.out),
			progressbar.OptionSetDescription("crdlift"),
			progressbar.OptionSetItsString(p.unit),
			progressbar.OptionShowBytes(p.unit == ""),
			progressbar.OptionShowCount(),
			// The bar begins late and would guess from a wrong rate.
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish())
	}
	// The bar is decoration: an error in drawing it does not matter.
	_ = p.bar.Set64(p.done)
}

// Clear removes the bar before something else is printed; the next step draws it again.
func (p *Progress) Clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
