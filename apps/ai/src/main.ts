import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { findChangedFile } from '@weir/local-ai';
import { type Config, createLog, type Log, listenOnSocket } from '@weir/plane';
import { AiHttpError } from './ai-http-error.ts';
import { type RequestContext, type Routes, sendJson } from './routes.ts';
import { SherpaRuntime } from './speech/sherpa-runtime.ts';
import { type SpeechModel, SpeechModels } from './speech/speech-models.ts';
import { speechRoutes } from './speech/speech-routes.ts';
import { runProbe } from './user-models/probe.ts';
import { UserModels } from './user-models/user-models.ts';
import { visionModels, visionRoutes } from './vision/vision-routes.ts';
import { startVisionThread, VisionThread } from './vision/vision-thread.ts';
import { voiceRoutes } from './voice-routes.ts';
import { Voices } from './voices.ts';
import { startWhisperThread, WhisperThreads } from './whisper/whisper-thread.ts';

interface Context {
  readonly modelsDir: string;
  /** Entry file of this process. */
  readonly entry: string;
  readonly log: Log;
}

/** Builds the HTTP server of all AI endpoints; it does not listen yet. */
function createAiApp({ modelsDir, entry, log }: Context): Server {
  const stack = new SherpaRuntime(modelsDir);
  const added = new UserModels(modelsDir, entry);
  const speech = new SpeechModels(modelsDir, added);
  const voices = new Voices(added);

  async function models(exchange: RequestContext): Promise<void> {
    const entries = (kind: string, found: readonly Listed[]) =>
      found.map(({ id, name, languages }) => ({ id, name, kind, languages }));
    const unusable = (await added.list()).filter(({ problem }) => problem !== '');
    const data = [
      ...entries('speech-to-text', await speech.list()),
      ...entries('vision', await visionModels(modelsDir)),
      ...entries('voice', await voices.list()),
      // No caller requests this kind; it tells the owner the reason.
      ...unusable.map(({ id, problem }) => ({ id, name: id, kind: 'unusable', languages: [], problem })),
    ];
    sendJson(exchange, {
      object: 'list',
      data: data.map((model) => ({ object: 'model', created: 0, owned_by: 'weir', ...model })),
    });
  }

  return createHttpServer(
    {
      'GET /v1/models': models,
      ...speechRoutes(stack, speech, new WhisperThreads(entry)),
      ...visionRoutes(new VisionThread(entry, modelsDir), modelsDir),
      ...voiceRoutes(stack, voices, added),
    },
    log,
  );
}

type Listed = Pick<SpeechModel, 'id' | 'name' | 'languages'>;

/** Serves the routes. Every request gets a response, and no error ends the process. */
function createHttpServer(routes: Routes, log: Log): Server {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const [path] = (request.url ?? '').split('?');
      const handler = routes[`${request.method} ${path}`];
      if (!handler) throw new AiHttpError(404, 'not_found', 'There is no such endpoint.');
      await handler({ request, response, signal: gone.signal });
    } catch (error) {
      if (gone.signal.aborted) return;
      const known = error instanceof AiHttpError ? error : undefined;
      if (!known) log.error({ err: error, url: request.url }, 'request failed');
      if (response.headersSent) return void response.destroy();
      // The rest of the request is not read, so the connection must close.
      response.setHeader('connection', 'close');
      sendJson(
        { response },
        (known ?? new AiHttpError(500, 'internal', 'The request failed.')).body,
        known?.status ?? 500,
      );
    }
  };
  const server = createServer((request, response) => void serve(request, response));
  // Requests may last as long as a stream; each handler has its own limits.
  server.requestTimeout = 0;
  server.headersTimeout = 10_000;
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}

interface AiBoot {
  readonly socket: string;
  readonly modelsDir: string;
  readonly logLevel: Config['logLevel'];
}

const mostCharacters = 64 * 1024;

/** Reads the first line of the input. `onEnd` fires when the input ends, at any time. */
function readBoot(input: Readable, onEnd: () => void): Promise<AiBoot> {
  const { promise, resolve, reject } = Promise.withResolvers<AiBoot>();
  let text = '';
  const onChunk = (chunk: string) => {
    text += chunk;
    const end = text.indexOf('\n');
    if (end < 0 && text.length < mostCharacters) return;
    input.off('data', onChunk).resume();
    try {
      const { socket, modelsDir, logLevel = 'info' } = JSON.parse(text.slice(0, end)) as Partial<AiBoot>;
      if (typeof socket !== 'string' || typeof modelsDir !== 'string')
        throw new Error('the boot names no socket or no models directory');
      resolve({ socket, modelsDir, logLevel });
    } catch (error) {
      reject(error);
    }
  };
  input.setEncoding('utf8').on('data', onChunk).once('end', onEnd).once('error', onEnd);
  return promise;
}

/**
 * Built-in AI process. The control plane starts it, sends its settings as one line on stdin and waits for the log line `ready` on stdout.
 * The process exits when stdin ends: on request, or when its parent is gone.
 */
async function main(): Promise<void> {
  const { socket, modelsDir, logLevel } = await readBoot(process.stdin, () => process.exit(0));
  const log = createLog('ai', logLevel);
  process.on('SIGTERM', () => process.exit(0));
  process.on('SIGINT', () => process.exit(0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event);
      process.exit(1);
    });
  }
  const changed = await findChangedFile(modelsDir);
  if (changed !== undefined) {
    // The control plane shows the last line of stderr as the reason.
    process.stderr.write(`${changed} is not what was installed. Remove built-in AI and install it again.\n`);
    process.exit(1);
  }
  await listenOnSocket(createAiApp({ modelsDir, entry: import.meta.filename, log }), socket);
  process.stdout.write(
    `${JSON.stringify({ level: 'info', time: new Date().toISOString(), name: 'ai', msg: 'ready' })}\n`,
  );
}

const [, , role, ...rest] = process.argv;
if (role === 'probe') void runProbe(rest[0] ?? '', rest[1] ?? '');
else if (!startVisionThread() && !startWhisperThread()) void main();
