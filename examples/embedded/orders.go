// A server in a Go program, by cgo: an http.RoundTripper for which no socket is opened. With mockddb.h and libmockddb.so
// in FOLDER: CGO_CFLAGS=-IFOLDER CGO_LDFLAGS="-LFOLDER -Wl,-rpath,FOLDER" go run orders.go
package main

/*
#cgo LDFLAGS: -lmockddb
#include <stdlib.h>
#include <mockddb.h>
*/
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// Embedded answers requests of DynamoDB's JSON protocol, whatever host they are for. One goroutine at a time is let in.
type Embedded struct {
	mutex sync.Mutex
	db    *C.struct_mockddb
}

// Open starts a server in memory.
func Open() (*Embedded, error) {
	e := &Embedded{}
	if C.mockddb_open(nil, &e.db) != C.MOCKDDB_OK {
		defer C.mockddb_close(e.db)
		return nil, errors.New(C.GoString(C.mockddb_problem(e.db)))
	}
	return e, nil
}

// Close ends the server.
func (e *Embedded) Close() { C.mockddb_close(e.db) }

// RoundTrip implements http.RoundTripper. The world is the one of the header x-mockddb-world, or the first one.
func (e *Embedded) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		defer r.Body.Close()
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	request := C.struct_mockddb_request{target: C.CString(r.Header.Get("X-Amz-Target"))}
	request.size = C.sizeof_struct_mockddb_request
	request.body, request.body_len = (*C.char)(C.CBytes(body)), C.size_t(len(body))
	if world := r.Header.Get("x-mockddb-world"); world != "" {
		request.world = C.CString(world)
	}
	for _, text := range []*C.char{request.target, request.body, request.world} {
		defer C.free(unsafe.Pointer(text))
	}
	return e.answer(r, &request)
}

func (e *Embedded) answer(r *http.Request, request *C.struct_mockddb_request) (*http.Response, error) {
	e.mutex.Lock()
	reply := C.struct_mockddb_reply{size: C.sizeof_struct_mockddb_reply}
	if C.mockddb_call(e.db, request, &reply) != C.MOCKDDB_OK {
		defer e.mutex.Unlock()
		return nil, errors.New(C.GoString(C.mockddb_problem(e.db)))
	}
	body := C.GoBytes(unsafe.Pointer(reply.body), C.int(reply.body_len))
	kind := C.GoString(reply.content_type)
	e.mutex.Unlock()
	time.Sleep(time.Duration(reply.delay_ms) * time.Millisecond) // fault rules
	if reply.flags&(C.MOCKDDB_DROPPED|C.MOCKDDB_CUT) != 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return &http.Response{
		StatusCode: int(reply.status), Status: http.StatusText(int(reply.status)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: r,
	}, nil
}

func main() {
	db, err := Open()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	client := http.Client{Transport: db}
	for _, call := range [][2]string{
		{"CreateTable", `{"TableName": "Orders", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "id",
			"KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}]}`},
		{"PutItem", `{"TableName": "Orders", "Item": {"id": {"S": "o1"}}}`},
		{"GetItem", `{"TableName": "Orders", "Key": {"id": {"S": "o1"}}}`},
	} {
		request, _ := http.NewRequest("POST", "http://mockddb.invalid/", strings.NewReader(call[1]))
		request.Header.Set("X-Amz-Target", "DynamoDB_20120810."+call[0])
		answer, err := client.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		if call[0] == "GetItem" {
			fmt.Println(answer.StatusCode, string(text))
		}
	}
}
