// Loaded into every Node process of the product under test: once a minute collects all garbage and writes down what is left.
const { renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const everyMs = 60_000;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

function write() {
  collect();
  const file = join(process.env.WEIR_SOAK_DIR, `${process.pid}.json`);
  writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
  renameSync(`${file}.new`, file);
}

setInterval(write, everyMs).unref();
