package mockddbtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A World is a test's own set of tables, with its own clock, faults and journal. Its methods end the test if the
// server refuses what they ask for.
type World struct {
	URL             string // the endpoint
	Port            int
	Name            string
	Region          string
	AccessKeyID     string // the world's name: requests that are signed with it use this world
	SecretAccessKey string // any does

	Clock   Clock
	Faults  Faults
	Journal Journal

	t      testing.TB
	server *server
}

// A Rule of faults (docs/faults.md) or an assertion (docs/journal.md), with the members that those pages list.
type Rule = map[string]any

type object = map[string]any

// newWorld makes a world as the body says, under a name from the test's, and drops it after the test.
func newWorld(t testing.TB, s *server, from object) *World {
	t.Helper()
	w := &World{URL: s.url, Region: "us-east-1", SecretAccessKey: "any", t: t, server: s}
	if at, err := url.Parse(s.url); err == nil {
		w.Port, _ = strconv.Atoi(at.Port())
	}
	for number := 1; ; number++ {
		w.Name = worldName(t.Name(), number)
		err := s.verb("POST", "worlds/"+w.Name, "", from, nil)
		if err == nil {
			break
		}
		var refused *refusal
		if !errors.As(err, &refused) || refused.Message != "world "+w.Name+" already exists" {
			t.Fatalf("mockddb: no world for %s: %v", t.Name(), err)
		}
	}
	w.AccessKeyID = w.Name
	w.Clock.w, w.Faults.w, w.Journal.w = w, w, w
	t.Cleanup(func() {
		if err := s.verb("DELETE", "worlds/"+w.Name, "", nil, nil); err != nil {
			t.Errorf("mockddb: the world %s is not dropped: %v", w.Name, err)
		}
	})
	return w
}

func (w *World) verb(method, path string, body, answer any) {
	w.t.Helper()
	if err := w.server.verb(method, path, w.Name, body, answer); err != nil {
		w.t.Fatalf("mockddb: %s %s: %v", method, path, err)
	}
}

// Fork gives another test, such as a subtest, a copy of this world as it is now.
func (w *World) Fork(t testing.TB) *World {
	t.Helper()
	return newWorld(t, w.server, object{"from": w.Name})
}

// Reset restores the world's initial state.
func (w *World) Reset() {
	w.t.Helper()
	w.verb("POST", "reset", object{}, nil)
}

// Snapshot keeps the world's state under a name.
func (w *World) Snapshot(name string) {
	w.t.Helper()
	w.verb("POST", "snapshots/"+url.PathEscape(name), object{}, nil)
}

// Restore brings the world's state back to a snapshot.
func (w *World) Restore(name string) {
	w.t.Helper()
	w.verb("POST", "snapshots/"+url.PathEscape(name)+"/restore", object{}, nil)
}

// Assert fails the test, which continues, for each assertion that the world's requests break:
// w.Assert(Rule{"no": "Scan"}, Rule{"max_read_units": 20}).
func (w *World) Assert(assertions ...Rule) {
	w.t.Helper()
	var refused *refusal
	err := w.server.verb("POST", "assert", w.Name, object{"assert": assertions}, nil)
	if err == nil {
		return
	}
	var answer struct{ Report []json.RawMessage }
	if !errors.As(err, &refused) || refused.status != 409 || json.Unmarshal(refused.body, &answer) != nil {
		w.t.Fatalf("mockddb: assert: %v", err)
	}
	for _, line := range answer.Report {
		var result struct{ Holds bool }
		if json.Unmarshal(line, &result) == nil && !result.Holds {
			w.t.Errorf("mockddb: broken: %s", line)
		}
	}
}

// Clock is the world's time.
type Clock struct{ w *World }

func (c Clock) verb(method string, body any) time.Time {
	c.w.t.Helper()
	var answer struct {
		NowMS int64 `json:"now_ms"`
	}
	c.w.verb(method, "clock", body, &answer)
	return time.UnixMilli(answer.NowMS).UTC()
}

// Now returns the world's time.
func (c Clock) Now() time.Time { c.w.t.Helper(); return c.verb("GET", nil) }

// Freeze stops the clock at a moment.
func (c Clock) Freeze(at time.Time) { c.w.t.Helper(); c.verb("POST", object{"freeze": at.UnixMilli()}) }

// Advance lets time pass. What falls due on the way is done before it returns: expiry, states of tables, and so on.
func (c Clock) Advance(by time.Duration) {
	c.w.t.Helper()
	c.verb("POST", object{"advance": by.Milliseconds()})
}

// Set shows a moment, from which the clock continues.
func (c Clock) Set(at time.Time) { c.w.t.Helper(); c.verb("POST", object{"set": at.UnixMilli()}) }

// Resume lets a frozen clock continue.
func (c Clock) Resume() { c.w.t.Helper(); c.verb("POST", object{"resume": true}) }

// Real makes it the system's clock again.
func (c Clock) Real() { c.w.t.Helper(); c.verb("POST", object{"real": true}) }

// Faults are the world's fault rules.
type Faults struct{ w *World }

// A Fault is a rule, the calls that it has seen and those that it has hit.
type Fault struct {
	ID, Seen, Hits int
	Rule           Rule
}

func (f Faults) verb(method, path string, body any) []Fault {
	f.w.t.Helper()
	var answer struct{ Rules []Fault }
	f.w.verb(method, path, body, &answer)
	return answer.Rules
}

// Add adds rules and returns all of them: Add(Rule{"operation": "PutItem", "times": 1, "error": "ThrottlingException"}).
func (f Faults) Add(rules ...Rule) []Fault {
	f.w.t.Helper()
	return f.verb("POST", "faults", object{"rules": rules})
}

// List returns the rules.
func (f Faults) List() []Fault { f.w.t.Helper(); return f.verb("GET", "faults", nil) }

// Remove removes the rule with this ID.
func (f Faults) Remove(id int) { f.w.t.Helper(); f.verb("DELETE", "faults/"+strconv.Itoa(id), nil) }

// Clear removes all rules.
func (f Faults) Clear() { f.w.t.Helper(); f.verb("DELETE", "faults", nil) }

// Journal has the world's newest requests.
type Journal struct{ w *World }

// An Entry is one request. JSON has all that the journal knows of it (docs/journal.md).
type Entry struct {
	ID         int
	Operation  string
	Status     int
	Table      string
	Index      string
	Error      string
	Message    string
	ReadUnits  float64 `json:"read_units"`
	WriteUnits float64 `json:"write_units"`
	Fault      int
	JSON       json.RawMessage `json:"-"`
}

// Entries returns the requests, the oldest first, that fit filters such as "operation=Scan" and "limit=10".
func (j Journal) Entries(filters ...string) []Entry {
	j.w.t.Helper()
	query := url.Values{}
	for _, filter := range filters {
		name, value, _ := strings.Cut(filter, "=")
		query.Add(name, value)
	}
	path := "journal"
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	var text []byte
	j.w.verb("GET", path, nil, &text)
	entries := []Entry{}
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		entry := Entry{JSON: line}
		if len(line) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &entry); err != nil {
			j.w.t.Fatalf("mockddb: the journal's line %q: %v", line, err)
		}
		entries = append(entries, entry)
	}
	return entries
}

// Clear empties the journal.
func (j Journal) Clear() { j.w.t.Helper(); j.w.verb("DELETE", "journal", nil, nil) }
