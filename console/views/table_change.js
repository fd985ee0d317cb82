// What of a table can be changed where it stands: one form each, and UpdateTable's JSON for the rest.

import { call } from "../lib/api.js";
import { ask, button, field, fill, h, notice, problem, select } from "../lib/dom.js";

const input = (value, more) => h("input", { value: value ?? "", autocomplete: "off", spellcheck: "false", ...more });

/** A dialog whose `send` sends what the fields say; true when the service took it. */
function form(heading, fields, send) {
  const wrong = h("div");
  return ask(heading, h("div", {}, fields, wrong), [{
    text: "Change",
    run: async () => {
      try {
        await send();
        notice("Changed");
        return true;
      } catch (error) {
        fill(wrong, problem(error));
        return undefined;
      }
    },
  }]);
}

function timeToLive(table, now) {
  const on = now?.TimeToLiveStatus === "ENABLED";
  const attribute = input(now?.AttributeName), state = select([["on", "on"], ["off", "off"]], on ? "on" : "off");
  return form("Time to live", [field("Attribute with the time, in seconds", attribute), field("State", state)], () => call("UpdateTimeToLive", {
    TableName: table.TableName, TimeToLiveSpecification: { AttributeName: attribute.value.trim(), Enabled: state.value === "on" },
  }));
}

function stream(table) {
  const now = table.StreamSpecification?.StreamEnabled ? table.StreamSpecification.StreamViewType : "";
  const view = select([["", "off"], "KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"], now);
  return form("Stream", field("What records show", view, now ? "another view needs the stream off first" : null), () => call("UpdateTable", {
    TableName: table.TableName, StreamSpecification: view.value ? { StreamEnabled: true, StreamViewType: view.value } : { StreamEnabled: false },
  }));
}

function billing(table) {
  const onDemand = table.BillingModeSummary?.BillingMode === "PAY_PER_REQUEST", units = table.ProvisionedThroughput ?? {};
  const mode = select([["PAY_PER_REQUEST", "on demand"], ["PROVISIONED", "provisioned"]], onDemand ? "PAY_PER_REQUEST" : "PROVISIONED");
  const read = input(units.ReadCapacityUnits || 5, { inputmode: "numeric" }), write = input(units.WriteCapacityUnits || 5, { inputmode: "numeric" });
  return form("Billing", [field("Mode", mode), field("Read units a second", read, "where provisioned"), field("Write units a second", write, "where provisioned")], () => {
    const ProvisionedThroughput = { ReadCapacityUnits: Number(read.value), WriteCapacityUnits: Number(write.value) };
    const provisioned = mode.value === "PROVISIONED";
    return call("UpdateTable", {
      TableName: table.TableName, BillingMode: mode.value, ...(provisioned ? { ProvisionedThroughput } : {}),
      ...(provisioned && onDemand && table.GlobalSecondaryIndexes ? {
        GlobalSecondaryIndexUpdates: table.GlobalSecondaryIndexes.map(({ IndexName }) => ({ Update: { IndexName, ProvisionedThroughput } })),
      } : {}),
    });
  });
}

function recovery(table, now) {
  const on = now?.PointInTimeRecoveryStatus === "ENABLED";
  const state = select([["on", "on"], ["off", "off"]], on ? "on" : "off"), days = input(now?.RecoveryPeriodInDays ?? 35, { inputmode: "numeric" });
  return form("Point-in-time recovery", [field("State", state), field("Days", days, "1 to 35")], () => call("UpdateContinuousBackups", {
    TableName: table.TableName,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: state.value === "on", ...(state.value === "on" ? { RecoveryPeriodInDays: Number(days.value) } : {}) },
  }));
}

function backup(table) {
  const name = input(`${table.TableName.slice(0, 200)}-backup`);
  return form("Back it up", field("Name of the backup", name), () => call("CreateBackup", { TableName: table.TableName, BackupName: name.value.trim() }));
}

function tag(table) {
  const key = input(""), value = input("");
  return form("Tag it", [field("Key", key), field("Value", value, "empty: an empty value")], () => call("TagResource", {
    ResourceArn: table.TableArn, Tags: [{ Key: key.value, Value: value.value }],
  }));
}

function protection(table) {
  return call("UpdateTable", { TableName: table.TableName, DeletionProtectionEnabled: !table.DeletionProtectionEnabled })
    .then(() => { notice("Changed"); return true; }, (error) => { notice(error.message, "wrong"); return false; });
}

function anything(table) {
  const json = h("textarea", { rows: 12, spellcheck: "false", "aria-label": "UpdateTable request", value: JSON.stringify({ TableName: table.TableName, GlobalSecondaryIndexUpdates: [] }, null, 2) });
  return form("UpdateTable", json, () => call("UpdateTable", JSON.parse(json.value)));
}

/** Buttons for it all; `again` is called when something was changed. */
export function changeButtons(table, { ttl, recovery: continuous }, again) {
  const then = (work) => () => work().then((done) => done && again());
  return h("div", { class: "row", role: "group", "aria-label": "Change the table" },
    button("Billing", then(() => billing(table))), button("Time to live", then(() => timeToLive(table, ttl))), button("Stream", then(() => stream(table))),
    button("Point-in-time recovery", then(() => recovery(table, continuous))), button("Back up", then(() => backup(table))), button("Tag", then(() => tag(table))),
    button(table.DeletionProtectionEnabled ? "Allow deletion" : "Protect from deletion", then(() => protection(table))), button("UpdateTable …", then(() => anything(table))));
}
