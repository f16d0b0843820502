import { parseAudioSpecificConfig } from '../../codecs/aac.ts';
import { parseAdts } from '../../codecs/adts.ts';
import { parseMp3Header } from '../../codecs/mp3.ts';
import { opusPacketSamples, opusSampleRate, writeOpusHead } from '../../codecs/opus.ts';
import { type AudioConfig, type Demuxed, MalformedMedia } from '../../frame.ts';
import { isSameDecoder } from '../../same-decoder.ts';

/** Framing of one codec: bytes of a PES packet → frames. */
interface Cut {
  readonly frames: readonly { readonly payload: Buffer; readonly durationMs: number }[];
  readonly config: AudioConfig | undefined;
  /** The beginning of a frame that the next PES packet completes. */
  readonly rest: Buffer;
}

const maxRestBytes = 8192;
const nothing: Buffer = Buffer.alloc(0);

/** Audio PES packets → raw frames. Only the first frame of a packet has a time of its own; the others follow it. */
export class AudioReader {
  readonly #cut: (bytes: Buffer) => Cut;
  #rest = nothing;
  #config: AudioConfig | undefined;

  constructor(codec: 'aac' | 'mp3' | 'opus', opusChannels: number) {
    if (codec === 'aac') this.#cut = cutAdts;
    else if (codec === 'mp3') this.#cut = cutMp3;
    else this.#cut = (bytes) => cutOpus(bytes, opusChannels);
  }

  /** Packets are missing: what was left of a frame will not be completed. */
  drop(): void {
    this.#rest = nothing;
  }

  read(bytes: Buffer, ptsMs: number, out: Demuxed[]): void {
    const hasRest = this.#rest.length > 0;
    // Frames outlive the assembler's buffer, so there is one copy for all of them.
    const { frames, config, rest } = this.#cutOrDrop(Buffer.concat([this.#rest, bytes]));
    this.#rest = rest.length <= maxRestBytes ? rest : nothing;
    if (config && !(this.#config && isSameDecoder(this.#config, config))) {
      this.#config = config;
      out.push({ type: 'config', config });
    }
    const [first] = frames;
    if (!first || !this.#config) return;
    // The time belongs to the first frame that begins in the packet; one begun earlier precedes it (2.4.3.7).
    let timeMs = hasRest ? ptsMs - first.durationMs : ptsMs;
    const { codec } = this.#config;
    for (const { payload, durationMs } of frames) {
      const frame = { kind: 'audio', codec, dtsMs: timeMs, ptsMs: timeMs, isKeyframe: true, payload } as const;
      out.push({ type: 'frame', frame });
      timeMs += durationMs;
    }
  }

  /** Broken audio costs one packet: the next one begins with a frame again. */
  #cutOrDrop(bytes: Buffer): Cut {
    try {
      return this.#cut(bytes);
    } catch (error) {
      if (!(error instanceof MalformedMedia)) throw error;
      return { frames: [], config: undefined, rest: nothing };
    }
  }
}

function cutAdts(bytes: Buffer): Cut {
  const { record, frames, consumedBytes } = parseAdts(bytes);
  const rest = bytes.subarray(consumedBytes);
  if (!record) return { frames: [], config: undefined, rest };
  const { sampleRate, channels, profile, frameSamples } = parseAudioSpecificConfig(record);
  const durationMs = (frameSamples * 1000) / sampleRate;
  const config: AudioConfig = { kind: 'audio', codec: 'aac', record, sampleRate, channels, profile };
  return { frames: frames.map((payload) => ({ payload, durationMs })), config, rest };
}

function cutMp3(bytes: Buffer): Cut {
  const frames: { payload: Buffer; durationMs: number }[] = [];
  let config: AudioConfig | undefined;
  let at = 0;
  while (at + 4 <= bytes.length) {
    const header = parseMp3Header(bytes.subarray(at, at + 4));
    if (!header) throw new MalformedMedia('no MP3 frame where one should begin');
    if (at + header.frameBytes > bytes.length) break;
    const { sampleRate, channels, frameSamples } = header;
    config ??= { kind: 'audio', codec: 'mp3', record: nothing, sampleRate, channels, profile: '' };
    const payload = bytes.subarray(at, at + header.frameBytes);
    frames.push({ payload, durationMs: (frameSamples * 1000) / sampleRate });
    at += header.frameBytes;
  }
  return { frames, config, rest: bytes.subarray(at) };
}

/**
 * Opus in MPEG-TS, each packet behind a control header; packets never cross a PES boundary:
 *
 *     prefix 0x3ff:11  startTrim:1  endTrim:1  extension:1  reserved:2 | size: 255… rest | trims:16 each | extension
 */
function cutOpus(bytes: Buffer, channels: number): Cut {
  const frames: { payload: Buffer; durationMs: number }[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + 3 > bytes.length) throw new MalformedMedia('Opus control header is cut off');
    const control = bytes.readUInt16BE(at);
    if (control >> 5 !== 0x3ff) throw new MalformedMedia('no Opus control header');
    at += 2;
    let size = 0;
    let part = 255;
    while (part === 255) {
      part = bytes[at++] ?? 0;
      size += part;
    }
    at += ((control >> 4) & 1) * 2 + ((control >> 3) & 1) * 2;
    if ((control & 4) !== 0) at += 1 + (bytes[at] ?? 0);
    if (at + size > bytes.length || size === 0) throw new MalformedMedia('Opus packet is cut off');
    const payload = bytes.subarray(at, at + size);
    frames.push({ payload, durationMs: (opusPacketSamples(payload) * 1000) / opusSampleRate });
    at += size;
  }
  const record = writeOpusHead(channels);
  const config: AudioConfig = {
    kind: 'audio',
    codec: 'opus',
    record,
    sampleRate: opusSampleRate,
    channels,
    profile: '',
  };
  return { frames, config, rest: nothing };
}
