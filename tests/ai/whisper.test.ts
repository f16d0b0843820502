import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localModelsWith } from '../local-ai.fixture.ts';
import { AiProcess } from './ai-process.fixture.ts';
import { pcmOf, spanish, textOf, wavOf, wordErrors } from './human-speech.fixture.ts';

let ai: AiProcess;
beforeAll(async () => {
  ai = await AiProcess.start(await localModelsWith('whisper-base'));
});
afterAll(() => ai.close());

const prompts = ['ss-noservice', 'queue-periodic-announce', 'privacy-incorrect', 'demo-nogo'] as const;
/** The model for automatic language, as the control plane asks for it. */
const automatic = { model: 'whisper-base', language: '' };

describe('Whisper in built-in AI', () => {
  it('is offered with its languages beside the model for English', async () => {
    const { json } = await ai.sendRequest('GET', '/v1/models');
    const speech = json.data.filter(({ kind }: { kind: string }) => kind === 'speech-to-text');
    expect(speech.map(({ id }: { id: string }) => id)).toEqual(['moonshine-tiny', 'whisper-base']);
    expect(speech[1].languages).toEqual(expect.arrayContaining(['zh', 'es', 'ja', 'en']));
  });

  it('recognises recorded Spanish and its language with at most 15 % wrong words', async () => {
    let [errors, words] = [0, 0];
    for (const prompt of prompts) {
      const { status, json } = await ai.transcribe(wavOf(spanish.pcmOf(prompt)), automatic);
      expect([status, json.language]).toEqual([200, 'es']);
      const found = wordErrors(spanish.textOf(prompt), json.text);
      errors += found.errors;
      words += found.words;
    }
    expect(words).toBeGreaterThan(50);
    expect(errors / words).toBeLessThan(0.15);
  });

  it('recognises audio of more than ten seconds in pieces that are cut at pauses', async () => {
    const { json } = await ai.transcribe(wavOf(spanish.pcmOf('demo-echotest')), automatic);
    expect(json.duration).toBeGreaterThan(10);
    expect([json.language, json.segments.length > 1]).toEqual(['es', true]);
    const { errors, words } = wordErrors(spanish.textOf('demo-echotest'), json.text);
    expect(errors / words).toBeLessThan(0.4);
  });

  it('leaves English to the model that understands it with less work', async () => {
    const { json } = await ai.transcribe(wavOf(pcmOf('tt-allbusy')), automatic);
    expect(json.language).toBe('en');
    const { errors, words } = wordErrors(textOf('tt-allbusy'), json.text);
    expect(errors / words).toBeLessThan(0.1);
  });

  it('invents no text for noise and for silence', async () => {
    const noise = Buffer.alloc(5 * 32_000);
    for (let at = 0; at < noise.length; at += 2) noise.writeInt16LE(Math.round(3000 * Math.sin(at * at)), at);
    for (const pcm of [noise, Buffer.alloc(3 * 32_000)]) {
      const { json } = await ai.transcribe(wavOf(pcm), { model: 'whisper-base', language: 'zh' });
      expect(json.text).toBe('');
    }
  });
});
