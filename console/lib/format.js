// Figures for people.

const COUNT = new Intl.NumberFormat("en");

export const count = (number) => COUNT.format(number);

/** "1 item", "3 items", "2 entries". */
export const many = (number, word) => `${count(number)} ${number === 1 ? word : /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`}`;

export function size(bytes) {
  const units = ["B", "KB", "MB", "GB"];
  let at = 0;
  while (bytes >= 1024 && at < units.length - 1) { bytes /= 1024; at++; }
  return `${at && bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)} ${units[at]}`;
}

/** "0.34 %", "12 %", "1,143 %" of a share of 1. */
export const percent = (share) => `${share < 0.1 ? Number((100 * share).toPrecision(2)) : count(Math.round(100 * share))} %`;

export const units = (number) => `${COUNT.format(number)} unit${number === 1 ? "" : "s"}`;

export const ms = (number) => (number < 10 ? `${number.toFixed(1)} ms` : `${Math.round(number)} ms`);

// US East (N. Virginia), on demand: dollars for a million request units.
const READ = 0.125, WRITE = 0.625;

const MONEY = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The on-demand price of units on the real service. */
export function dollars(read, write) {
  const amount = (read * READ + write * WRITE) / 1e6;
  return amount === 0 ? "$0" : amount < 0.01 ? "less than 1 cent" : `$${MONEY.format(amount)}`;
}

/** The price of a million requests with these units. */
export const dollarsAMillion = (read, write) => `$${MONEY.format(read * READ + write * WRITE)} a million times`;

export function moment(seconds) {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
