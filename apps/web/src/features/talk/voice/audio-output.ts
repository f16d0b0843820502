import type { AudioSink } from './audio-queue.ts';

/** Delay that keeps the first samples of a word from being cut off. */
const soonSeconds = 0.02;
const fadeSeconds = 0.02;
/** Time within which an allowed context starts. */
const startsWithinMs = 400;
const gestures = ['pointerdown', 'keydown'] as const;

/** Speaker that schedules clips on one clock, without gaps between sentences. */
export class AudioOutput implements AudioSink<AudioBuffer> {
  readonly #onChange: () => void;
  #context: AudioContext | undefined;
  /** End of the scheduled audio on the context's clock. */
  #until = 0;
  #isBlocked = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  decode(bytes: ArrayBuffer): Promise<AudioBuffer> {
    return this.#open().decodeAudioData(bytes);
  }

  play(clip: AudioBuffer, signal: AbortSignal): Promise<void> {
    const context = this.#open();
    const { promise, resolve } = Promise.withResolvers<void>();
    const source = new AudioBufferSourceNode(context, { buffer: clip });
    const gain = new GainNode(context);
    source.connect(gain).connect(context.destination);
    const start = Math.max(context.currentTime + soonSeconds, this.#until);
    this.#until = start + clip.duration;
    source.start(start);
    source.onended = () => resolve();
    signal.addEventListener('abort', () => {
      this.#until = 0;
      // An abrupt stop would click.
      gain.gain.setTargetAtTime(0, context.currentTime, fadeSeconds / 4);
      source.stop(context.currentTime + fadeSeconds);
      resolve();
    });
    this.#watch(context);
    return promise.finally(() => gain.disconnect());
  }

  /** Resumes the audio context during a user gesture. */
  async resume(): Promise<boolean> {
    const context = this.#open();
    const { promise, resolve } = Promise.withResolvers<void>();
    // Without a gesture the promise of `resume` stays pending.
    const late = setTimeout(resolve, startsWithinMs);
    await Promise.race([context.resume().catch(() => undefined), promise]);
    clearTimeout(late);
    return context.state === 'running';
  }

  close(): void {
    this.#setBlocked(false);
    void this.#context?.close();
    this.#context = undefined;
    this.#until = 0;
  }

  #open(): AudioContext {
    if (this.#context) return this.#context;
    const context = new AudioContext({ latencyHint: 'interactive' });
    context.onstatechange = () => this.#context === context && context.state === 'running' && this.#setBlocked(false);
    this.#context = context;
    return context;
  }

  #watch(context: AudioContext): void {
    if (context.state === 'running') return;
    void this.resume().then((isRunning) => this.#context === context && this.#setBlocked(!isRunning));
  }

  readonly #onGesture = () => void this.#context?.resume().catch(() => undefined);

  #setBlocked(isBlocked: boolean): void {
    if (isBlocked === this.#isBlocked) return;
    this.#isBlocked = isBlocked;
    // Any gesture unblocks it.
    for (const event of gestures) {
      if (isBlocked) addEventListener(event, this.#onGesture);
      else removeEventListener(event, this.#onGesture);
    }
    this.#onChange();
  }
}
