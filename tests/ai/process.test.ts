import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { localModels } from '../local-ai.fixture.ts';
import { isAlive, until } from '../weir.fixture.ts';
import { AiProcess, builtAi } from './ai-process.fixture.ts';
import { pcmOf, wavOf } from './human-speech.fixture.ts';

let running: AiProcess[] = [];
afterEach(async () => {
  await Promise.all(running.map((ai) => ai.close()));
  running = [];
});

async function start(modelsDir?: string, entry?: string): Promise<AiProcess> {
  const ai = await AiProcess.start(modelsDir ?? (await localModels()), entry);
  running.push(ai);
  return ai;
}

it('lists its capabilities, and none where nothing is installed', async () => {
  const { json } = await (await start()).sendRequest('GET', '/v1/models');
  expect(json.object).toBe('list');
  expect(json.data).toContainEqual(
    expect.objectContaining({ object: 'model', id: 'moonshine-tiny', kind: 'speech-to-text', languages: ['en'] }),
  );
  const empty = await start('/nonexistent');
  const kinds = (await empty.sendRequest('GET', '/v1/models')).json.data.map(({ kind }: { kind: string }) => kind);
  expect(kinds).not.toContain('speech-to-text');
  expect(await empty.transcribe(wavOf(Buffer.alloc(32_000)))).toMatchObject({ status: 404 });
  expect(await empty.sendRequest('POST', '/v1/audio/voice-activity', Buffer.alloc(64_000))).toMatchObject({
    status: 500,
  });
});

it('does not start with a file that was changed after the installation, and names it', async () => {
  const models = await localModels();
  const directory = mkdtempSync(join(tmpdir(), 'weir-models-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const name of readdirSync(models, { recursive: true, encoding: 'utf8' })) {
    const [from, to] = [join(models, name), join(directory, name)];
    if (statSync(from).isDirectory()) mkdirSync(to, { recursive: true });
    else symlinkSync(from, to);
  }
  const changed = join(directory, 'builtin/silero-vad/silero_vad_v6.onnx');
  const content = readFileSync(changed);
  content[1000] = (content[1000] ?? 0) ^ 1;
  rmSync(changed);
  writeFileSync(changed, content);
  await expect(start(directory)).rejects.toThrow(
    'builtin/silero-vad/silero_vad_v6.onnx is not what was installed. Remove built-in AI and install it again.',
  );
});

it('answers invalid requests with an error, and continues', async () => {
  const ai = await start();
  const form = { 'content-type': 'multipart/form-data; boundary=x' };
  const nonsense: [string, string, string | Buffer, Record<string, string>?][] = [
    ['GET', '/'],
    ['GET', '//'],
    ['DELETE', '/v1/models'],
    ['POST', '/v1/models/../../etc/passwd', 'x'],
    ['POST', '/v1/audio/transcriptions', ''],
    ['POST', '/v1/audio/transcriptions', Buffer.alloc(100_000, 0xff), form],
    ['POST', '/v1/audio/transcriptions', '--x\r\n\r\n--x--', form],
    [
      'POST',
      '/v1/audio/transcriptions',
      '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nRIFF\r\n--x--\r\n',
      form,
    ],
    ['POST', '/v1/audio/transcriptions', Buffer.alloc(27 * 1024 * 1024), form],
  ].map(([method = '', path = '', body = '', headers]) => [method, path, body, headers] as never);
  for (const [method, path, body, headers] of nonsense) {
    const answer = await ai
      .sendRequest(method, path, body, headers)
      .catch((error) => ({ status: 400, json: { error } }));
    expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true]);
    expect(answer.json.error).toBeTruthy();
  }
  expect(await ai.sendRequest('POST', '/v1/audio/voice-activity', Buffer.alloc(99_999, 0x7f))).toMatchObject({
    status: 200,
  });
  expect((await ai.transcribe(wavOf(pcmOf('ss-noservice')))).json.text).toMatch(/not in service/);
});

it('processes a bounded number of streams at once, and closes those whose senders are gone', async () => {
  const ai = await start();
  const open = Array.from({ length: 16 }, () => ai.listen());
  await Promise.all(open.map(({ answered }) => answered));
  expect(await ai.sendRequest('POST', '/v1/audio/voice-activity', Buffer.alloc(64_000))).toMatchObject({ status: 429 });
  for (const { leave } of open) leave();
  await until(
    async () => (await ai.sendRequest('POST', '/v1/audio/voice-activity', Buffer.alloc(64_000))).status === 200,
    'there is room again',
  );
});

it('continues when a caller does not wait for the answer', async () => {
  const ai = await start();
  const wav = wavOf(pcmOf('demo-congrats'));
  const left = Array.from({ length: 6 }, () => ai.transcribe(wav, {}, AbortSignal.timeout(100)).catch(() => 'left'));
  expect(await Promise.all(left)).toEqual(Array(6).fill('left'));
  expect((await ai.transcribe(wavOf(pcmOf('ss-noservice')))).json.text).toMatch(/not in service/);
  expect(ai.output).not.toContain('request failed');
});

it('runs as one file, as npm start has it', async () => {
  const ai = await start(undefined, builtAi);
  expect((await ai.transcribe(wavOf(pcmOf('ss-noservice')))).json.text).toMatch(/not in service/);
});

it('ends with its input, by a signal, and with its parent', async () => {
  const ai = await start();
  expect(await ai.child.stop()).toMatchObject({ code: 0 });
  const other = await start();
  process.kill(other.child.pid ?? 0, 'SIGTERM');
  expect(await other.child.ended).toMatchObject({ code: 0 });

  const program = `
    import { AiProcess } from ${JSON.stringify(join(import.meta.dirname, 'ai-process.fixture.ts'))};
    const ai = await AiProcess.start('/nonexistent');
    console.log(ai.child.pid);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  parent.stdout.on('data', (chunk) => (said += chunk));
  await until(() => /^\d+\n/.test(said), 'the process runs');
  parent.kill('SIGKILL');
  await until(() => !isAlive(Number(said)), 'it has ended too');
});
