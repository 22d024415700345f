package cli

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// patience is how long a run may take before a bar appears.
const patience = 500 * time.Millisecond

// A progress shows on a terminal how far a long run is. Its methods do nothing on a nil progress.
type progress struct {
	out   io.Writer
	begun time.Time
	total int64 // -1 where it is not known
	done  int64
	bytes bool                     // are counted, and not files
	bar   *progressbar.ProgressBar // nil until the run has taken long enough

	objects bool       // are counted, and not files: by reach, and not by step
	mu      sync.Mutex // reach is called while results of before are printed
}

// newProgress returns nil where the bar would not be visible, and where there is nothing to count.
func newProgress(out io.Writer, total int) *progress {
	if total < 2 || !isTerminal(out) {
		return nil
	}
	return &progress{out: out, begun: time.Now(), total: int64(total)}
}

// newByteProgress is newProgress for a run over large files; the total is -1 where it is not known.
func newByteProgress(out io.Writer, total int64) *progress {
	if total == 0 || !isTerminal(out) {
		return nil
	}
	return &progress{out: out, begun: time.Now(), total: total, bytes: true}
}

// step counts what was done.
func (p *progress) step(n int64) {
	if p == nil || p.objects {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
	p.draw()
}

// reach says how much of what was done.
func (p *progress) reach(done, all int) {
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
func (p *progress) draw() {
	if p.bar == nil {
		if time.Since(p.begun) < patience {
			return
		}
		p.bar = progressbar.NewOptions64(p.total,
			progressbar.OptionSetWriter(p.out),
			progressbar.OptionSetDescription("crdlift"),
			progressbar.OptionSetItsString(p.unit()),
			progressbar.OptionShowBytes(p.bytes),
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

// clear removes the bar before something else is printed; the next step draws it again.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// unit is what is counted.
func (p *progress) unit() string {
	if p.objects {
		return "objects"
	}
	return "files"
}
