// Package mockddbtest gives each test its own DynamoDB tables, on one mockddb server for the whole test program.
//
//	func TestOrders(t *testing.T) {
//		t.Parallel()
//		world := mockddbtest.Start(t)
//		client := dynamodb.New(dynamodb.Options{
//			Region:       world.Region,
//			BaseEndpoint: &world.URL,
//			Credentials:  credentials.NewStaticCredentialsProvider(world.AccessKeyID, world.SecretAccessKey, ""),
//		})
//		…
//	}
//
// The first Start starts the server, on a free port. It ends with the test program, however that ends.
// The program is the one that MOCKDDB_BINARY names, else the one in the package
// github.com/mockddb/mockddbtest/program if it is imported, else mockddb on the PATH. If MOCKDDB_URL has a server's
// address, as under "mockddb run --worlds by-access-key -- go test ./...", tests use that server.
package mockddbtest

import (
	"crypto/sha256"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// An Option of Start.
type Option func(*options)

type options struct {
	arguments []string
	clock     time.Time
}

// Fixtures loads these fixtures or files of tables into each world: mockddb's option --fixtures.
func Fixtures(fixtures ...string) Option {
	return func(o *options) {
		for _, fixture := range fixtures {
			o.arguments = append(o.arguments, "--fixtures", fixture)
		}
	}
}

// Arguments are given to the server. Tests with the same fixtures and arguments share a server.
func Arguments(arguments ...string) Option {
	return func(o *options) { o.arguments = append(o.arguments, arguments...) }
}

// FrozenAt freezes the test's clock at a moment.
func FrozenAt(moment time.Time) Option {
	return func(o *options) { o.clock = moment }
}

// Start gives the test a new world: its own tables, clock, faults and journal, which no other test sees. The world is
// dropped when the test has ended. Whatever goes wrong ends the test.
func Start(t testing.TB, with ...Option) *World {
	t.Helper()
	var o options
	for _, option := range with {
		option(&o)
	}
	s, err := sharedServer(o.arguments)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, s, object{})
	if !o.clock.IsZero() {
		w.Clock.Freeze(o.clock)
	}
	return w
}

// Run is for TestMain: it runs the tests and stops the servers. It returns the tests' exit status or, if that is 0,
// the status of a server that ended badly, such as 3 if a rule of the argument --fail-on is broken. Without
// it servers end with the test program, and how they end is not seen.
func Run(m *testing.M) int {
	status := m.Run()
	servers.Lock()
	defer servers.Unlock()
	for key, s := range servers.running {
		delete(servers.running, key)
		if s.err != nil || s.process == nil {
			continue
		}
		if err := s.stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			if status == 0 {
				status = s.process.ProcessState.ExitCode()
			}
		}
	}
	return status
}

// The servers of this test program, by their arguments; also those that did not start, which are not tried again.
var servers = struct {
	sync.Mutex
	running map[string]*server
}{running: map[string]*server{}}

func sharedServer(arguments []string) (*server, error) {
	servers.Lock()
	defer servers.Unlock()
	url := os.Getenv("MOCKDDB_URL")
	if url != "" {
		arguments = nil // that server has its own
	}
	key := strings.Join(arguments, "\x00")
	s := servers.running[key]
	if s == nil {
		if url != "" {
			s = useServer(url)
		} else {
			s = startServer(slices.Clone(arguments))
		}
		servers.running[key] = s
	}
	return s, s.err
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_.-]`)

// worldName makes the name of a test, which may be long and have slashes, a valid name of a world. Of tests whose
// names become alike, or that run in several programs on one server, each gets another number.
func worldName(test string, number int) string {
	name := "t-" + notInNames.ReplaceAllString(test, "_")
	if len(name) > 48 {
		name = fmt.Sprintf("%s-%.3x", name[:41], sha256.Sum256([]byte(test)))
	}
	if number > 1 {
		name = fmt.Sprintf("%s-%d", name, number)
	}
	return name
}
