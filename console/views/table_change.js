// Changes of a table: a form for each common setting, and UpdateTable's JSON for the rest.

import { call } from "../lib/api.js";
import { ask, field, fill, h, notice, problem, select, showFaults } from "../lib/dom.js";

const input = (value, more) => h("input", { value: value ?? "", autocomplete: "off", spellcheck: "false", ...more });

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
        fill(wrong, error.faults ? null : problem(error));
        showFaults(content, error.faults ?? []);
        return undefined;
      }
    },
  })));
}

/** The whole number in a field; marks the field if it has none. */
function numberIn(control) {
  const text = control.value.trim();
  if (!/^[1-9]\d*$/.test(text)) throw Object.assign(new Error("a whole number from 1"), { faults: [{ at: control.dataset.field, message: "a whole number from 1" }] });
  return Number(text);
}

const numeric = (value, name) => input(value, { inputmode: "numeric", "data-field": name });

/** Asks for the time to live; `now` is its description. True if it was changed. */
export function timeToLive(table, now) {
  const on = now?.TimeToLiveStatus === "ENABLED", attribute = input(now?.AttributeName ?? "expires_at", { readOnly: on });
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
  const onDemand = table.BillingModeSummary?.BillingMode === "PAY_PER_REQUEST", units = table.ProvisionedThroughput ?? {};
  const read = numeric(units.ReadCapacityUnits || 5, "read"), write = numeric(units.WriteCapacityUnits || 5, "write");
  const capacity = h("div", { hidden: onDemand }, field("Read units a second", read), field("Write units a second", write));
  const mode = select([["PAY_PER_REQUEST", "on demand"], ["PROVISIONED", "provisioned"]], onDemand ? "PAY_PER_REQUEST" : "PROVISIONED", (chosen) => { capacity.hidden = chosen !== "PROVISIONED"; });
  return form("Billing", [field("Mode", mode), capacity], ["Change", async () => {
    const provisioned = mode.value === "PROVISIONED";
    const ProvisionedThroughput = provisioned ? { ReadCapacityUnits: numberIn(read), WriteCapacityUnits: numberIn(write) } : null;
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
  const name = input(`${table.TableName.slice(0, 200)}-backup`);
  return form("Back it up", field("Name of the backup", name), ["Back it up", () => call("CreateBackup", { TableName: table.TableName, BackupName: name.value.trim() })]);
}

function tag(table) {
  const key = input(""), value = input("");
  return form("Tag it", [field("Key", key), field("Value", value, "empty: an empty value")], ["Tag it", () => call("TagResource", {
    ResourceArn: table.TableArn, Tags: [{ Key: key.value, Value: value.value }],
  })]);
}

function protection(table) {
  return call("UpdateTable", { TableName: table.TableName, DeletionProtectionEnabled: !table.DeletionProtectionEnabled })
    .then(() => { notice("Changed"); return true; }, (error) => { notice(error.message, "wrong"); return false; });
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
