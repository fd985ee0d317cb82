// Settings: of the table, each with what changes it; files in and out; a check of its data; the end of its items, or of it.

import { call, scan, verb } from "../lib/api.js";
import { costText, costsByTable } from "../lib/metrics.js";
import { ask, button, copy, field, fill, h, notice, problem } from "../lib/dom.js";
import { count, many } from "../lib/format.js";
import { again, go } from "../lib/route.js";
import { keyOf } from "../lib/schema.js";
import { brief } from "../lib/values.js";
import { changeAnything, changes } from "./table_change.js";
import { fromDescription } from "./table_create.js";
import { exportPanel, importPanel } from "./table_files.js";

const quietly = (promise) => promise.catch(() => null);

/** Settings that DescribeTable does not have. */
async function others(table) {
  const TableName = table.TableName;
  const [ttl, continuous, backups, tags, costs] = await Promise.all([
    quietly(call("DescribeTimeToLive", { TableName })),
    quietly(call("DescribeContinuousBackups", { TableName })),
    quietly(call("ListBackups", { TableName })),
    quietly(call("ListTagsOfResource", { ResourceArn: table.TableArn })),
    quietly(costsByTable()),
  ]);
  return {
    ttl: ttl?.TimeToLiveDescription, recovery: continuous?.ContinuousBackupsDescription.PointInTimeRecoveryDescription,
    backups: backups?.BackupSummaries ?? [], tags: tags?.Tags ?? [], cost: costs?.get(TableName),
  };
}

const SHOWN = new Set(["TableName", "TableStatus", "TableSizeBytes", "ItemCount", "TableArn", "TableId", "CreationDateTime", "LatestStreamLabel", "LatestStreamArn", "BillingMode", "TableThroughputMode"]);

/** The description's other members of one value: DeletionProtectionEnabled, and TableClass in TableClassSummary. */
function members(table) {
  return Object.entries(table)
    .map(([name, value]) => [name.replace(/Summary$/, ""), value])
    .map(([name, value]) => [name, value?.[name] ?? value])
    .filter(([name, value]) => !SHOWN.has(name) && typeof value !== "object")
    .map(([name, value]) => [name.replace(/Enabled$/, "").replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
      typeof value === "boolean" ? (value ? "on" : "off") : value]);
}

function settings(table, { ttl, recovery, backups, tags, cost }) {
  const stream = table.StreamSpecification;
  return [
    ["Cost so far", costText(cost)],
    ["Billing", table.BillingModeSummary?.BillingMode === "PAY_PER_REQUEST" ? "on demand"
      : `provisioned, ${table.ProvisionedThroughput.ReadCapacityUnits} read and ${table.ProvisionedThroughput.WriteCapacityUnits} write units`],
    ["Time to live", ttl?.AttributeName ? `${ttl.AttributeName}, ${ttl.TimeToLiveStatus.toLowerCase()}` : "off"],
    ["Stream", stream?.StreamEnabled ? stream.StreamViewType : "off"],
    ["Point-in-time recovery", recovery?.PointInTimeRecoveryStatus === "ENABLED" ? `on, ${recovery.RecoveryPeriodInDays} days` : "off"],
    ["Backups", backups.length ? backups.map((one) => one.BackupName).join(", ") : "none"],
    ["Tags", tags.length ? tags.map((one) => `${one.Key}=${one.Value}`).join(", ") : "none"],
    ...members(table),
    ["ARN", table.TableArn],
  ];
}

/** Asks the user to type the table's name, as a confirmation. */
function confirmByName(heading, text, name, run) {
  const typed = h("input", { autocomplete: "off", spellcheck: "false" }), wrong = h("div");
  return ask(heading, h("div", {}, h("p", {}, text), field(`Type ${name} to continue`, typed), wrong), [{
    text: heading, kind: "danger",
    disabled: (one) => {
      one.disabled = true;
      typed.addEventListener("input", () => { one.disabled = typed.value !== name; });
    },
    run: async () => {
      try {
        await run();
        return true;
      } catch (error) {
        fill(wrong, problem(error));
        return undefined;
      }
    },
  }]);
}

const BATCH = 25;

/** Deletes every item, page by page, and shows the progress. */
async function purge(table, progress) {
  const names = Object.fromEntries(table.KeySchema.map((part, i) => [`#k${i}`, part.AttributeName]));
  const request = { TableName: table.TableName, ProjectionExpression: Object.keys(names).join(", "), ExpressionAttributeNames: names };
  let done = 0;
  for await (const { Items: items } of scan(request)) {
    for (let i = 0; i < items.length; i += BATCH) {
      let left = { [table.TableName]: items.slice(i, i + BATCH).map((item) => ({ DeleteRequest: { Key: keyOf(table, item) } })) };
      while (Object.keys(left).length) left = (await call("BatchWriteItem", { RequestItems: left })).UnprocessedItems;
      done += Math.min(BATCH, items.length - i);
      progress(done);
    }
  }
  return done;
}

const keyOfFinding = (key) => Object.entries(key).map(([name, value]) => `${name} = ${typeof value === "string" ? value : brief(value, 80)}`).join(", ");

/** Looks on demand for data and indexes that are probably wrong. */
function health(name) {
  const out = h("div", { role: "status" });
  const check = async () => {
    try {
      const { findings, tables: [looked], requests } = await verb("GET", `check?table=${encodeURIComponent(name)}`);
      fill(out, findings.length ? h("ul", {}, findings.map(({ index, text, key }) => h("li", {}, index ? `${index}: ` : "", text, key ? `: ${keyOfFinding(key)}` : "")))
        : h("p", {}, "Nothing was found."),
      h("p", { class: "quiet" }, `Looked at ${count(looked.items_read)} of ${many(looked.items, "item")}, and ${many(requests, "request")} of the journal.`));
    } catch (error) {
      fill(out, problem(error));
    }
  };
  return [h("h2", {}, "Data health"), h("div", { class: "row" }, button("Check the data", check)), out];
}

/** A setting, and the button that changes it. */
function settingView([term, text], change) {
  return [h("dt", {}, term), h("dd", { "data-setting": term }, h("span", {}, text), change ? [" ", button(change.text ?? "Edit", change.run, { class: "link", "aria-label": `${change.text ?? "Edit"}: ${term}` })] : null)];
}

export async function show(view, { table, recount }) {
  const name = table.TableName, progress = h("p", { class: "quiet", role: "status" }), facts = h("dl", { class: "facts pairs" });
  const out = exportPanel(table), into = importPanel({ table: name, refresh: recount });
  fill(view,
    h("div", { class: "panel" }, facts, h("div", { class: "row" },
      button("UpdateTable …", () => changeAnything(table).then((done) => done && again())),
      button("Copy CreateTable", () => copy(JSON.stringify(fromDescription(table), null, 2))))),
    h("div", { class: "two" }, into.element, out.element),
    health(name),
    h("h2", {}, "Delete"), progress,
    h("div", { class: "row" },
      button("Delete all items", () => confirmByName("Delete all items", `All ${many(table.ItemCount, "item")} of ${name} go; the table stays.`, name, async () => {
        const done = await purge(table, (so) => { progress.textContent = `${many(so, "item")} deleted`; });
        notice(`${many(done, "item")} deleted`);
      }).then((done) => done && again()), { class: "danger" }),
      button("Delete table", () => confirmByName("Delete table", `The table ${name} goes with ${many(table.ItemCount, "item")}.`, name, async () => {
        await call("DeleteTable", { TableName: name });
        notice("The table is deleted");
      }).then((done) => done && go("tables")), { class: "danger" })));
  const more = await others(table), by = changes(table, more, again);
  fill(facts, settings(table, more).map((one) => settingView(one, Object.hasOwn(by, one[0]) ? by[one[0]] : null)));
  return () => { into.stop(); out.stop(); };
}
