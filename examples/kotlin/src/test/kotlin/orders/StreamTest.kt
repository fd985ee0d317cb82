package orders

import aws.sdk.kotlin.services.dynamodb.deleteItem
import aws.sdk.kotlin.services.dynamodbstreams.DynamoDbStreamsClient
import aws.sdk.kotlin.services.dynamodbstreams.describeStream
import aws.sdk.kotlin.services.dynamodbstreams.getRecords
import aws.sdk.kotlin.services.dynamodbstreams.getShardIterator
import aws.sdk.kotlin.services.dynamodbstreams.listStreams
import aws.sdk.kotlin.services.dynamodbstreams.model.ShardIteratorType
import io.github.mockddb.World
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

/** The client for streams of the SDK for Kotlin. */
class StreamTest(world: World) : OrdersTable(world) {
    @Test
    fun stream() = runBlocking<Unit> {
        put("o1", 1)
        put("o1", 2)
        client.deleteItem {
            tableName = "Orders"
            key = keyOf("o1")
        }
        val streams = DynamoDbStreamsClient {
            region = world.region()
            endpointUrl = endpoint
            credentialsProvider = credentials
        }
        streams.use {
            val arn = streams.listStreams { tableName = "Orders" }.streams!!.single().streamArn
            val shards = streams.describeStream { streamArn = arn }.streamDescription!!.shards!!
            val records = shards.flatMap { shard ->
                val iterator = streams.getShardIterator {
                    streamArn = arn
                    shardId = shard.shardId
                    shardIteratorType = ShardIteratorType.TrimHorizon
                }.shardIterator
                streams.getRecords { shardIterator = iterator }.records!!
            }
            val seen = records.map { "${it.eventName?.value} ${it.dynamodb?.newImage?.get("total")?.asN()}" }
            assertEquals(listOf("INSERT 1", "MODIFY 2", "REMOVE null"), seen)
        }
    }
}
