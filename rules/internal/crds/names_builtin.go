package crds

import "strings"

// builtin maps the names by which kubectl knows a resource of Kubernetes 1.37, plural, singular and short, to its
// plural.
var builtin = builtinNames(`
bindings binding
componentstatuses componentstatus cs
configmaps configmap cm
endpoints ep
events event ev
limitranges limitrange limits
namespaces namespace ns
nodes node no
persistentvolumeclaims persistentvolumeclaim pvc
persistentvolumes persistentvolume pv
pods pod po
podtemplates podtemplate
replicationcontrollers replicationcontroller rc
resourcequotas resourcequota quota
secrets secret
serviceaccounts serviceaccount sa
services service svc
mutatingadmissionpolicies mutatingadmissionpolicy
mutatingadmissionpolicybindings mutatingadmissionpolicybinding
mutatingwebhookconfigurations mutatingwebhookconfiguration
validatingadmissionpolicies validatingadmissionpolicy
validatingadmissionpolicybindings validatingadmissionpolicybinding
validatingwebhookconfigurations validatingwebhookconfiguration
customresourcedefinitions customresourcedefinition crd crds
apiservices apiservice
controllerrevisions controllerrevision
daemonsets daemonset ds
deployments deployment deploy
replicasets replicaset rs
statefulsets statefulset sts
tokenreviews tokenreview
selfsubjectreviews selfsubjectreview
localsubjectaccessreviews localsubjectaccessreview
selfsubjectaccessreviews selfsubjectaccessreview
selfsubjectrulesreviews selfsubjectrulesreview
subjectaccessreviews subjectaccessreview
horizontalpodautoscalers horizontalpodautoscaler hpa
cronjobs cronjob cj
jobs job
certificatesigningrequests certificatesigningrequest csr
clustertrustbundles clustertrustbundle
podcertificaterequests podcertificaterequest
leases lease
leasecandidates leasecandidate
endpointslices endpointslice
flowschemas flowschema
prioritylevelconfigurations prioritylevelconfiguration
ingressclasses ingressclass
ingresses ingress ing
ipaddresses ipaddress ip
networkpolicies networkpolicy netpol
servicecidrs servicecidr
runtimeclasses runtimeclass
poddisruptionbudgets poddisruptionbudget pdb
clusterrolebindings clusterrolebinding
clusterroles clusterrole
rolebindings rolebinding
roles role
deviceclasses deviceclass
resourceclaims resourceclaim
resourceclaimtemplates resourceclaimtemplate
resourceslices resourceslice
priorityclasses priorityclass pc
csidrivers csidriver
csinodes csinode
csistoragecapacities csistoragecapacity
storageclasses storageclass sc
volumeattachments volumeattachment
volumeattributesclasses volumeattributesclass vac
`)

// builtinNames reads a table of one resource a line, its plural first.
func builtinNames(table string) map[string]string {
	names := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(table)) {
		words := strings.Fields(line)
		for _, name := range words {
			names[name] = words[0]
		}
	}
	return names
}
