package audit

import (
	"fmt"
	"slices"
)

// A Service is what is kept of one.
type Service struct {
	Ports    []int64
	External bool // it is a name elsewhere, and has no endpoints
}

// Endpoints are those of a service, of all its slices.
type Endpoints struct{ Ready, Total int }

func (f *Facts) addService(name string, s *Service) {
	if f.Services == nil {
		f.Services = map[string]*Service{}
	}
	f.Services[name] = s
}

func (f *Facts) addEndpoints(of string, e Endpoints) {
	if f.Endpoints == nil {
		f.Endpoints = map[string]*Endpoints{}
	}
	if f.Endpoints[of] == nil {
		f.Endpoints[of] = &Endpoints{}
	}
	f.Endpoints[of].Ready += e.Ready
	f.Endpoints[of].Total += e.Total
}

func (f *Facts) service(o map[string]any) {
	metadata, spec := mapAt(o, "metadata"), mapAt(o, "spec")
	s := &Service{External: stringAt(spec, "type") == "ExternalName"}
	ports, _ := spec["ports"].([]any)
	for _, p := range ports {
		if port, is := p.(map[string]any); is {
			n, _ := port["port"].(int64)
			s.Ports = append(s.Ports, n)
		}
	}
	f.addService(stringAt(metadata, "namespace")+"/"+stringAt(metadata, "name"), s)
}

// slice adds an EndpointSlice. An endpoint is ready unless it says that it is not (EndpointConditions of k8s.io/api/discovery/v1).
func (f *Facts) slice(o map[string]any) {
	metadata, e := mapAt(o, "metadata"), Endpoints{}
	all, _ := o["endpoints"].([]any)
	for _, one := range all {
		endpoint, _ := one.(map[string]any)
		e.Total++
		if ready, said := mapAt(endpoint, "conditions")["ready"].(bool); ready || !said {
			e.Ready++
		}
	}
	f.addEndpoints(stringAt(metadata, "namespace")+"/"+stringAt(mapAt(metadata, "labels"), "kubernetes.io/service-name"), e)
}

// Unreachable says why a webhook at a port of a service, NAMESPACE/NAME, cannot be reached; "" where nothing says so. Unread names
// what would have to be read to know it; "" where all is known.
func (f *Facts) Unreachable(name string, port int32) (why, unread string) {
	s, slices := f.Services[name], "endpointslices/"+name
	switch {
	case s == nil && f.isAbsent("services/"+name, len(f.Services) > 0):
		return "there is no such service", ""
	case s == nil:
		return "", "services/" + name
	case s.External:
		return "", ""
	case !hasPort(s, port):
		return fmt.Sprintf("the service does not have the port %d", port), ""
	case f.Endpoints[name] == nil && !f.isAbsent(slices, len(f.Endpoints) > 0):
		return "", slices
	case f.Endpoints[name] == nil || f.Endpoints[name].Total == 0:
		return "the service has no endpoint", ""
	case f.Endpoints[name].Ready == 0:
		return "no endpoint of the service is ready", ""
	}
	return "", ""
}

func hasPort(s *Service, port int32) bool { return slices.Contains(s.Ports, int64(port)) }

// isAbsent reports whether something is known not to be there: a note says so, or the dump has others of its kind, and no note that
// this one was not read.
func (f *Facts) isAbsent(what string, others bool) bool {
	for _, u := range f.Unread {
		if u.What == what {
			return u.Absent
		}
	}
	return others
}
