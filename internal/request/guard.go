package request

import "fmt"

// guard runs a function that calls upstream's code, and makes an error of a panic there. Its text may hold values, so
// that only its type is told.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the API server's code panics (%T)", p)
		}
	}()
	return do()
}

// judge runs a request, whose causes, warnings and changes it puts in order.
func (v *Version) judge(request func(out *Outcome) (Object, error)) *Outcome {
	out := &Outcome{}
	out.Err = guard(func() (err error) {
		if err = v.Err(); err == nil {
			out.Object, err = request(out)
		}
		return err
	})
	if out.Err != nil || len(out.Causes) > 0 {
		out.Object = nil
	}
	if v.deprecation != "" {
		out.Warnings = append(out.Warnings, Warning{Kind: Deprecated, Path: Keys("apiVersion"), Detail: v.deprecation})
	}
	out.sort()
	return out
}
