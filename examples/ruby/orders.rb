# AWS SDK for Ruby 1: a table with an index, a batch with unprocessed items, pages, conditions. This SDK knows the API
# as it was before expressions, documents, transactions and streams.

require "aws-sdk"
require "uri"

ENDPOINT = URI(ENV.fetch("AWS_ENDPOINT_URL_DYNAMODB")) # the SDK does not read it itself
CLIENT = AWS::DynamoDB::Client.new(
  api_version: "2012-08-10", # its AWS::DynamoDB::Table uses API 2011-12-05
  dynamo_db_endpoint: ENDPOINT.host,
  dynamo_db_port: ENDPOINT.port,
  use_ssl: ENDPOINT.scheme == "https"
)

def check(expected, actual)
  raise "expected #{expected}, not #{actual}" unless expected == actual
end

def check_refused(error)
  yield
rescue error
  # as expected
else
  raise "not refused with #{error}"
end

def key(number)
  { "customer" => { s: "c1" }, "number" => { n: number.to_s } }
end

def order(number)
  key(number).merge("status" => { s: "open" }, "tags" => { ss: %w[a b] }, "photo" => { b: "\x00\xFF".b })
end

def equals(text)
  { attribute_value_list: [{ s: text }], comparison_operator: "EQ" }
end

# Reads all pages of a query or scan; returns the items of each.
def pages(operation, request)
  read = []
  start = {}
  while start
    page = CLIENT.send(operation, request.merge(start))
    read << page[:member]
    last = page[:last_evaluated_key]
    start = last && { exclusive_start_key: last }
  end
  read
end

THROUGHPUT = { read_capacity_units: 5, write_capacity_units: 5 }.freeze
CLIENT.create_table(
  table_name: "Orders",
  attribute_definitions: [
    { attribute_name: "customer", attribute_type: "S" },
    { attribute_name: "number", attribute_type: "N" },
    { attribute_name: "status", attribute_type: "S" }
  ],
  key_schema: [
    { attribute_name: "customer", key_type: "HASH" },
    { attribute_name: "number", key_type: "RANGE" }
  ],
  global_secondary_indexes: [{
    index_name: "byStatus",
    key_schema: [
      { attribute_name: "status", key_type: "HASH" },
      { attribute_name: "number", key_type: "RANGE" }
    ],
    projection: { projection_type: "ALL" },
    provisioned_throughput: THROUGHPUT
  }],
  provisioned_throughput: THROUGHPUT
)
sleep 0.1 until CLIENT.describe_table(table_name: "Orders")[:table][:table_status] == "ACTIVE"

left = { "Orders" => (0...25).map { |number| { put_request: { item: order(number) } } } }
sent = []
until left.empty? # sends again what a batch leaves unprocessed
  sent << left["Orders"].size
  left = CLIENT.batch_write_item(request_items: left)[:unprocessed_items]
end
check([25, 5], sent)
check(order(7), CLIENT.get_item(table_name: "Orders", key: key(7), consistent_read: true)[:item])

by_status = { table_name: "Orders", index_name: "byStatus", key_conditions: { "status" => equals("open") } }
query = pages(:query, by_status.merge(limit: 7))
check([7, 7, 7, 4], query.map(&:size))
check((0...25).to_a, query.flatten.map { |item| item["number"][:n].to_i })

check_refused(AWS::DynamoDB::Errors::ConditionalCheckFailedException) do
  CLIENT.put_item(table_name: "Orders", item: key(1), expected: { "customer" => { exists: false } })
end
check(order(1), CLIENT.get_item(table_name: "Orders", key: key(1))[:item])

close = {
  table_name: "Orders",
  key: key(1),
  expected: { "status" => equals("open") },
  attribute_updates: {
    "status" => { value: { s: "closed" }, action: "PUT" },
    "tags" => { value: { ss: %w[c] }, action: "ADD" },
    "photo" => { action: "DELETE" }
  },
  return_values: "ALL_NEW"
}
closed = key(1).merge("status" => { s: "closed" }, "tags" => { ss: %w[a b c] })
check(closed, CLIENT.update_item(close)[:attributes])
check_refused(AWS::DynamoDB::Errors::ConditionalCheckFailedException) { CLIENT.update_item(close) }

scan = pages(:scan, table_name: "Orders", limit: 10, scan_filter: { "status" => equals("closed") })
check([[closed], [], []], scan)
check_refused(AWS::DynamoDB::Errors::ResourceNotFoundException) do
  CLIENT.get_item(table_name: "Others", key: key(1))
end
puts "aws-sdk #{AWS::VERSION}"
