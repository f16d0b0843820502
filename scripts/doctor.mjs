// npm run doctor: checks this server and prints what to repair, whether the server runs or not. Options: --name HOST, --only CHECK,CHECK, --json.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import english from '../apps/web/src/locales/en/settings/doctor.json' with { type: 'json' };
import chinese from '../apps/web/src/locales/zh/settings/doctor.json' with { type: 'json' };
import { isNodeNewEnough, root, setUp } from './setup.mjs';

const marks = { ok: '✓', warn: '!', bad: '✗', skipped: '–' };
const colours = { ok: 32, warn: 33, bad: 31, skipped: 90 };

function printed(text, verdict) {
  return process.stdout.isTTY ? `\u001b[${colours[verdict]}m${text}\u001b[0m` : text;
}

/** The console's own sentences. */
function sentence(words, { reason, facts }) {
  const [check, result] = reason.split('.');
  return words[check][result].replaceAll(/\{\{(\w+)\}\}/g, (_, name) => facts[name] ?? '');
}

function show(words, finding) {
  const { check, verdict, command } = finding;
  console.log(`${printed(marks[verdict], verdict)} ${words[check].title}: ${sentence(words, finding)}`);
  if (command !== '' && verdict !== 'ok') console.log(`    ${command}`);
}

async function main() {
  const { parseConfig } = await import('../packages/plane/src/config.ts');
  const { createLog } = await import('../packages/plane/src/log/log.ts');
  const { prepareDataDirectory } = await import('../apps/weir/src/data-directory.ts');
  const { systemClock } = await import('../apps/server/src/core/clock.ts');
  const { createMediaServer } = await import('../apps/server/src/media-server/create-media-server.ts');
  const { Doctor } = await import('../apps/server/src/features/doctor/doctor.ts');
  const { EncoderTests } = await import('../apps/server/src/features/ladder/encoder-tests.ts');
  const { ffmpegProgram, ProgramProbe } = await import('../apps/server/src/features/system/tools.ts');
  const text = { type: 'string', default: '' };
  const options = { name: text, only: text, json: { type: 'boolean', default: false } };
  const { name, only, json } = parseArgs({ options }).values;
  const config = parseConfig(process.env, { cwd: root, version: '' });
  if (!existsSync(config.dataDir))
    throw new Error(`There is no data directory ${config.dataDir}. Start Weir once, or set WEIR_DATA.`);
  const log = createLog('doctor', 'error');
  log.level = 'silent';
  const doctor = new Doctor({
    config,
    clock: systemClock,
    mediaServer: createMediaServer({ config, sockets: prepareDataDirectory(config) }, systemClock),
    encoders: new EncoderTests(),
    ffmpeg: new ProgramProbe(ffmpegProgram, systemClock),
    enginePid: () => 0,
    log,
    ...(only !== '' && { only: only.split(',') }),
    hide: (text) => text,
  });
  doctor.start({ name, pageHost: '', browserMs: undefined, browserZone: '' });
  await doctor.finished();
  const { findings } = doctor.report;
  if (json) console.log(JSON.stringify(findings, null, 2));
  else {
    const words = /^zh/i.test(process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '')
      ? chinese
      : english;
    for (const finding of findings) show(words, finding);
  }
  process.exit(findings.some(({ verdict }) => verdict === 'bad') ? 1 : 0);
}

setUp('start');
if (isNodeNewEnough()) {
  await main().catch((error) => {
    console.error(error.message);
    process.exit(2);
  });
}
