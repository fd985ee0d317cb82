// Changes of a table: a form for each common setting, and UpdateTable's JSON for the rest.

import { call } from "../lib/api.js";
import { ask, field, h, notice, select } from "../lib/dom.js";
import { mustBeRight, numeric, showRefusal, textInput, throughputFields } from "../lib/index_fields.js";

/** A dialog with a button for each of `ways`, [text, send, kind]; true if the service accepted one of them. */
function form(heading, fields, ...ways) {
  const wrong = h("div"), content = h("div", {}, fields, wrong);
  return ask(heading, content, ways.map(([text, send, kind]) => ({
    text, kind,
    run: async () => {
      try {
        await send();
        notice("Changed");
        return true;
      } catch (error) {
        showRefusal(content, wrong, error);
        return undefined;
      }
    },
  })));
}

/** The whole number in a field; marks the field if it has none. */
function numberIn(control) {
  const text = control.value.trim();
  mustBeRight(/^[1-9]\d*$/.test(text) ? [] : [{ at: control.dataset.field, message: "a whole number from 1" }]);
  return Number(text);
}

/** Asks for the time to live; `now` is its description. True if it was changed. */
export function timeToLive(table, now) {
  const on = now?.TimeToLiveStatus === "ENABLED", attribute = textInput(now?.AttributeName ?? "expires_at", { readOnly: on, "data-field": "ttl" });
  const set = (Enabled) => () => call("UpdateTimeToLive", { TableName: table.TableName, TimeToLiveSpecification: { AttributeName: attribute.value.trim(), Enabled } });
  return form("Time to live", field("Attribute with the time, in seconds", attribute, on ? "another attribute needs it off first" : null),
    on ? ["Switch off", set(false), "danger"] : ["Switch on", set(true)]);
}

function stream(table) {
  const now = table.StreamSpecification?.StreamEnabled ? table.StreamSpecification.StreamViewType : null;
  const view = select(["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"], now ?? "NEW_AND_OLD_IMAGES", null, { disabled: now !== null });
  const set = (StreamSpecification) => call("UpdateTable", { TableName: table.TableName, StreamSpecification });
  return form("Stream", field("What records show", view, now ? "another view needs the stream off first" : null),
    now ? ["Switch off", () => set({ StreamEnabled: false }), "danger"] : ["Switch on", () => set({ StreamEnabled: true, StreamViewType: view.value })]);
}

function billing(table) {
  const onDemand = table.BillingModeSummary?.BillingMode === "PAY_PER_REQUEST", now = table.ProvisionedThroughput ?? {};
  const units = throughputFields(now.ReadCapacityUnits || 5, now.WriteCapacityUnits || 5);
  const mode = select([["PAY_PER_REQUEST", "on demand"], ["PROVISIONED", "provisioned"]], onDemand ? "PAY_PER_REQUEST" : "PROVISIONED", (chosen) => units.show(chosen === "PROVISIONED"));
  units.show(!onDemand);
  return form("Billing", [field("Mode", mode), units.element], ["Change", async () => {
    const provisioned = mode.value === "PROVISIONED", faults = [], ProvisionedThroughput = provisioned ? units.read("", faults) : null;
    mustBeRight(faults);
    return call("UpdateTable", {
      TableName: table.TableName, BillingMode: mode.value, ...(provisioned ? { ProvisionedThroughput } : {}),
      ...(provisioned && onDemand && table.GlobalSecondaryIndexes ? {
        GlobalSecondaryIndexUpdates: table.GlobalSecondaryIndexes.map(({ IndexName }) => ({ Update: { IndexName, ProvisionedThroughput } })),
      } : {}),
    });
  }]);
}

function recovery(table, now) {
  const on = now?.PointInTimeRecoveryStatus === "ENABLED";
  const days = numeric(now?.RecoveryPeriodInDays ?? 35, "days");
  const set = (PointInTimeRecoverySpecification) => call("UpdateContinuousBackups", { TableName: table.TableName, PointInTimeRecoverySpecification });
  const keep = async () => set({ PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: numberIn(days) });
  return form("Point-in-time recovery", field("Days", days, "1 to 35"),
    ...(on ? [["Switch off", () => set({ PointInTimeRecoveryEnabled: false }), "danger"], ["Change", keep]] : [["Switch on", keep]]));
}

function backup(table) {
  const name = textInput(`${table.TableName.slice(0, 200)}-backup`);
  return form("Back it up", field("Name of the backup", name), ["Back it up", () => call("CreateBackup", { TableName: table.TableName, BackupName: name.value.trim() })]);
}

function tag(table) {
  const key = textInput(), value = textInput();
  return form("Tag it", [field("Key", key), field("Value", value, "empty: an empty value")], ["Tag it", () => call("TagResource", {
    ResourceArn: table.TableArn, Tags: [{ Key: key.value, Value: value.value }],
  })]);
}

function protection(table) {
  return call("UpdateTable", { TableName: table.TableName, DeletionProtectionEnabled: !table.DeletionProtectionEnabled })
    .then(() => { notice("Changed"); return true; }, (error) => { notice(error.message, "wrong"); return false; });
}

/** Asks for the units of a global index, or on demand for the most that it may take. True if they were changed. */
export function indexThroughput(table, { IndexName, ProvisionedThroughput: now, OnDemandThroughput: most = {} }) {
  const change = (Update) => call("UpdateTable", { TableName: table.TableName, GlobalSecondaryIndexUpdates: [{ Update: { IndexName, ...Update } }] });
  if (table.BillingModeSummary?.BillingMode !== "PAY_PER_REQUEST") {
    const units = throughputFields(now.ReadCapacityUnits, now.WriteCapacityUnits);
    units.show(true);
    return form(`Units of ${IndexName}`, units.element, ["Change", async () => {
      const faults = [], ProvisionedThroughput = units.read("", faults);
      mustBeRight(faults);
      return change({ ProvisionedThroughput });
    }]);
  }
  const shown = (number) => (number > 0 ? number : ""), read = numeric(shown(most.MaxReadRequestUnits), "read"), write = numeric(shown(most.MaxWriteRequestUnits), "write");
  const limit = (control) => (control.value.trim() ? numberIn(control) : -1); // -1: none
  return form(`Most units of ${IndexName}`, [field("Read units a second", read, "empty: no limit of its own"), field("Write units a second", write, "empty: no limit of its own")],
    ["Change", async () => change({ OnDemandThroughput: { MaxReadRequestUnits: limit(read), MaxWriteRequestUnits: limit(write) } })]);
}

/** Asks for UpdateTable's JSON, for what has no form; true if the table was changed. */
export function changeAnything(table) {
  const json = h("textarea", { rows: 12, spellcheck: "false", "aria-label": "UpdateTable request", value: JSON.stringify({ GlobalSecondaryIndexUpdates: [] }, null, 2) });
  const change = async () => {
    const given = JSON.parse(json.value), { TableName } = table;
    if (given.TableName && ![TableName, table.TableArn].includes(given.TableName)) throw new Error(`this changes ${TableName}, not ${given.TableName}`);
    return call("UpdateTable", { TableName, ...given });
  };
  return form(`UpdateTable ${table.TableName}`, json, ["Change", change]);
}

/** Setting → {run(): changes it, text: of its button, if not Edit}; `again` is called after a change. */
export function changes(table, { ttl, recovery: continuous }, again) {
  const then = (work, text) => ({ text, run: () => work().then((done) => done && again()) });
  return {
    Billing: then(() => billing(table)), "Time to live": then(() => timeToLive(table, ttl)), Stream: then(() => stream(table)),
    "Point-in-time recovery": then(() => recovery(table, continuous)), Backups: then(() => backup(table), "Back up"), Tags: then(() => tag(table), "Add"),
    "Deletion protection": then(() => protection(table), table.DeletionProtectionEnabled ? "Switch off" : "Switch on"),
  };
}
