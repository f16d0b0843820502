import { captureAudio, captureBoth, captureVideo, toVideoConstraints } from './capture.ts';
import { type PublishChoices, readChoices, saveChoices } from './publish-choices.ts';
import { type PublishFailure, toCaptureFailure } from './publish-failure.ts';
import { offState, type PublishState, WhipPublisher } from './whip-publisher.ts';

export interface PublishSessionState extends PublishState {
  readonly choices: PublishChoices;
  /** Captured media; a new object after every track change. */
  readonly media: MediaStream | undefined;
  /** True while devices are opened or replaced. */
  readonly isBusy: boolean;
  readonly isVideoOff: boolean;
  readonly isAudioOff: boolean;
}

export function closedState(): PublishSessionState {
  return {
    ...offState,
    choices: readChoices(),
    media: undefined,
    isBusy: false,
    isVideoOff: false,
    isAudioOff: false,
  };
}

/** Owns camera, microphone and publisher of the page. */
export class PublishSession {
  readonly #onChange: (state: PublishSessionState) => void;
  #state: PublishSessionState = closedState();
  #publisher: WhipPublisher | undefined;
  /** Devices are opened one at a time: two at once could leave one open and unused. */
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(onChange: (state: PublishSessionState) => void) {
    this.#onChange = onChange;
  }

  get state(): PublishSessionState {
    return this.#state;
  }

  preview(): Promise<void> {
    return this.#enqueue(async () => {
      if (!this.#state.media) this.#show(await captureBoth(this.#state.choices));
    });
  }

  goLive(url: string): Promise<void> {
    return this.#enqueue(async () => {
      if (!this.#state.media) this.#show(await captureBoth(this.#state.choices));
      this.#publisher?.stop();
      this.#publisher = new WhipPublisher({
        url,
        tracks: this.#state.media?.getTracks() ?? [],
        choices: this.#state.choices,
        onChange: (state) => this.#change(state),
      });
      this.#change({ phase: 'connecting', failure: undefined });
    });
  }

  /** Ends publishing; the preview stays. */
  stop(): void {
    this.#publisher?.stop();
    this.#publisher = undefined;
    this.#change(offState);
  }

  /** True if a new choice of this kind can take effect now. */
  canSwitch(kind: 'audio' | 'video'): boolean {
    return this.#publisher === undefined || this.#state.phase === 'failed' || this.#publisher.carries(kind);
  }

  choose(part: Partial<PublishChoices>): Promise<void> {
    const before = this.#state.choices;
    const choices = { ...before, ...part };
    saveChoices(choices);
    this.#change({ choices, failure: undefined });
    return this.#enqueue(
      async () => {
        await this.#publisher?.choose(choices);
        if (!this.#state.media) return;
        if (choices.picture !== before.picture || choices.cameraId !== before.cameraId) {
          await this.#replaceTrack('video', await captureVideo(choices));
        } else if (choices.size !== before.size || choices.frameRate !== before.frameRate) {
          await this.#state.media.getVideoTracks()[0]?.applyConstraints(toVideoConstraints(choices));
        }
        if (choices.microphoneId !== before.microphoneId)
          await this.#replaceTrack('audio', await captureAudio(choices));
      },
      { choices: before },
    );
  }

  setOff(kind: 'audio' | 'video', isOff: boolean): void {
    this.#change(kind === 'audio' ? { isAudioOff: isOff } : { isVideoOff: isOff });
    this.#applyEnabled();
  }

  close(): void {
    this.#isClosed = true;
    this.#publisher?.stop();
    for (const track of this.#state.media?.getTracks() ?? []) track.stop();
  }

  async #enqueue(work: () => Promise<void>, ifFailed: Partial<PublishSessionState> = {}): Promise<void> {
    const turn = this.#work.then(async () => {
      if (this.#isClosed) return;
      this.#change({ isBusy: true });
      try {
        await work();
      } catch (error) {
        this.#change({ ...ifFailed, ...this.#toFailureState(toCaptureFailure(error)) });
      } finally {
        this.#change({ isBusy: false });
      }
    });
    this.#work = turn;
    await turn;
  }

  /** A device that fails to open does not end a live session. */
  #toFailureState(failure: PublishFailure): Partial<PublishSessionState> {
    return this.#publisher && this.#state.phase !== 'failed' ? { failure } : { failure, phase: 'failed' };
  }

  async #replaceTrack(kind: 'audio' | 'video', track: MediaStreamTrack | undefined): Promise<void> {
    const others = this.#state.media?.getTracks().filter((other) => other.kind !== kind) ?? [];
    const former = this.#state.media?.getTracks().filter((other) => other.kind === kind) ?? [];
    this.#show(track ? [...others, track] : others);
    await this.#publisher?.replace(kind, track);
    for (const old of former) old.stop();
  }

  #show(tracks: readonly MediaStreamTrack[]): void {
    if (this.#isClosed) {
      for (const track of tracks) track.stop();
      return;
    }
    for (const track of tracks) {
      // Fires for the browser's "stop sharing" button and for unplugged devices.
      track.onended = () => {
        if (this.#state.choices.picture === 'screen' && track.kind === 'video') this.choose({ picture: 'camera' });
        else this.#change({ failure: { kind: 'device-busy', detail: track.label } });
      };
    }
    this.#change({ media: new MediaStream([...tracks]), failure: undefined });
    this.#applyEnabled();
  }

  #applyEnabled(): void {
    for (const track of this.#state.media?.getTracks() ?? []) {
      track.enabled = track.kind === 'audio' ? !this.#state.isAudioOff : !this.#state.isVideoOff;
    }
  }

  #change(part: Partial<PublishSessionState>): void {
    this.#state = { ...this.#state, ...part };
    if (!this.#isClosed) this.#onChange(this.#state);
  }
}
