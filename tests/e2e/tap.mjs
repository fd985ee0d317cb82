// Cases of the scripts in this folder, as TAP. node_script in e2e.py copies this file beside them.

let count = 0;

/** A case; one that fails makes the script end with status 1. */
export async function test(name, body) {
  count += 1;
  try {
    await body();
    console.log(`ok ${count} - ${name}`);
  } catch (error) {
    console.log(`not ok ${count} - ${name}\n# ${String(error.stack).replaceAll('\n', '\n# ')}`);
    process.exitCode = 1;
  }
}
