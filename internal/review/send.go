package review

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
)

// Send sends a body to the webhook as it is, and returns the body of the answer, whatever its status is. An error is one of the
// connection: KindOf says which.
func (c *Client) Send(ctx context.Context, method string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, c.rest.Post().Timeout(c.timeout).URL().String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, */*")
	response, err := c.rest.Client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answered, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("the answer cannot be read: %w", err)
	}
	return answered, nil
}
