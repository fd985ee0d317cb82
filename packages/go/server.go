package mockddbtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
)

const ready = "mockddb listening on "

// server is one that this program has started or, without a process, one at MOCKDDB_URL.
type server struct {
	url     string
	err     error // why it did not start
	process *exec.Cmd
	stdin   io.Closer     // the server ends when this end of its standard input is closed
	ended   chan struct{} // closed when the process has ended
	log     lastLines
}

// lastLines keeps the end of what is written to it.
type lastLines struct {
	sync.Mutex
	text []byte
}

func (l *lastLines) Write(text []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	l.text = append(l.text, text...)
	if len(l.text) > 4096 {
		l.text = append([]byte(nil), l.text[len(l.text)-2048:]...)
	}
	return len(text), nil
}

// last returns the last line.
func (l *lastLines) last() string {
	l.Lock()
	defer l.Unlock()
	lines := strings.Split(strings.TrimSpace(string(l.text)), "\n")
	if lines[len(lines)-1] == "" {
		return "it wrote nothing to standard error"
	}
	return lines[len(lines)-1]
}

// startServer starts a server and waits until it is ready.
func startServer(arguments []string) *server {
	program, err := findProgram()
	if err != nil {
		return &server{err: err}
	}
	s := &server{ended: make(chan struct{})}
	s.process = exec.Command(program, append([]string{"--port", "0", "--until-eof", "--worlds", "by-access-key"}, arguments...)...)
	s.process.Stderr = &s.log
	stdin, err := s.process.StdinPipe()
	if err != nil {
		return &server{err: err}
	}
	s.stdin = stdin
	stdout, err := s.process.StdoutPipe()
	if err != nil {
		return &server{err: err}
	}
	if err := s.process.Start(); err != nil {
		return &server{err: fmt.Errorf("%s cannot be started: %w", program, errors.Unwrap(err))}
	}
	lines := bufio.NewScanner(stdout)
	for s.url == "" && lines.Scan() {
		if url, found := strings.CutPrefix(lines.Text(), ready); found {
			s.url = url
		}
	}
	go func() {
		_, _ = io.Copy(io.Discard, stdout)
		_ = s.process.Wait()
		close(s.ended)
	}()
	if s.url == "" {
		_ = s.stdin.Close()
		<-s.ended
		s.err = s.howItEnded()
	}
	return s
}

// useServer takes the server at an address, if a request's access key names its world there.
func useServer(url string) *server {
	s := &server{url: strings.TrimRight(url, "/")}
	probe := fmt.Sprint("mockddbtest-", os.Getpid())
	request, err := http.NewRequest("POST", s.url+"/", strings.NewReader("{}"))
	if err != nil {
		return &server{err: fmt.Errorf("MOCKDDB_URL: %w", err)}
	}
	for name, value := range map[string]string{
		"Content-Type":    "application/x-amz-json-1.0",
		"X-Amz-Target":    "DynamoDB_20120810.ListTables",
		"X-Amz-Date":      "20240101T000000Z",
		"x-mockddb-aside": "true",
		"Authorization": "AWS4-HMAC-SHA256 Credential=" + probe +
			"/20240101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
	} {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return &server{err: fmt.Errorf("MOCKDDB_URL: %w", err)}
	}
	answer.Body.Close()
	if s.verb("DELETE", "worlds/"+probe, "", nil, nil) != nil {
		return &server{err: fmt.Errorf("MOCKDDB_URL: the server at %s needs the option --worlds by-access-key", s.url)}
	}
	return s
}

// stop ends the server; an error says how, unless it ended with status 0.
func (s *server) stop() error {
	_ = s.stdin.Close()
	<-s.ended
	if s.process.ProcessState.Success() {
		return nil
	}
	return s.howItEnded()
}

func (s *server) howItEnded() error {
	return fmt.Errorf("mockddb ended with %s: %s", s.process.ProcessState, s.log.last())
}

// A refusal is the server's answer to a verb that it does not carry out.
type refusal struct {
	Message string `json:"message"`
	status  int
	body    []byte
}

func (r *refusal) Error() string { return r.Message }

// verb sends a verb (docs/admin-api.md) to a world and decodes its answer, except if that is nil.
func (s *server) verb(method, path, world string, body, answer any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		content = nil
	}
	request, err := http.NewRequest(method, s.url+"/_mockddb/"+path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	if world != "" {
		request.Header.Set("x-mockddb-world", world)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return s.whyNoReply(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return s.whyNoReply(err)
	}
	if reply.StatusCode != http.StatusOK {
		refused := refusal{status: reply.StatusCode, body: text}
		if json.Unmarshal(text, &refused) != nil || refused.Message == "" {
			refused.Message = reply.Status
		}
		return &refused
	}
	if raw, is := answer.(*[]byte); is {
		*raw = text
		return nil
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}

// whyNoReply is the end of the server if it has ended, else the error of the connection.
func (s *server) whyNoReply(err error) error {
	if s.process != nil {
		select {
		case <-s.ended:
			return s.howItEnded()
		default:
		}
	}
	return err
}
