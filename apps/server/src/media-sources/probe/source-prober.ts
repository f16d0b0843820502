import {
  findPictureExtension,
  isSourceFailure,
  type SourceFailure,
  type SourceProbe,
  sourceLimits,
} from '@weir/contract';
import { type Input, isPlaylist, type ProbeTarget, type Snapshot } from '@weir/process';
import * as z from 'zod';
import { WeirError } from '../../core/errors.ts';
import { mediaHost, type OutgoingMedia } from '../../core/outgoing/media/outgoing-media.ts';
import type { OutgoingProxy } from '../../core/outgoing/media/outgoing-proxy.ts';
import { OutgoingError, type OutgoingFailure } from '../../core/outgoing/outgoing-error.ts';
import { sourceError } from '../source-error.ts';
import type { StreamAddress } from '../stream-address.ts';

const Text = z.union([z.string(), z.number().transform(String)]).catch('');
const Whole = z.coerce.number().int().catch(0);

const Track = z.object({
  codec_type: Text,
  codec_name: Text,
  profile: Text,
  bit_rate: Text,
  start_time: Text,
  duration: Text,
  pix_fmt: Text,
  width: Whole,
  height: Whole,
  level: Whole,
  sample_fmt: Text,
  sample_rate: Text,
  channel_layout: Text,
  channels: Whole,
  avg_frame_rate: Text,
  r_frame_rate: Text,
  disposition: z.object({ attached_pic: Whole }).catch({ attached_pic: 0 }),
});

const Answer = z.object({
  format: z
    .object({ start_time: Text, duration: Text, bit_rate: Text, nb_streams: Whole, probe_score: Whole })
    .catch({ start_time: '', duration: '', bit_rate: '', nb_streams: 0, probe_score: 0 }),
  streams: z.array(Track).catch([]),
});

/** Converts ffprobe's output: the first video and the first audio track. A cover image is no video. */
export function readProbe(json: unknown): SourceProbe {
  const { format, streams } = Answer.parse(json);
  const video = streams.find((track) => track.codec_type === 'video' && track.disposition.attached_pic === 0);
  const audio = streams.find(({ codec_type }) => codec_type === 'audio');
  return {
    format: { ...format, has_video: video !== undefined, has_audio: audio !== undefined },
    video: video ? { ...pick(video, ['pix_fmt', 'width', 'height', 'level']), fps: readFrameRate(video) } : null,
    audio: audio ? pick(audio, ['sample_fmt', 'sample_rate', 'channel_layout', 'channels']) : null,
  };
}

/** Highest frame rate that is believed: a live source whose rate is unknown reports its time base. */
const mostFps = 480;

/** Frames per second with two decimals; 0 if unknown. */
function readFrameRate(track: z.infer<typeof Track>): number {
  for (const text of [track.avg_frame_rate, track.r_frame_rate]) {
    const [frames, seconds = 1] = text.split('/').map(Number);
    const fps = Math.round((100 * (frames ?? 0)) / seconds) / 100;
    if (fps > 0 && fps <= mostFps) return fps;
  }
  return 0;
}

const common = ['codec_type', 'codec_name', 'profile', 'bit_rate', 'start_time', 'duration'] as const;

function pick<K extends keyof z.infer<typeof Track>>(track: z.infer<typeof Track>, own: readonly K[]) {
  type Picked = Pick<z.infer<typeof Track>, (typeof common)[number] | K>;
  return Object.fromEntries([...common, ...own].map((name) => [name, track[name]])) as Picked;
}

/** ffprobe's score for bytes that look like a frame here and there by chance, as random ones do. Files of all formats have 50 or more. */
const chanceScore = 1;
/** Longest silence of a live source in microseconds, as ffmpeg wants it. */
const silence = '10000000';
/** Attempts for a live stream of this server, whose playlist appears with its first segment. */
const youngLooks = 3;

type LiveInput = Extract<Input, { kind: 'live' }>;

/** Input options for a live source, and secrets in them. */
interface LiveReading {
  readonly input: LiveInput;
  readonly open: () => Promise<LiveInput>;
  readonly secrets: readonly string[];
}

interface Context {
  readonly proxy: OutgoingProxy;
  readonly media: OutgoingMedia;
}

interface Failed {
  readonly cause: string;
  readonly detail: string;
}

/** Looks what sources hold, and says how ffmpeg reads the live ones. */
export class SourceProber {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async file(path: string): Promise<SourceProbe> {
    const probe = await this.#probe({ kind: 'file', path }, [path], ({ cause, detail }) => {
      return { cause, detail: detail.replaceAll(path, 'the file') };
    });
    // The format of a picture is named by us, and nothing is guessed.
    if (probe.format.probe_score <= chanceScore && findPictureExtension(path) === undefined)
      throw sourceError('input-broken', 'the source cannot be read: it has no known format');
    return probe;
  }

  async stream(address: StreamAddress): Promise<SourceProbe> {
    const { proxy } = this.#context;
    await this.confirm(address);
    const own = await this.#context.media.awaitOwn(address.url).catch(refuse);
    if (own === 'absent') throw sourceError('not-found', 'the source cannot be read: this stream is not live');
    const looks = own === 'live' ? youngLooks : 1;
    const host = mediaHost(address.url);
    // Clears refusals of an earlier attempt.
    proxy.takeRefusal(host);
    const { input, secrets } = await this.#open(address).catch(refuse);
    const explain = (failed: Failed) => {
      const refusal = proxy.takeRefusal(host);
      if (refusal === undefined) return failed;
      return { cause: 'protocol-forbidden', detail: `the URL leads to another address: ${refusal}` };
    };
    return this.#probe(input, [...address.secrets, ...secrets], explain, looks);
  }

  /** One frame of a file or live source as JPEG, or why there is none. Nothing is cached here. */
  async picture(from: { readonly path: string } | { readonly address: StreamAddress }): Promise<Snapshot> {
    const { snapshot } = await import('@weir/process');
    if ('path' in from) return snapshot({ kind: 'file', path: from.path });
    await this.confirm(from.address);
    const { input, secrets } = await this.#open(from.address).catch(refuse);
    return snapshot(input, [...from.address.secrets, ...secrets]);
  }

  /** Users may name a machine of their own network: cameras live there. */
  async confirm(address: StreamAddress): Promise<void> {
    await this.#context.media.confirm(address.url).catch(refuse);
  }

  reading(address: StreamAddress): LiveReading {
    const { url, secrets } = address;
    const allSecrets = [...secrets, ...this.#context.media.ownSecrets];
    const input = { kind: 'live', url, options: readingOptions(address) } as const;
    return { input, open: async () => (await this.#open(address)).input, secrets: allSecrets };
  }

  /** For ffmpeg, now. What is asked by HTTP goes through the proxy, because playlists and redirects lead on. */
  async #open(address: StreamAddress): Promise<{ input: LiveInput; secrets: readonly string[] }> {
    const { url, options, secrets } = await this.#context.media.input(address.url);
    return { input: { kind: 'live', url, options: [...readingOptions(address), ...options] }, secrets };
  }

  async #probe(
    target: ProbeTarget,
    secrets: readonly string[],
    explain: (failed: Failed) => Failed,
    looks = 1,
  ): Promise<SourceProbe> {
    // Loaded with the first source: many servers never have one.
    const { ffprobe } = await import('@weir/process');
    const answer = await ffprobe(target, { secrets, limitMs: sourceLimits.probeMs });
    if (!answer.ok && answer.cause === 'not-found' && looks > 1) {
      return this.#probe(target, secrets, explain, looks - 1);
    }
    if (answer.ok) return readProbe(answer.json);
    if (answer.cause === 'program-missing') {
      const why = { kind: 'program-missing', fact: '' };
      throw new WeirError('unavailable', 'ffprobe is not installed, on Debian: apt-get install ffmpeg', { why });
    }
    const { cause, detail } = explain(answer);
    const kind = isSourceFailure(cause) ? cause : 'unknown';
    throw sourceError(kind, `the source cannot be read: ${detail}`, detail);
  }
}

function readingOptions({ scheme, url }: StreamAddress): string[] {
  if (scheme.startsWith('rtsp')) return ['-timeout', silence];
  if (scheme === 'srt') return [];
  // Kept connections and a proxy do not go together in ffmpeg's reader of playlists.
  return ['-rw_timeout', silence, ...(isPlaylist(url) ? ['-http_persistent', '0'] : [])];
}

function refuse(error: unknown): never {
  if (!(error instanceof OutgoingError)) throw error;
  const what = error.failure === 'no-connection' ? 'the source cannot be read' : 'url';
  const why = { kind: outgoingFailures[error.failure] ?? 'unknown', fact: error.message };
  throw new WeirError('invalid_input', `${what}: ${error.message}`, { cause: error, why });
}

/** Failures of our outgoing proxy as failures of a source. */
const outgoingFailures: Partial<Record<OutgoingFailure, SourceFailure>> = {
  'bad-url': 'address-invalid',
  'forbidden-address': 'protocol-forbidden',
  'own-network': 'protocol-forbidden',
  'unknown-name': 'name-unknown',
  'no-connection': 'connection-refused',
  'bad-certificate': 'tls-failed',
  timeout: 'timed-out',
};
