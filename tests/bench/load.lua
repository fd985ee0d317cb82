-- The requests of a file over and over, one body a line.
--   wrk ... -s load.lua URL -- OPERATION BODY_FILE FIRST
-- In a file of one line, each "%N" becomes FIRST, FIRST + 1, ... as twelve digits, the last one first:
-- new keys come in no order.

local requests, parts, number = {}, nil, 0
local next_request = 0

local function split(text, mark)
  local pieces, from = {}, 1
  while true do
    local first, last = text:find(mark, from, true)
    if not first then
      pieces[#pieces + 1] = text:sub(from)
      return pieces
    end
    pieces[#pieces + 1] = text:sub(from, first - 1)
    from = last + 1
  end
end

function init(args)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/x-amz-json-1.0"
  wrk.headers["X-Amz-Target"] = args[1]
  wrk.headers["X-Amz-Date"] = "20240101T000000Z"
  wrk.headers["Authorization"] = "AWS4-HMAC-SHA256 Credential=a/20240101/us-east-1/dynamodb/"
    .. "aws4_request, SignedHeaders=host;x-amz-date, Signature=0"
  for body in io.lines(args[2]) do
    local mark = "@NUMBER@@@@@"
    requests[#requests + 1] = wrk.format(nil, nil, nil, (body:gsub("%%N", mark)))
    if body:find("%N", 1, true) then
      parts = split(requests[1], mark)
      number = tonumber(args[3])
    end
  end
end

local function numbered()
  local pieces = {parts[1]}
  for i = 2, #parts do
    number = number + 1
    pieces[#pieces + 1] = string.format("%012d", number):reverse()
    pieces[#pieces + 1] = parts[i]
  end
  return table.concat(pieces)
end

function request()
  if parts then
    return numbered()
  end
  next_request = next_request % #requests + 1
  return requests[next_request]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %.6f, "p50": %.1f, "p99": %.1f, "errors": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
