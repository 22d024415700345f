package objects

// Replacing is what becomes of what a catalogue knows of an object in the file at a path, if the catalogue's CRDs replace older
// ones: a version that is not there any more is no reason not to judge the object, and a kind may be gone.
func (m Match) Replacing(old *Catalogue, o *Object, path string) Match {
	switch m.Verdict {
	case VersionUnserved, VersionUnknown:
		m.Verdict = Judged
		if _, m.Why = m.Definition.Server(); m.Why != "" {
			m.Verdict = NotJudged
		}
	case KindUnknown:
		if was := old.Match(o, path); was.Verdict == Judged || was.Verdict == VersionUnserved {
			return Match{Verdict: KindGone, Definition: was.Definition}
		}
	}
	return m
}

// Replaced finds the CRD of an older catalogue that one with a path replaces, for an object of its kind; why says that there is
// none.
func (c *Catalogue) Replaced(path string, o *Object) (was *Definition, why string) {
	switch m := c.Match(o, path); m.Verdict {
	case Judged, VersionUnserved:
		if _, why := m.Definition.Server(); why != "" {
			return nil, "of the old CRD: " + why
		}
		return m.Definition, ""
	case VersionUnknown:
		return nil, "the old CRD does not have the version " + o.Version
	case Ambiguous:
		return nil, "there are several old CRDs of its kind, and they differ; name the folder of one with --against"
	case NotJudged:
		return nil, "of the old CRD: " + m.Why
	}
	return nil, "its CRD is new"
}

// IsCopy reports whether two CRDs say the same.
func (d *Definition) IsCopy(of *Definition) bool { return d.saying() == of.saying() }
