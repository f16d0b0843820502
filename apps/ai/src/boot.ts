import type { Readable } from 'node:stream';
import type { Config } from '@weir/plane';

interface AiBoot {
  /** Where to listen. */
  readonly socket: string;
  readonly modelsDir: string;
  readonly logLevel: Config['logLevel'];
}

const mostCharacters = 64 * 1024;

/** The first line of the input; `onEnd` is called when the input ends, at whatever time. */
export function readBoot(input: Readable, onEnd: () => void): Promise<AiBoot> {
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
