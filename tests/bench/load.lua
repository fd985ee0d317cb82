-- One request over and over, or one with a new number in it each time.
--   wrk ... -s load.lua URL -- TARGET BODY_FILE FIRST
-- "%N" in the body becomes FIRST, FIRST + 1, ... as twelve digits.

local fixed, head, tail, number

function init(args)
  local file = assert(io.open(args[2], "rb"))
  local body = file:read("*a")
  file:close()
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/x-amz-json-1.0"
  wrk.headers["X-Amz-Target"] = args[1]
  wrk.headers["X-Amz-Date"] = "20240101T000000Z"
  wrk.headers["Authorization"] = "AWS4-HMAC-SHA256 Credential=a/20240101/us-east-1/dynamodb/"
    .. "aws4_request, SignedHeaders=host;x-amz-date, Signature=0"
  local before, after = body:match("^(.*)%%N(.*)$")
  if before then
    local sample = wrk.format(nil, nil, nil, before .. string.rep("0", 12) .. after)
    head, tail = sample:match("^(.*)" .. string.rep("0", 12) .. "(.*)$")
    number = tonumber(args[3])
  else
    fixed = wrk.format(nil, nil, nil, body)
  end
end

function request()
  if fixed then
    return fixed
  end
  number = number + 1
  return head .. string.format("%012d", number) .. tail
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %.6f, "p50": %.1f, "p99": %.1f, "errors": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
