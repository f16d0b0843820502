import type { Level, MicrophoneDevice, MicrophoneState, MicrophoneView, Utterance } from '../voice-types.ts';
import { PcmTap } from './pcm-tap.ts';
import { UtteranceRecorder } from './utterance-recorder.ts';

interface Context {
  readonly onUtterance: (utterance: Utterance) => void;
  readonly onRecording: (isRecording: boolean) => void;
  readonly isPlaying: () => boolean;
  /** Longer speech is given out in pieces. */
  readonly longestSeconds: number;
  readonly remember: (deviceId: string) => void;
  /** The device chosen last; empty: the system's choice. */
  readonly deviceId: string;
}

/** Decibels below full scale at the low end of a meter. */
const quietestDb = -60;

const nothing: MicrophoneView = {
  ...{ state: 'closed', detail: '', devices: [], deviceId: '', isRecording: false, isHandsFree: false },
};

/** The microphone of a page: permission, devices, and what is said into it. */
export class Microphone {
  readonly #context: Context;
  readonly #recorder: UtteranceRecorder;
  readonly #listeners = new Set<() => void>();
  readonly #meters = new Set<(level: number) => void>();
  #view = nothing;
  #wanted: string;
  #media: MediaStream | undefined;
  #tap: PcmTap | undefined;
  /** Which `open` counts: a later one, or `close`, makes those before it void. */
  #turn = 0;

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
      isPlaying: context.isPlaying,
      nowMs: () => performance.now(),
      longestSeconds: context.longestSeconds,
    });
  }

  readonly level: Level = {
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
    const turn = ++this.#turn;
    if (!window.isSecureContext || !navigator.mediaDevices?.getUserMedia) {
      this.#show({ state: 'insecure', detail: '' });
      return false;
    }
    this.#letGo();
    this.#show({ state: 'asking', detail: '' });
    try {
      const media = await capture(this.#wanted);
      if (turn !== this.#turn) return end(media);
      const tap = await PcmTap.open(media, (samples) => this.#recorder.push(samples));
      if (turn !== this.#turn) {
        tap.close();
        return end(media);
      }
      this.#media = media;
      this.#tap = tap;
      const [track] = media.getAudioTracks();
      track?.addEventListener('ended', () => turn === this.#turn && this.#onLost());
      this.#show({ state: 'ready', deviceId: track?.getSettings().deviceId ?? '' });
      navigator.mediaDevices.addEventListener('devicechange', this.#onDevices);
      await this.#look();
      return turn === this.#turn;
    } catch (error) {
      if (turn === this.#turn) this.#show({ ...failureOf(error), deviceId: '' });
      return false;
    }
  };

  readonly close = (): void => {
    this.#turn += 1;
    this.#recorder.flush();
    this.#letGo();
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

  readonly #onDevices = () => {
    void this.#look();
    // Something was plugged in: perhaps what was missing.
    if (this.#view.state === 'lost' || this.#view.state === 'missing') void this.open();
  };

  /** Unplugged, or its battery is empty. Another one may be there. */
  #onLost(): void {
    this.#recorder.flush();
    this.#letGo();
    this.#show({ state: 'lost', deviceId: '' });
    void this.open().then((isOpen) => {
      if (!isOpen && this.#view.state === 'missing') this.#show({ state: 'lost' });
    });
  }

  async #look(): Promise<void> {
    const all = await navigator.mediaDevices.enumerateDevices().catch(() => []);
    const devices: MicrophoneDevice[] = all
      .filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '' && deviceId !== 'communications')
      .map(({ deviceId, label }) => ({ id: deviceId, label }));
    this.#show({ devices });
  }

  #letGo(): void {
    this.#tap?.close();
    this.#tap = undefined;
    if (this.#media) end(this.#media);
    this.#media = undefined;
  }

  #show(change: Partial<MicrophoneView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Not another device than the chosen one while that is there; any, when it is not. */
async function capture(deviceId: string): Promise<MediaStream> {
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 };
  const devices = navigator.mediaDevices;
  if (deviceId === '') return devices.getUserMedia({ audio });
  return devices.getUserMedia({ audio: { ...audio, deviceId: { exact: deviceId } } }).catch((error: unknown) => {
    if (nameOf(error) !== 'OverconstrainedError' && nameOf(error) !== 'NotFoundError') throw error;
    return devices.getUserMedia({ audio });
  });
}

function end(media: MediaStream): false {
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

function failureOf(error: unknown): Pick<MicrophoneView, 'state' | 'detail'> {
  const detail = error instanceof Error ? error.message : String(error);
  return { state: failures[nameOf(error)] ?? 'failed', detail };
}
