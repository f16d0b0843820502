import { type DubbingGroup, type DubbingProject, dubbingDucking, dubbingPaths } from '@weir/contract';
import { useEffect, useRef, useState } from 'react';
import { findGroupIndex } from './group-status.ts';

interface VideoPlayerOptions {
  readonly project: Pick<DubbingProject, 'uuid' | 'background'>;
  readonly groups: readonly DubbingGroup[];
  /** Token for the video and its voices; undefined until loaded. */
  readonly token: string | undefined;
}

/** Offset past the border: players that round down would show the previous group. */
const within = 0.001;

/** Player of a project's video with the voices of its groups. */
export function useVideoPlayer({ project: { uuid, background }, groups, token = '' }: VideoPlayerOptions) {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [audioMode, setAudioMode] = useState<AudioMode>('dub');
  const [groupIndex, setGroupIndex] = useState(0);
  const [isPlaying, setIsPlaying] = useState(false);
  const voices = useRef<DubPlayer>(undefined);
  const address = (path: string, more: Record<string, string> = {}) =>
    `${path}?${new URLSearchParams({ uuid, token, ...more })}`;
  // The voice's name in the URL prevents that an old voice is played from the cache.
  const voiceUrl = (group: DubbingGroup) =>
    token === '' ? undefined : address(dubbingPaths.voice, { group: group.uuid, tts: group.tts });
  const playing = { groups, mode: audioMode, isDucked: background === 'ducked', voiceUrl };
  const latest = useRef(playing);
  useEffect(() => {
    latest.current = playing;
    voices.current?.update(playing);
  });
  useEffect(() => {
    if (!video) return;
    const made = new DubPlayer(video, latest.current, (next, plays) => {
      // Before the first group starts, the first group is current.
      if (latest.current.groups.length > 0) setGroupIndex(Math.max(0, next));
      setIsPlaying(plays);
    });
    voices.current = made;
    return () => {
      voices.current = undefined;
      made.close();
    };
  }, [video]);

  const go = (to: number) => {
    const target = Math.max(0, Math.min(groups.length - 1, to));
    const group = groups[target];
    if (!group) return;
    if (video) video.currentTime = group.start + within;
    setGroupIndex(target);
  };
  return {
    video,
    setVideo,
    audioMode,
    setAudioMode,
    groupIndex,
    isPlaying,
    go,
    seek: (seconds: number) => {
      if (video) video.currentTime = Math.max(0, Math.min(video.duration || seconds, seconds));
    },
    url: token === '' ? undefined : address(dubbingPaths.play),
    toggle: () => {
      if (video?.paused) video.play().catch(() => undefined);
      else video?.pause();
    },
    /** Plays from the start of a group, or pauses if that group is playing. */
    play: (from: number, what: AudioMode) => {
      if (isPlaying && from === groupIndex && what === audioMode) return video?.pause();
      setAudioMode(what);
      go(from);
      video?.play().catch(() => undefined);
    },
    /** Current position if it lies in this group. */
    headIn: (group: DubbingGroup): number | undefined => {
      const at = video?.currentTime ?? 0;
      return groups[findGroupIndex(groups, at)]?.uuid === group.uuid && at < group.end ? at : undefined;
    },
  };
}
export type VideoPlayer = ReturnType<typeof useVideoPlayer>;

/** Audio that is played: the original, the voices instead of it, or both. */
export const audioModes = ['source', 'dub', 'both'] as const;
export type AudioMode = (typeof audioModes)[number];

interface DubPlayback {
  readonly groups: readonly DubbingGroup[];
  readonly mode: AudioMode;
  /** Plays the original audio quietly under the voices, as the export does. */
  readonly isDucked: boolean;
  /** Undefined until the token is loaded. */
  readonly voiceUrl: (group: DubbingGroup) => string | undefined;
}

/** Larger drift between voice and video is corrected. */
const driftSeconds = 0.25;

/** Plays the voices of the groups in sync with the video. */
class DubPlayer {
  readonly #video: HTMLVideoElement;
  /** Two elements: the first plays while the second loads. */
  readonly #voices = [new Audio(), new Audio()] as const;
  readonly #left = new AbortController();
  readonly #onGroup: (groupIndex: number, isPlaying: boolean) => void;
  #playing: DubPlayback;
  #frame = 0;
  #volume: number | undefined;
  #volumeAtMs = 0;

  constructor(
    video: HTMLVideoElement,
    playing: DubPlayback,
    onGroup: (groupIndex: number, isPlaying: boolean) => void,
  ) {
    this.#video = video;
    this.#playing = playing;
    this.#onGroup = onGroup;
    const { signal } = this.#left;
    for (const event of ['play', 'pause', 'seeked', 'ratechange', 'ended'])
      video.addEventListener(event, () => this.#sync(), { signal });
  }

  update(playing: DubPlayback): void {
    this.#playing = playing;
    this.#sync();
  }

  close(): void {
    this.#left.abort();
    cancelAnimationFrame(this.#frame);
    for (const voice of this.#voices) {
      voice.pause();
      voice.removeAttribute('src');
    }
  }

  /** Runs on every frame: `timeupdate` comes four times a second, which is a word too late. */
  #sync(): void {
    cancelAnimationFrame(this.#frame);
    if (this.#left.signal.aborted) return;
    const { currentTime: at, paused } = this.#video;
    const { groups } = this.#playing;
    const groupIndex = findGroupIndex(groups, at);
    this.#onGroup(groupIndex, !paused);
    this.#playVoice(groups[groupIndex], groups[groupIndex + 1], at);
    if (!paused) this.#frame = requestAnimationFrame(() => this.#sync());
  }

  #playVoice(group: DubbingGroup | undefined, next: DubbingGroup | undefined, at: number): void {
    const { groups, mode, isDucked } = this.#playing;
    const isSpoken = group !== undefined && group.tts !== '' && at < group.start + group.tts_duration;
    const isHeard = mode !== 'source' && isSpoken && !this.#video.paused;
    const heard = isHeard ? this.#loadVoice(group) : undefined;
    for (const voice of this.#voices) if (voice !== heard && !voice.paused) voice.pause();
    if (heard && group) {
      const within = at - group.start;
      heard.playbackRate = this.#video.playbackRate;
      if (Math.abs(heard.currentTime - within) > driftSeconds && !heard.seeking) heard.currentTime = within;
      // Browsers may refuse before a click; the next frame tries again.
      if (heard.paused && !heard.ended) heard.play().catch(() => undefined);
    }
    if (mode !== 'source' && next && next.tts !== '' && next.start - at < 10) this.#loadVoice(next, heard);
    // A video without any voice keeps its own audio.
    const isReplaced = mode === 'dub' && groups.some(({ tts }) => tts !== '');
    if (isReplaced && isDucked) this.#duck(isHeard);
    else this.#setVolume(isReplaced ? 0 : 1);
  }

  /** Returns the element that has this voice, or loads it into a free one. */
  #loadVoice(group: DubbingGroup, busy?: HTMLAudioElement): HTMLAudioElement | undefined {
    const url = this.#playing.voiceUrl(group);
    if (url === undefined) return undefined;
    const known = this.#voices.find(({ dataset }) => dataset.url === url);
    if (known) return known;
    const free = this.#voices.find((voice) => voice !== busy && voice.paused) ?? this.#voices[0];
    free.dataset.url = url;
    free.preload = 'auto';
    free.src = url;
    return free;
  }

  /** Lowers the volume at once and raises it slowly, as the export does. */
  #duck(isHeard: boolean): void {
    const nowMs = performance.now();
    const { gain, attackMs, releaseMs } = dubbingDucking;
    const target = isHeard ? gain : 1;
    const before = this.#volume || 1;
    const passed = this.#video.paused ? Number.POSITIVE_INFINITY : nowMs - this.#volumeAtMs;
    const share = 1 - Math.exp(-passed / (isHeard ? attackMs : releaseMs));
    const next = before + (target - before) * share;
    this.#volumeAtMs = nowMs;
    this.#setVolume(Math.abs(next - target) < 0.01 ? target : next);
  }

  /** Writes only changes, because the user may set the volume in between. */
  #setVolume(volume: number): void {
    if (volume === this.#volume) return;
    this.#volume = volume;
    this.#video.muted = volume === 0;
    if (volume > 0) this.#video.volume = volume;
  }
}
