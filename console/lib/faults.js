// Kinds of faults, and a request that meets one.

import { verb } from "./api.js";
import { count, many } from "./format.js";

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

const keyWords = (key, joint) => Object.entries(key).map(([name, value]) => `${name} ${joint} ${Object.values(value)[0]}`).join(", ");
const lasting = (value) => (typeof value === "number" ? `${count(value)} ms` : value);
const momentText = (value) => (typeof value === "number" ? new Date(value).toISOString() : value);

// A rule's effect in words, by its member.
const EFFECTS = {
  error: (rule) => `${/Throttling|Throughput|RequestLimit/.test(rule.error) ? "throttled" : "refused"} (${rule.error}${rule.reasons ? `: ${[rule.reasons].flat().join(", ")}` : ""})${rule.message ? ` with “${rule.message}”` : ""}`,
  delay: (rule) => `answered ${lasting(rule.delay)} late${rule.jitter ? `, up to ${lasting(rule.jitter)} more` : ""}`,
  drop: (rule) => `the connection is lost ${rule.drop} it ran`,
  cut: (rule) => `the answer is cut after ${many(rule.cut, "byte")}`,
  wrong_crc: () => "the checksum is wrong",
  unprocessed: (rule) => `the ${rule.which ?? "last"} ${count(rule.unprocessed)} of a batch left unprocessed`,
  page_limit: (rule) => `pages end after ${many(rule.page_limit, "item")}`,
  stale: (rule) => `items as they were ${rule.stale === true ? "before their newest change" : `${lasting(rule.stale)} ago`}`,
  index_lag: (rule) => `indexes are ${lasting(rule.index_lag)} behind`,
  stream_late: (rule) => `stream records come ${lasting(rule.stream_late)} late`,
  stream_twice: () => "pages of stream records come twice",
  skew: (rule) => `the service's clock is off by ${lasting(rule.skew)}`,
};

/** A rule in words: "GetItem Orders: throttled (ThrottlingException), 2 times". */
export function ruleText(rule) {
  const calls = [
    rule.operation ? [rule.operation].flat().join(", ") : "Any call", rule.table, rule.index ? `index ${rule.index}` : null,
    rule.key ? `where ${keyWords(rule.key, "=")}` : null, rule.key_prefix ? `where ${keyWords(rule.key_prefix, "begins with")}` : null,
    rule.access_key ? `signed with ${rule.access_key}` : null, rule.from !== undefined ? `from ${momentText(rule.from)}` : null, rule.until !== undefined ? `until ${momentText(rule.until)}` : null,
  ];
  const often = [
    rule.times ? many(rule.times, "time") : rule.nth ? `at call ${count(rule.nth)}` : null, rule.times && rule.nth > 1 ? `from call ${count(rule.nth)} on` : null,
    rule.probability && rule.probability < 1 ? `with a chance of ${count(rule.probability * 100)} %` : null,
  ].filter(Boolean);
  const effects = Object.keys(EFFECTS).filter((name) => rule[name] !== undefined).map((name) => EFFECTS[name](rule));
  return `${calls.filter(Boolean).join(" ")}: ${[effects.join(" and "), ...(often.length ? often : ["every time"])].join(", ")}`;
}

const isOneOf = (wanted, name) => wanted === undefined || !name || [wanted].flat().includes(name);

/** Whether a rule of GET faults may still meet a request; what is not known of it is "". */
export const mayMeet = ({ rule, hits }, { operation, table, index }) => isOneOf(rule.operation, operation) && isOneOf(rule.table, table)
  && (rule.index === undefined || index === undefined || rule.index === index) && !(rule.times && hits >= rule.times);

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
