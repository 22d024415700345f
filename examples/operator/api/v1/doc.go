// Package v1 is version v1 of the API.
//
// +groupName=web.example.com
package v1
