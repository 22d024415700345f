package carry

import (
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
)

// A webhook is what converts the objects of a CRD.
type webhook struct {
	of  *objects.Definition
	ask Asker
	err error // why nothing asks it
}

// An Unasked is a conversion webhook that converted nothing that it was needed for.
type Unasked struct {
	Definition *objects.Definition
	Err        error
}

// Unasked are the webhooks that nothing asks.
func (c *Carrier) Unasked() (all []Unasked) {
	c.ways.mu.Lock()
	defer c.ways.mu.Unlock()
	for _, w := range c.ways.webhooks {
		if w.err != nil {
			all = append(all, Unasked{w.of, w.err})
		}
	}
	return all
}

func (c *Carrier) webhookOf(d *objects.Definition) *webhook {
	w := &webhook{of: d}
	c.ways.webhooks = append(c.ways.webhooks, w)
	return w
}

func (c *carrying) convertObject() Object {
	c.note("migrate-refused", nil, text.Sprintf("its conversion webhook was not asked"))
	return nil
}
