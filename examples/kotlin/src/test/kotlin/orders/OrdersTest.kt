package orders

import aws.sdk.kotlin.services.dynamodb.batchWriteItem
import aws.sdk.kotlin.services.dynamodb.getItem
import aws.sdk.kotlin.services.dynamodb.model.AttributeValue
import aws.sdk.kotlin.services.dynamodb.model.ConditionalCheckFailedException
import aws.sdk.kotlin.services.dynamodb.model.ReturnValuesOnConditionCheckFailure
import aws.sdk.kotlin.services.dynamodb.model.TransactWriteItem
import aws.sdk.kotlin.services.dynamodb.model.TransactionCanceledException
import aws.sdk.kotlin.services.dynamodb.model.WriteRequest
import aws.sdk.kotlin.services.dynamodb.paginators.items
import aws.sdk.kotlin.services.dynamodb.paginators.queryPaginated
import aws.sdk.kotlin.services.dynamodb.paginators.scanPaginated
import aws.sdk.kotlin.services.dynamodb.putItem
import aws.sdk.kotlin.services.dynamodb.transactWriteItems
import io.github.mockddb.World
import kotlinx.coroutines.flow.count
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** The SDK for Kotlin. */
class OrdersTest(world: World) : OrdersTable(world) {
    private suspend fun count() = client.scanPaginated { tableName = "Orders" }.items().count()

    @Test
    fun queryOfAllPages() = runBlocking<Unit> {
        repeat(7) { put("o$it", it) }
        val pages = client.queryPaginated {
            tableName = "Orders"
            indexName = "byStatus"
            keyConditionExpression = "#s = :s"
            filterExpression = "#t > :t"
            expressionAttributeNames = mapOf("#s" to "status", "#t" to "total")
            expressionAttributeValues = mapOf(":s" to AttributeValue.S("open"), ":t" to AttributeValue.N("2"))
            limit = 3
        }.toList()
        assertEquals(listOf(3, 3, 1), pages.map { it.scannedCount })
        assertEquals(3 + 4 + 5 + 6, pages.flatMap { it.items!! }.sumOf { it.getValue("total").asN().toInt() })
    }

    @Test
    fun refusedCondition() = runBlocking<Unit> {
        put("o1", 5)
        val refused = assertThrows<ConditionalCheckFailedException> {
            client.putItem {
                tableName = "Orders"
                item = order("o1", 6)
                conditionExpression = "attribute_not_exists(id)"
                returnValuesOnConditionCheckFailure = ReturnValuesOnConditionCheckFailure.AllOld
            }
        }
        assertEquals(order("o1", 5), refused.item)
        val found = client.getItem {
            tableName = "Orders"
            key = keyOf("o1")
        }
        assertEquals(order("o1", 5), found.item)
    }

    private suspend fun insert(vararg ids: String) = client.transactWriteItems {
        transactItems = ids.map { id ->
            TransactWriteItem {
                put {
                    tableName = "Orders"
                    item = order(id, 1)
                    conditionExpression = "attribute_not_exists(id)"
                }
            }
        }
    }

    @Test
    fun transaction() = runBlocking<Unit> {
        insert("o1", "o2")
        val cancelled = assertThrows<TransactionCanceledException> { insert("o3", "o2") }
        assertEquals(listOf("None", "ConditionalCheckFailed"), cancelled.cancellationReasons!!.map { it.code })
        assertEquals(2, count())
    }

    @Test
    fun unprocessedWrites() = runBlocking<Unit> {
        world.faults().add(mapOf("operation" to "BatchWriteItem", "times" to 1, "unprocessed" to 3))
        val writes = List(10) { WriteRequest { putRequest { item = order("o$it", it) } } }
        var left: Map<String, List<WriteRequest>>? = mapOf("Orders" to writes)
        val sent = mutableListOf<Int>()
        while (!left.isNullOrEmpty()) {
            sent += left.getValue("Orders").size
            left = client.batchWriteItem { requestItems = left }.unprocessedItems
        }
        assertEquals(listOf(10, 3), sent)
        assertEquals(10, count())
        world.assertThat(mapOf("no_unretried" to true))
    }

    @Test
    fun throttledWriteIsSentAgain() = runBlocking<Unit> {
        world.faults().add(mapOf("operation" to "PutItem", "times" to 1, "error" to "ThrottlingException"))
        put("o1", 1)
        val errors = world.journal().entries("operation=PutItem").map { it["error"] }
        assertEquals(listOf("ThrottlingException", null), errors)
    }
}
