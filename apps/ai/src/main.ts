import type { Readable } from 'node:stream';
import { findChangedFile } from '@weir/local-ai';
import { type Config, createLog, listenOnSocket } from '@weir/plane';
import { createAiApp } from './ai-app.ts';
import { runProbe } from './user-models/probe.ts';
import { startVisionThread } from './vision/vision-thread.ts';

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
else if (!startVisionThread()) void main();
