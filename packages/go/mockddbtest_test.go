package mockddbtest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// call sends an operation to the world and returns the status and the answer.
func call(t testing.TB, w *World, operation, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequest("POST", w.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/x-amz-json-1.0",
		"X-Amz-Target": "DynamoDB_20120810." + operation,
		"X-Amz-Date":   "20240101T000000Z",
		"Authorization": "AWS4-HMAC-SHA256 Credential=" + w.AccessKeyID +
			"/20240101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
	} {
		request.Header.Set(name, value)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, string(text)
}

func createTable(t testing.TB, w *World, name string) {
	t.Helper()
	status, text := call(t, w, "CreateTable", `{"TableName": "`+name+`", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}`)
	if status != 200 {
		t.Fatal(text)
	}
}

func tables(t testing.TB, w *World) string {
	t.Helper()
	_, text := call(t, w, "ListTables", "{}")
	return text
}

func equal[T comparable](t testing.TB, actual, expected T) {
	t.Helper()
	if actual != expected {
		t.Errorf("%v, not %v", actual, expected)
	}
}

// A watched test notes what it reports in place of failing.
type watched struct {
	testing.TB
	name     string
	reported []string
	cleanups []func()
}

func (w *watched) Name() string     { return w.name }
func (w *watched) Helper()          {}
func (w *watched) Cleanup(f func()) { w.cleanups = append(w.cleanups, f) }
func (w *watched) Errorf(format string, values ...any) {
	w.reported = append(w.reported, fmt.Sprintf(format, values...))
}
func (w *watched) Fatalf(format string, values ...any) { w.Errorf(format, values...); runtime.Goexit() }
func (w *watched) Fatal(values ...any)                 { w.Fatalf("%s", fmt.Sprint(values...)) }

// reports runs a test and returns what it reported.
func reports(t *testing.T, run func(t testing.TB)) []string {
	t.Helper()
	test := &watched{TB: t, name: t.Name()}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			for _, clean := range test.cleanups {
				clean()
			}
		}()
		run(test)
	}()
	<-ended
	return test.reported
}

// reportsOne asserts that a test reports one line, with this in it.
func reportsOne(t *testing.T, wanted string, run func(t testing.TB)) {
	t.Helper()
	lines := reports(t, run)
	if len(lines) != 1 || !strings.Contains(lines[0], wanted) || strings.Contains(lines[0], "\n") {
		t.Errorf("%q, not one line with %q", lines, wanted)
	}
}

func TestWorldsDoNotMeet(t *testing.T) {
	names := make(chan string, 40)
	t.Run("all", func(t *testing.T) {
		for number := 0; number < 40; number++ {
			name := fmt.Sprint("Table", number)
			t.Run("same name/and:such", func(t *testing.T) {
				t.Parallel()
				w := Start(t)
				createTable(t, w, name)
				equal(t, tables(t, w), `{"TableNames":["`+name+`"]}`)
				names <- w.Name
			})
		}
	})
	close(names)
	seen := map[string]bool{}
	s, _ := sharedServer(nil)
	for name := range names {
		equal(t, seen[name], false)
		seen[name] = true
		if err := s.verb("GET", "worlds/"+name, "", nil, nil); err == nil {
			t.Errorf("the world %s is still there", name)
		}
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 100)
	equal(t, worldName("TestA/b c:é", 1), "t-TestA_b_c__")
	equal(t, worldName("TestA", 7), "t-TestA-7")
	equal(t, len(worldName(long, 999999)) <= 64, true)
	equal(t, worldName(long+"1", 1) == worldName(long+"2", 1), false)
}

func TestClock(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w := Start(t, FrozenAt(start))
	equal(t, w.Clock.Now(), start)
	w.Clock.Advance(36 * time.Hour)
	equal(t, w.Clock.Now(), start.Add(36*time.Hour))
	w.Clock.Set(start)
	equal(t, w.Clock.Now().Before(start.Add(time.Hour)), true)
	w.Clock.Freeze(start)
	w.Clock.Resume()
	w.Clock.Real()
	equal(t, w.Clock.Now().After(start.AddDate(0, 0, 1)), true)
}

func TestSnapshots(t *testing.T) {
	t.Parallel()
	w := Start(t)
	createTable(t, w, "Kept")
	w.Snapshot("seeded")
	fork := w.Fork(t)
	createTable(t, w, "Other")
	equal(t, tables(t, fork), `{"TableNames":["Kept"]}`)
	w.Restore("seeded")
	equal(t, tables(t, w), `{"TableNames":["Kept"]}`)
	w.Reset()
	equal(t, tables(t, w), `{"TableNames":[]}`)
}

func TestFaultsAndJournal(t *testing.T) {
	t.Parallel()
	w := Start(t)
	rules := w.Faults.Add(Rule{"operation": "ListTables", "times": 1, "error": "ThrottlingException"}, Rule{"operation": "Scan", "delay": "1ms"})
	equal(t, len(rules), 2)
	if status, text := call(t, w, "ListTables", "{}"); status != 400 || !strings.Contains(text, "ThrottlingException") {
		t.Error(status, text)
	}
	tables(t, w)
	equal(t, w.Faults.List()[0].Hits, 1)
	equal(t, w.Faults.List()[0].Seen >= 1, true)
	w.Faults.Remove(rules[1].ID)
	equal(t, len(w.Faults.List()), 1)
	w.Faults.Clear()
	equal(t, len(w.Faults.List()), 0)
	entries := w.Journal.Entries("operation=ListTables")
	equal(t, len(entries), 2)
	equal(t, entries[0].Error, "ThrottlingException")
	equal(t, entries[0].Fault, 1)
	equal(t, entries[1].Status, 200)
	equal(t, strings.Contains(string(entries[1].JSON), `"took_us"`), true)
	w.Assert(Rule{"no": "Scan"}, Rule{"max_read_units": 1})
	w.Journal.Clear()
	equal(t, len(w.Journal.Entries()), 0)
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "faults.json")
	if err := os.WriteFile(file, []byte(`{"rules": [{"operation": "Scan", "delay": "1ms"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	w := Start(t, Arguments("--faults", file))
	equal(t, len(w.Faults.List()), 1)
	equal(t, len(Start(t).Faults.List()), 0)
	equal(t, w.Port > 0, true)
}

func TestWhatGoesWrongIsOneLine(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := fmt.Sprint(taken.Addr().(*net.TCPAddr).Port)
	template := filepath.Join(t.TempDir(), "broken.yaml")
	if err := os.WriteFile(template, []byte("Resources:\n  Orders: {Type: [}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for wanted, run := range map[string]func(t testing.TB){
		"port " + port:             func(t testing.TB) { Start(t, Arguments("--port", port)) },
		"unknown option --no-such": func(t testing.TB) { Start(t, Arguments("--no-such")) },
		"nowhere":                  func(t testing.TB) { Start(t, Fixtures("nowhere")) },
		template + ":2:19: ":       func(t testing.TB) { Start(t, Fixtures(template)) },
		"has no snapshot":          func(t testing.TB) { Start(t).Restore("missing") },
		"broken: ": func(t testing.TB) {
			w := Start(t)
			tables(t, w)
			w.Assert(Rule{"no": "ListTables"}, Rule{"no": "Scan"})
		},
		"max_read_units takes": func(t testing.TB) { Start(t).Assert(Rule{"max_read_units": "x"}) },
		"error":                func(t testing.TB) { Start(t).Faults.Add(Rule{"operation": "PutItem", "error": "Nonsense"}) },
		"operation":            func(t testing.TB) { Start(t).Journal.Entries("operation=Nonsense") },
	} {
		reportsOne(t, wanted, run)
	}
	_, err = net.Dial("tcp", taken.Addr().String())
	if err != nil {
		t.Error(err)
	}
}

func TestPrograms(t *testing.T) {
	program, err := findProgram()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	defer RegisterProgram(registered)
	t.Setenv("MOCKDDB_URL", "")
	t.Setenv("MOCKDDB_BINARY", "")
	t.Setenv("PATH", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	RegisterProgram(nil)
	reportsOne(t, "there is no mockddb for "+runtime.GOOS+"/"+runtime.GOARCH, func(t testing.TB) { Start(t, Arguments("--max-worlds", "7")) })
	t.Setenv("MOCKDDB_BINARY", "/nowhere/mockddb")
	reportsOne(t, "/nowhere/mockddb cannot be started: ", func(t testing.TB) { Start(t, Arguments("--max-worlds", "8")) })

	t.Setenv("MOCKDDB_BINARY", "")
	RegisterProgram(content)
	unpacked, err := findProgram()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(unpacked, content[:100], 0o700); err != nil { // as after a full disk
		t.Fatal(err)
	}
	Start(t, Arguments("--max-worlds", "9"))
	left, err := os.ReadDir(filepath.Dir(unpacked))
	equal(t, err == nil && len(left) == 1, true)
}

func TestServerOfMockddbRun(t *testing.T) {
	program, err := findProgram()
	if err != nil {
		t.Fatal(err)
	}
	other := startServer([]string{"--worlds", "by-access-key"})
	plain := startServer([]string{"--worlds", "by-header"})
	if other.err != nil || plain.err != nil {
		t.Fatal(program, other.err, plain.err)
	}
	defer func() {
		equal(t, other.stop(), nil)
		equal(t, plain.stop(), nil)
	}()
	equal(t, useServer(other.url).err, nil)
	equal(t, useServer(other.url).err, nil)
	if err := useServer(plain.url).err; err == nil || !strings.Contains(err.Error(), "needs the option --worlds by-access-key") {
		t.Error(err)
	}
	if err := useServer("http://127.0.0.1:1").err; err == nil || !strings.HasPrefix(err.Error(), "MOCKDDB_URL: ") {
		t.Error(err)
	}
}

func TestServerThatEndedIsNamed(t *testing.T) {
	s := startServer([]string{"--max-worlds", "10"})
	if s.err != nil {
		t.Fatal(s.err)
	}
	if err := s.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-s.ended
	err := s.verb("GET", "health", "", nil, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "mockddb ended with signal: killed") {
		t.Error(err)
	}
}

func TestMain(m *testing.M) { os.Exit(Run(m)) }
