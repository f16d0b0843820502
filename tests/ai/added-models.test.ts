import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localModels } from '../local-ai.fixture.ts';
import { AiProcess } from './ai-process.fixture.ts';
import { pcmOf, wavOf } from './human-speech.fixture.ts';

let ai: AiProcess;
let directory: string;
let installed: string;

beforeAll(async () => {
  installed = await localModels();
  directory = mkdtempSync(join(tmpdir(), 'weir-added-'));
  symlinkSync(join(installed, 'builtin'), join(directory, 'builtin'));
  ai = await AiProcess.start(directory);
});
afterAll(async () => {
  await ai.close();
  rmSync(directory, { recursive: true });
});

function add(folder: string, files: Record<string, Buffer | string>): void {
  mkdirSync(join(directory, folder));
  for (const [name, content] of Object.entries(files)) {
    if (typeof content === 'string') copyFileSync(join(installed, 'builtin', content), join(directory, folder, name));
    else writeFileSync(join(directory, folder, name), content);
  }
}

const list = async (): Promise<{ id: string; kind: string; problem?: string }[]> =>
  (await ai.sendRequest('GET', '/v1/models')).json.data;

it('lists a bad model with its reason, and recognises speech as before', async () => {
  const tokens = Buffer.from('<blank> 0\na 1\n');
  add('sherpa-onnx-sense-voice-garbage', { 'model.onnx': Buffer.alloc(5000, 0x5a), 'tokens.txt': tokens });
  // A real model of another kind: the native code ends the process that loads it.
  add('sherpa-onnx-paraformer-other', { 'model.onnx': 'pp-ocr/ch_PP-OCRv4_det_infer.onnx', 'tokens.txt': tokens });
  add('sherpa-onnx-streaming-zipformer-en', { 'encoder.onnx': Buffer.from('x'), 'tokens.txt': tokens });
  add('my-notes', { 'notes.txt': Buffer.from('no model') });
  const models = await list();
  const problemOf = (id: string) => models.find((model) => model.id === id)?.problem;
  expect(problemOf('sherpa-onnx-sense-voice-garbage')).toMatch(/could not be loaded: .*Protobuf parsing failed/);
  expect(problemOf('sherpa-onnx-paraformer-other')).toMatch(/could not be loaded: .*vocab_size/);
  expect(problemOf('sherpa-onnx-streaming-zipformer-en')).toMatch('streaming');
  expect(models.filter(({ problem }) => problem).map(({ kind }) => kind)).toEqual(['unusable', 'unusable', 'unusable']);
  expect(models.map(({ id }) => id)).not.toContain('my-notes');

  const wav = wavOf(pcmOf('ss-noservice'));
  for (const model of ['sherpa-onnx-sense-voice-garbage', 'sherpa-onnx-paraformer-other'])
    expect(await ai.transcribe(wav, { model })).toMatchObject({
      status: 404,
      json: { error: { code: 'model_not_found' } },
    });
  expect((await ai.transcribe(wav)).json.text).toMatch(/not in service/);
});

it('uses a good model for its language, and tries a folder again when its files change', async () => {
  add('sherpa-onnx-moonshine-mine', { 'x.onnx': Buffer.from('x') });
  expect((await list()).find(({ id }) => id === 'sherpa-onnx-moonshine-mine')?.problem).toMatch('tokens.txt');
  // The one real model that is at hand.
  const folder = join(directory, 'sherpa-onnx-moonshine-mine');
  rmSync(join(folder, 'x.onnx'));
  copyFileSync(
    join(installed, 'builtin/moonshine-tiny/decoder_model_merged.onnx'),
    join(folder, 'decoder_model_merged.onnx'),
  );
  copyFileSync(join(installed, 'builtin/moonshine-tiny/encoder_model.onnx'), join(folder, 'encoder_model.onnx'));
  copyFileSync(join(installed, 'builtin/moonshine-tiny/tokens.txt'), join(folder, 'tokens.txt'));
  expect(await list()).toContainEqual(
    expect.objectContaining({ id: 'sherpa-onnx-moonshine-mine', kind: 'speech-to-text' }),
  );
  const { json } = await ai.transcribe(wavOf(pcmOf('ss-noservice')), {
    model: 'sherpa-onnx-moonshine-mine',
    language: '',
  });
  expect(json.text).toMatch(/not in service/);
});
