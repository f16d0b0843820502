import { type IncomingMessage, request as requestHttp } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import * as z from 'zod';
import { receiveResponse } from '../../core/outgoing/request/receive-response.ts';
import { AiError } from '../ai.ts';
import type { OpenAiWire } from '../wire/openai-wire.ts';
import type { LocalAiSupervisor } from './local-ai-supervisor.ts';
import type { LocalModel } from './local-models.ts';

/** Limit of unsent audio, half a minute. The writer drops audio above it. */
const mostQueued = 1024 * 1024;
const longestLine = 4096;

const Sample = z.int().nonnegative();
/** Positions are samples since the beginning. */
const VoiceLine = z.union([z.object({ speech: Sample }), z.object({ utterance: z.tuple([Sample, Sample]) })]);
type VoiceLine = z.output<typeof VoiceLine>;

/** Voice activity detection on one signal, for as long as it lasts. */
interface VoiceActivityCall {
  /** 16 kHz, mono, s16. False: it is behind and did not take it. */
  write(pcm: Buffer): boolean;
  /** Ends the input; results for it still arrive. */
  end(): void;
  /** Results as they become known. Ends after `end`; fails with `AiError` when the process dies. */
  readonly lines: AsyncIterable<VoiceLine>;
}

/** Begins to listen. Aborting the signal ends it at once. */
async function listenForVoices(keeper: LocalAiSupervisor, signal: AbortSignal): Promise<VoiceActivityCall> {
  const lease = await keeper.lease(signal);
  const outgoing = requestHttp({
    socketPath: lease.socket,
    method: 'POST',
    path: '/v1/audio/voice-activity',
    agent: false,
    signal,
    headers: { host: 'built-in', 'content-type': 'application/octet-stream', 'transfer-encoding': 'chunked' },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    receiveResponse(outgoing, { take: resolve, fail: reject });
  });
  // Readers see the rejection; there may be none.
  answered.catch(() => undefined);
  outgoing.on('close', () => lease.end());
  outgoing.flushHeaders();
  async function* lines(): AsyncGenerator<VoiceLine, void> {
    try {
      const answer = await answered;
      if (answer.statusCode !== 200) throw new Error('refused');
      yield* voiceLines(answer);
    } catch {
      if (signal.aborted) throw new AiError('stopped', 'the request was stopped');
      throw new AiError('local-failed', 'built-in AI ended during the request');
    } finally {
      outgoing.destroy();
      lease.end();
    }
  }
  return {
    write(pcm) {
      if (outgoing.destroyed || outgoing.writableLength > mostQueued) return false;
      outgoing.write(pcm);
      return true;
    },
    end: () => void outgoing.end(),
    lines: lines(),
  };
}

async function* voiceLines(answer: AsyncIterable<Buffer>): AsyncGenerator<VoiceLine, void> {
  const decoder = new StringDecoder('utf8');
  let open = '';
  for await (const chunk of answer) {
    const lines = (open + decoder.write(chunk)).split('\n');
    open = lines.pop() ?? '';
    if (open.length > longestLine) throw new Error('the line is too long');
    for (const line of lines) if (line.trim() !== '') yield VoiceLine.parse(JSON.parse(line));
  }
}

interface Context {
  readonly keeper: LocalAiSupervisor;
  readonly wire: OpenAiWire;
  readonly modelsDir: string;
  readonly isInstalled: () => Promise<boolean>;
}

/** Asking a process for its list may start it, which takes a while. */
const listWithinMs = 40_000;

/** Built-in AI: whether it is installed, and which models it offers. */
export class LocalAi {
  readonly keeper: LocalAiSupervisor;
  readonly wire: OpenAiWire;
  /** Folder of the models, to which the owner can add some. */
  readonly modelsDir: string;
  readonly isInstalled: () => Promise<boolean>;
  #last: readonly LocalModel[] = [];
  #known: { readonly starts: number; readonly models: Promise<readonly LocalModel[]> } | undefined;

  constructor({ keeper, wire, modelsDir, isInstalled }: Context) {
    this.keeper = keeper;
    this.wire = wire;
    this.modelsDir = modelsDir;
    this.isInstalled = isInstalled;
  }

  /**
   * Models of the process; none where it is not installed. Queried once per process, because the owner may add models
   * in between.
   */
  async models(): Promise<readonly LocalModel[]> {
    if (!(await this.isInstalled())) return [];
    const { starts } = this.keeper.state();
    if (this.#known && this.#known.starts >= starts) return this.#known.models;
    const models = this.#list();
    // A list that the question itself started a process for is that process's list.
    this.#known = { starts: Math.max(starts, 1), models };
    try {
      this.#last = await models;
      return this.#last;
    } catch (error) {
      this.#known = undefined;
      throw error;
    }
  }

  /** Models known from the last query; starts no process. */
  knownModels(): readonly LocalModel[] {
    return this.#last;
  }

  /** Listens to one signal for voices; undefined where built-in AI is not installed. */
  async listen(signal: AbortSignal): Promise<Awaited<ReturnType<typeof listenForVoices>> | undefined> {
    return (await this.isInstalled()) ? listenForVoices(this.keeper, signal) : undefined;
  }

  /** After an install or a removal. */
  forget(): void {
    this.#known = undefined;
    this.#last = [];
  }

  async #list(): Promise<readonly LocalModel[]> {
    const listed = await this.wire.models(AbortSignal.timeout(listWithinMs));
    return listed.map(({ id, kind = '', languages = [], name = id }) => ({ id, kind, languages, name }));
  }
}
