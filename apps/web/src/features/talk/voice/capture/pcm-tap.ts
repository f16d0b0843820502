import captureUrl from './capture-worklet.ts?worker&url';
import { Resampler } from './resampler.ts';
import { sampleRate } from './wav.ts';

const gestures = ['pointerdown', 'keydown', 'focus'] as const;

/** The samples of a track at 16 kHz, from a thread that no drawing of the page holds up. */
export class PcmTap {
  readonly #context: AudioContext;
  /** Browsers may want a press before anything runs, and a phone call takes the sound device away: whoever uses the page gets it back. */
  readonly #wake = () => void this.#context.resume().catch(() => undefined);

  private constructor(context: AudioContext) {
    this.#context = context;
    for (const event of gestures) addEventListener(event, this.#wake);
    this.#wake();
  }

  static async open(media: MediaStream, onSamples: (samples: Float32Array) => void): Promise<PcmTap> {
    // At the rate of the device: Firefox connects no microphone to a context of another one.
    const context = new AudioContext({ latencyHint: 'interactive' });
    try {
      await context.audioWorklet.addModule(captureUrl);
      const node = new AudioWorkletNode(context, 'weir-capture', { channelCount: 1, channelCountMode: 'explicit' });
      const resampler = new Resampler(context.sampleRate, sampleRate);
      node.port.onmessage = ({ data }: MessageEvent<Float32Array>) => onSamples(resampler.push(data));
      context.createMediaStreamSource(media).connect(node);
      // What leads nowhere is not run. It puts out silence.
      node.connect(context.destination);
      return new PcmTap(context);
    } catch (error) {
      await context.close();
      throw error;
    }
  }

  close(): void {
    for (const event of gestures) removeEventListener(event, this.#wake);
    void this.#context.close();
  }
}
