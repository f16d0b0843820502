import { MalformedMedia, type MediaFrame, opusPacketSamples } from '@weir/media';
import { packetizeOpus, packetizeOpusPair } from '@weir/media/rtp';

const samplesPerMs = 48;
/** 20 ms. Longer ones are few already, and would wait for too long. */
const longestSamples = 960;
const most = 2;
/** Sounds further apart than their length leave a hole, over which they must not be joined. */
const mostGapMs = 2;

/** A packet of sound, with room for a header in front. */
interface SoundPacket {
  readonly bytes: Buffer;
  readonly ptsMs: number;
}

/** Sounds that wait for the next picture, or for one another: 40 ms at most. */
export class AudioHoldback {
  #held: MediaFrame[] = [];

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /**
   * Returns the packets to send now. Audio packets are joined in pairs, and with `waits` they wait for a video frame to
   * travel with.
   */
  add(sound: MediaFrame, joins: boolean, waits: boolean): readonly SoundPacket[] {
    const last = this.#held.at(-1);
    const isOver = last !== undefined && (this.#held.length === most || !followsAtOnce(last, sound));
    const before = isOver ? this.take() : [];
    this.#held.push(sound);
    const samples = opusSamples(sound.payload);
    const isHeld = joins && samples > 0 && samples <= longestSamples && (waits || this.#held.length < most);
    return isHeld ? before : [...before, ...this.take()];
  }

  /** All there are. */
  take(): readonly SoundPacket[] {
    const [first, second] = this.#held;
    const held = this.#held;
    this.#held = [];
    const pair = first && second && packetizeOpusPair(first.payload, second.payload);
    if (first && pair) return [{ bytes: pair, ptsMs: first.ptsMs }];
    return held.map(({ payload, ptsMs }) => ({ bytes: packetizeOpus(payload), ptsMs }));
  }

  clear(): void {
    this.#held = [];
  }
}

function followsAtOnce(first: MediaFrame, second: MediaFrame): boolean {
  return Math.abs(second.ptsMs - first.ptsMs - opusSamples(first.payload) / samplesPerMs) <= mostGapMs;
}

/** 0 for a malformed packet. */
export function opusSamples(payload: Buffer): number {
  try {
    return opusPacketSamples(payload);
  } catch (error) {
    if (!(error instanceof MalformedMedia)) throw error;
    return 0;
  }
}
