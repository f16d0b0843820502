import { type SourceProbe, sourceLimits } from '@weir/contract';
import type { Input, ProbeTarget } from '@weir/process';
import { WeirError } from '../core/errors.ts';
import type { OutgoingProxy } from '../core/outgoing/outgoing-proxy.ts';
import { readProbe } from './probe-answer.ts';
import { assertReachable, type StreamAddress } from './stream-address.ts';

/** How long a live source may say nothing before it counts as gone, in microseconds as ffmpeg wants it. */
const silence = '10000000';

/** How ffmpeg reads a live source, and what must not be told of it. */
interface LiveReading {
  readonly input: Extract<Input, { kind: 'live' }>;
  readonly secrets: readonly string[];
}

/** Looks what sources hold, and says how ffmpeg reads the live ones. */
export class SourceProber {
  readonly #proxy: OutgoingProxy;

  constructor(proxy: OutgoingProxy) {
    this.#proxy = proxy;
  }

  async file(path: string): Promise<SourceProbe> {
    return this.#probe({ kind: 'file', path }, [path], (detail) => detail.replaceAll(path, 'the file'));
  }

  async stream(address: StreamAddress): Promise<SourceProbe> {
    await assertReachable(address);
    // What an earlier attempt met is not what this one meets.
    this.#proxy.takeRefusal(address.host);
    const { input, secrets } = await this.liveInput(address);
    return this.#probe(input, secrets, (detail) => {
      const refusal = this.#proxy.takeRefusal(address.host);
      return refusal === undefined ? detail : `it leads elsewhere: ${refusal}`;
    });
  }

  /** For ffmpeg. What is asked by HTTP goes through the proxy, because playlists and redirects lead on. */
  async liveInput(address: StreamAddress): Promise<LiveReading> {
    const { url, scheme, host } = address;
    const isHttp = scheme === 'http' || scheme === 'https';
    const proxy = isHttp ? await this.#proxy.addressFor(host) : undefined;
    const options: string[] = [];
    if (scheme.startsWith('rtsp')) options.push('-timeout', silence);
    else if (scheme !== 'srt') options.push('-rw_timeout', silence);
    if (proxy !== undefined) options.push('-http_proxy', proxy);
    // Kept connections and a proxy do not go together in ffmpeg's reader of playlists.
    if (isHttp && /\.m3u8/i.test(url)) options.push('-http_persistent', '0');
    const secrets = [...address.secrets, ...(proxy === undefined ? [] : [new URL(proxy).password])];
    return { input: { kind: 'live', url, options }, secrets };
  }

  async #probe(
    target: ProbeTarget,
    secrets: readonly string[],
    explain: (detail: string) => string,
  ): Promise<SourceProbe> {
    // Loaded with the first source: many servers never have one.
    const { ffprobe } = await import('@weir/process');
    const answer = await ffprobe(target, { secrets, limitMs: sourceLimits.probeMs });
    if (answer.ok) return readProbe(answer.json);
    if (answer.cause === 'program-missing') {
      throw new WeirError('unavailable', 'ffprobe is not installed; on Debian: apt-get install ffmpeg');
    }
    throw new WeirError('invalid_input', `the source cannot be read: ${explain(answer.detail)}`);
  }
}
