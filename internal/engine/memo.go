package engine

// Memo computes something once for all rules that look at a CRD or at a custom resource. The key is a type of the caller's
// own.
func Memo[K comparable, T any](p interface{ remembered() Memory }, key K, compute func() T) T {
	memo := p.remembered()
	if v, ok := memo[key]; ok {
		return v.(T)
	}
	v := compute()
	memo[key] = v
	return v
}

// A Memory is what was computed once. What embeds one can be asked by Memo.
type Memory map[any]any

func (m Memory) remembered() Memory { return m }
