// Kinds of faults, and a request that meets one.

import { verb } from "./api.js";

/** [kind, what it is in words]. */
export const FAULT_KINDS = [
  ["error:ProvisionedThroughputExceededException", "throttled: ProvisionedThroughputExceeded"], ["error:ThrottlingException", "throttled: Throttling"],
  ["error:RequestLimitExceeded", "throttled: RequestLimitExceeded"], ["error:InternalServerError", "InternalServerError (500)"], ["error:ServiceUnavailable", "ServiceUnavailable (503)"],
  ["error:TransactionConflictException", "TransactionConflict"], ["error:ConditionalCheckFailedException", "ConditionalCheckFailed"],
  ["delay", "answered late"], ["drop:before", "connection lost before it runs"], ["drop:after", "connection lost after it ran"],
  ["unprocessed", "batches leave some unprocessed"], ["page_limit", "pages end early"],
];

/** The members of a rule of this kind; `amount` belongs to those without a word of their own. */
export function effectOf(kind, amount) {
  const [member, of] = kind.split(":");
  return { [member]: of ?? (member === "delay" ? amount : Number(amount)) };
}

const RULE = "the console's request"; // the rule's name
const AMOUNTS = { delay: "2s", unprocessed: 1, page_limit: 1 };

/** Runs work() while a rule hits the first such request; returns how often it did. */
export async function withFault(kind, operation, work) {
  const { rules } = await verb("POST", "faults", { rules: [{ name: RULE, operation, times: 1, ...effectOf(kind, AMOUNTS[kind]) }] });
  const { id } = rules.findLast((one) => one.rule.name === RULE);
  try {
    await work();
    const now = (await verb("GET", "faults")).rules.find((one) => one.id === id);
    return now?.hits ?? 0;
  } finally {
    await verb("DELETE", `faults/${id}`).catch(() => {}); // it may be gone, as the world may
  }
}
