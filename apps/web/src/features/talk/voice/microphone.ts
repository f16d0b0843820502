import { toErrorMessage } from '../../../lib/errors/error-message.ts';
import captureUrl from './capture-worklet.ts?worker&url';
import { Resampler } from './resampler.ts';
import { UtteranceRecorder } from './utterance-recorder.ts';
import type {
  LevelSource,
  MicrophoneDevice,
  MicrophoneState,
  MicrophoneView,
  OpenSpeech,
  RecordedUtterance,
} from './voice-types.ts';
import { sampleRate } from './wav.ts';

interface Context {
  readonly onUtterance: (utterance: RecordedUtterance) => void;
  readonly onRecording: (isRecording: boolean) => void;
  readonly onOpen: (speech: OpenSpeech) => void;
  readonly isPlaying: () => boolean;
  /** Longer speech is split. */
  readonly longestSeconds: number;
  readonly remember: (deviceId: string) => void;
  /** Last chosen device; empty = the system's default. */
  readonly deviceId: string;
}

/** Decibels below full scale at the low end of a meter. */
const quietestDb = -60;

const nothing: MicrophoneView = {
  state: 'closed',
  detail: '',
  devices: [],
  deviceId: '',
  isRecording: false,
  isHandsFree: false,
};

export class Microphone {
  readonly #context: Context;
  readonly #recorder: UtteranceRecorder;
  readonly #listeners = new Set<() => void>();
  readonly #meters = new Set<(level: number) => void>();
  #view = nothing;
  #wanted: string;
  #media: MediaStream | undefined;
  #tap: PcmTap | undefined;
  /** Number of the current `open`; a later `open` or `close` invalidates earlier ones. */
  #openCount = 0;

  constructor(context: Context) {
    this.#context = context;
    this.#wanted = context.deviceId;
    this.#recorder = new UtteranceRecorder({
      onUtterance: context.onUtterance,
      onRecording: (isRecording) => {
        this.#show({ isRecording });
        context.onRecording(isRecording);
      },
      onLevel: (levelDb) => {
        const level = Math.min(1, Math.max(0, 1 - levelDb / quietestDb));
        for (const meter of this.#meters) meter(level);
      },
      onOpen: context.onOpen,
      isPlaying: context.isPlaying,
      nowMs: () => performance.now(),
      longestSeconds: context.longestSeconds,
    });
  }

  readonly level: LevelSource = {
    subscribe: (meter) => {
      this.#meters.add(meter);
      return () => this.#meters.delete(meter);
    },
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): MicrophoneView => this.#view;

  readonly open = async (): Promise<boolean> => {
    const turn = ++this.#openCount;
    if (!window.isSecureContext || !navigator.mediaDevices?.getUserMedia) {
      this.#show({ state: 'insecure', detail: '' });
      return false;
    }
    this.#release();
    this.#show({ state: 'asking', detail: '' });
    try {
      const media = await openDevice(this.#wanted);
      if (turn !== this.#openCount) return stopTracks(media);
      const tap = await PcmTap.open(media, (samples) => this.#recorder.push(samples));
      if (turn !== this.#openCount) {
        tap.close();
        return stopTracks(media);
      }
      this.#media = media;
      this.#tap = tap;
      const [track] = media.getAudioTracks();
      track?.addEventListener('ended', () => turn === this.#openCount && this.#onLost());
      this.#show({ state: 'ready', deviceId: track?.getSettings().deviceId ?? '' });
      navigator.mediaDevices.addEventListener('devicechange', this.#onDevices);
      await this.#listDevices();
      return turn === this.#openCount;
    } catch (error) {
      if (turn === this.#openCount) this.#fail(error, turn);
      return false;
    }
  };

  readonly close = (): void => {
    this.#openCount += 1;
    this.#recorder.flush();
    this.#release();
    navigator.mediaDevices?.removeEventListener('devicechange', this.#onDevices);
    this.#show({ state: 'closed', detail: '', deviceId: '' });
  };

  readonly choose = (deviceId: string): Promise<boolean> => {
    this.#wanted = deviceId;
    this.#context.remember(deviceId);
    return this.open();
  };

  readonly setHandsFree = (isHandsFree: boolean): void => {
    this.#recorder.isHandsFree = isHandsFree;
    this.#show({ isHandsFree });
  };

  readonly begin = (): void => {
    if (this.#view.state === 'ready') this.#recorder.begin();
  };

  readonly end = (): void => this.#recorder.end();

  readonly cancel = (): void => this.#recorder.cancel();

  readonly markTranscribed = (speech: OpenSpeech, isUnderstood: boolean): void =>
    this.#recorder.markTranscribed(speech, isUnderstood);

  readonly #onDevices = () => {
    void this.#listDevices();
    // The new device may be the missing one.
    if (this.#view.state === 'lost' || this.#view.state === 'missing') void this.open();
  };

  /** The device was unplugged or its battery is empty. Another one may be available. */
  #onLost(): void {
    this.#recorder.flush();
    this.#release();
    this.#show({ state: 'lost', deviceId: '' });
    void this.open().then((isOpen) => {
      if (!isOpen && this.#view.state === 'missing') this.#show({ state: 'lost' });
    });
  }

  #fail(error: unknown, turn: number): void {
    const failure = toMicrophoneFailure(error);
    this.#show({ ...failure, deviceId: '' });
    if (failure.state !== 'denied') return;
    // Opens the microphone once the user allows it in the browser's settings.
    void navigator.permissions?.query({ name: 'microphone' }).then(
      (permission) => {
        permission.onchange = () => void (permission.state === 'granted' && turn === this.#openCount && this.open());
      },
      () => undefined,
    );
  }

  async #listDevices(): Promise<void> {
    const all = await navigator.mediaDevices.enumerateDevices().catch(() => []);
    const devices: MicrophoneDevice[] = all
      .filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '' && deviceId !== 'communications')
      .map(({ deviceId, label }) => ({ id: deviceId, label }));
    this.#show({ devices });
  }

  #release(): void {
    this.#tap?.close();
    this.#tap = undefined;
    if (this.#media) stopTracks(this.#media);
    this.#media = undefined;
  }

  #show(change: Partial<MicrophoneView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Opens the chosen device, or any other if it is missing. */
async function openDevice(deviceId: string): Promise<MediaStream> {
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 };
  const devices = navigator.mediaDevices;
  if (deviceId === '') return devices.getUserMedia({ audio });
  return devices.getUserMedia({ audio: { ...audio, deviceId: { exact: deviceId } } }).catch((error: unknown) => {
    if (nameOf(error) !== 'OverconstrainedError' && nameOf(error) !== 'NotFoundError') throw error;
    return devices.getUserMedia({ audio });
  });
}

function stopTracks(media: MediaStream): false {
  for (const track of media.getTracks()) track.stop();
  return false;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** W3C Media Capture and Streams, 10.2: the names under which `getUserMedia` fails. */
const failures: Readonly<Record<string, MicrophoneState>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

function toMicrophoneFailure(error: unknown): Pick<MicrophoneView, 'state' | 'detail'> {
  const detail = toErrorMessage(error);
  return { state: failures[nameOf(error)] ?? 'failed', detail };
}

const gestures = ['pointerdown', 'keydown', 'focus'] as const;

/** Samples of a track at 16 kHz, captured in a thread that rendering does not block. */
class PcmTap {
  readonly #context: AudioContext;
  /** Browsers may require a gesture before audio runs, and a phone call suspends it: any use of the page resumes it. */
  readonly #wake = () => void this.#context.resume().catch(() => undefined);

  private constructor(context: AudioContext) {
    this.#context = context;
    for (const event of gestures) addEventListener(event, this.#wake);
    this.#wake();
  }

  static async open(media: MediaStream, onSamples: (samples: Float32Array) => void): Promise<PcmTap> {
    // Uses the device's rate: Firefox connects no microphone to a context of another rate.
    const context = new AudioContext({ latencyHint: 'interactive' });
    try {
      await context.audioWorklet.addModule(captureUrl);
      const node = new AudioWorkletNode(context, 'weir-capture', { channelCount: 1, channelCountMode: 'explicit' });
      const resampler = new Resampler(context.sampleRate, sampleRate);
      node.port.onmessage = ({ data }: MessageEvent<Float32Array>) => onSamples(resampler.push(data));
      context.createMediaStreamSource(media).connect(node);
      // Browsers run only connected nodes. This one outputs silence.
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
