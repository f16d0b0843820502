import type { MediaFrame } from '@weir/media';
import { vi } from 'vitest';
import { quietLog } from '../../quiet-log.fixture.ts';
import { audioConfig, client, picture, place, sound, videoConfig } from '../frames.fixture.ts';
import { Hub } from '../hub.ts';
import { PlayerViews } from '../player-views/player-views.ts';
import type { Publication } from '../stream.ts';
import { inputPlace } from './input-place.ts';
import { Program } from './program.ts';
import type { ProgramSettings, ProgramSwitch } from './program-settings.ts';
import { builtInSlates } from './slate/built-in-slates.ts';

const settings: ProgramSettings = {
  place,
  inputs: [{ id: 'main' }, { id: 'backup' }],
  failMs: 1000,
  returnMs: 5000,
  leastMs: 10_000,
  isConforming: false,
  slate: { afterMs: 2000, mostMs: 60_000 },
};

/** An encoder of an input: 25 pictures per second in groups of one second, audio beside them. */
export class Encoder {
  #publication: Publication | undefined;
  #sent = 0;
  /** True if no test waits for its frames. */
  isStandby = false;
  readonly #hub: Hub;
  readonly #input: string;
  readonly #video: typeof videoConfig;
  readonly #audio: typeof audioConfig;
  readonly #hasAudio: boolean;
  readonly #hasVideo: boolean;

  constructor(
    hub: Hub,
    input: string,
    { video = videoConfig, audio = audioConfig, hasAudio = true, hasVideo = true } = {},
  ) {
    this.#hub = hub;
    this.#input = input;
    this.#video = video;
    this.#audio = audio;
    this.#hasAudio = hasAudio;
    this.#hasVideo = hasVideo;
    this.start();
  }

  start(): void {
    this.isStandby = false;
    const entry = client();
    entry.setStandby = (isStandby) => {
      this.isStandby = isStandby;
    };
    this.#publication = this.#hub.open(inputPlace(place, this.#input))?.publish(entry);
    if (this.#hasVideo) this.#publication?.config(this.#video);
    if (this.#hasAudio) this.#publication?.config(this.#audio);
  }

  /** The picture of this 40 ms, and its audio. */
  tick(): void {
    const atMs = this.#sent * 40;
    const { codec } = this.#audio;
    if (this.#hasAudio) for (const part of [0, 20]) this.#publication?.frame({ ...sound(atMs + part), codec });
    const video = { ...picture(atMs, this.#sent % 25 === 0), codec: this.#video.codec };
    if (this.#hasVideo) this.#publication?.frame(video);
    this.#sent += 1;
  }

  stop(): void {
    this.#publication?.end();
  }
}

class Viewer {
  readonly frames: MediaFrame[] = [];
  seams = 0;
  configs = 0;
  leaves = 0;
  onConfig() {
    this.configs += 1;
  }
  onFrame(frame: MediaFrame) {
    this.frames.push(frame);
  }
  onDiscontinuity() {
    this.seams += 1;
  }
  onLeave() {
    this.leaves += 1;
  }
  close() {}

  pictures(): MediaFrame[] {
    return this.frames.filter(({ kind }) => kind === 'video');
  }

  holes(kind: MediaFrame['kind']): number {
    const times = this.frames.filter((frame) => frame.kind === kind).map(({ dtsMs }) => dtsMs);
    return Math.max(...times.slice(1).map((ms, index) => ms - (times[index] ?? 0)));
  }

  isRising(kind: MediaFrame['kind']): boolean {
    const times = this.frames.filter((frame) => frame.kind === kind).map(({ dtsMs }) => dtsMs);
    return times.every((ms, index) => index === 0 || ms > (times[index - 1] ?? 0));
  }
}

/** A program with its hub, a viewer, and encoders that send when the clock of the test goes on. For fake timers. */
export function openProgram(change: Partial<ProgramSettings> = {}) {
  const hub = new Hub({ returnMs: 15_000 });
  const viewer = new Viewer();
  hub.open(place)?.attach(viewer);
  const switches: ProgramSwitch[] = [];
  const said: string[] = [];
  const program = new Program(
    { ...settings, ...change },
    {
      hub,
      log: quietLog,
      nowMs: () => performance.now(),
      slates: {
        prepare: () => undefined,
        find: ({ codec }) => (codec === 'h264' ? builtInSlates()[0] : undefined),
        music: () => undefined,
      },
      sourceOf: (of) => hub.find(of),
      conversions: () => new PlayerViews({ log: quietLog }).conversions('', ''),
      onBegan: () => said.push('began'),
      onEnded: () => said.push('ended'),
      onSwitch: (_place, change) => switches.push(change),
    },
  );
  const encoders: Encoder[] = [];
  /** Lets every encoder that is told of send, and the program look, for some time. */
  const run = (ms: number, sending: readonly Encoder[] = encoders) => {
    for (let at = 0; at < ms; at += 20) {
      if (at % 40 === 0) for (const encoder of sending) encoder.tick();
      vi.advanceTimersByTime(20);
      if (program.look()) program.look(true);
    }
  };
  const encoder = (input: string, options = {}) => {
    const made = new Encoder(hub, input, options);
    encoders.push(made);
    return made;
  };
  return { hub, viewer, program, switches, said, run, encoder };
}
