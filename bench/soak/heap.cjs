// Loaded into every Node process of the product under test: once a minute collects all garbage and writes down what is left.
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const everyMs = 60_000;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** Bytes of the C library's heap, from which native code has its memory. V8 maps its own elsewhere. */
function readNative() {
  const smaps = readFileSync('/proc/self/smaps', 'latin1');
  const [, kilobytes = '0'] = /\[heap\]\n(?:.*\n)*?Rss:\s+(\d+) kB/.exec(smaps) ?? [];
  return Number(kilobytes) * 1024;
}

function write() {
  collect();
  const file = join(process.env.WEIR_SOAK_DIR, `${process.pid}.json`);
  writeFileSync(`${file}.new`, JSON.stringify({ ...process.memoryUsage(), native: readNative() }));
  renameSync(`${file}.new`, file);
}

setInterval(write, everyMs).unref();
