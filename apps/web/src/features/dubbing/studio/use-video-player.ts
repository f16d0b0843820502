import { type DubbingGroup, type DubbingProject, dubbingDucking, dubbingPaths } from '@weir/contract';
import { useEffect, useRef, useState } from 'react';
import { findGroupIndex } from './group-status.ts';

interface VideoPlayerOptions {
  readonly project: Pick<DubbingProject, 'uuid' | 'background'>;
  readonly groups: readonly DubbingGroup[];
  /** Opens the film and its voices; undefined: not known yet. */
  readonly token: string | undefined;
}

/** Behind the border: a player that rounds down would show the group before. */
const within = 0.001;

/** The film of a project with the voices of its groups, and the group that is heard. */
export function useVideoPlayer({ project: { uuid, background }, groups, token = '' }: VideoPlayerOptions) {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [audioMode, setAudioMode] = useState<AudioMode>('dub');
  const [groupIndex, setGroupIndex] = useState(0);
  const [isPlaying, setIsPlaying] = useState(false);
  const voices = useRef<DubPlayer>(undefined);
  const address = (path: string, more: Record<string, string> = {}) =>
    `${path}?${new URLSearchParams({ uuid, token, ...more })}`;
  // The name of a voice makes another address of it, so that no old one is heard again.
  const voiceUrl = (group: DubbingGroup) => address(dubbingPaths.voice, { group: group.uuid, tts: group.tts });
  const playing = { groups, mode: audioMode, isDucked: background === 'ducked', voiceUrl };
  const latest = useRef(playing);
  useEffect(() => {
    latest.current = playing;
    voices.current?.update(playing);
  });
  useEffect(() => {
    if (!video) return;
    const made = new DubPlayer(video, latest.current, (next, plays) => {
      // Before the first word there is the first group.
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
    /** From the beginning of a group on; a group that plays already is paused. */
    play: (from: number, what: AudioMode) => {
      if (isPlaying && from === groupIndex && what === audioMode) return video?.pause();
      setAudioMode(what);
      go(from);
      video?.play().catch(() => undefined);
    },
    /** Seconds of the film, where that lies in this group. */
    headIn: (group: DubbingGroup): number | undefined => {
      const at = video?.currentTime ?? 0;
      return groups[findGroupIndex(groups, at)]?.uuid === group.uuid && at < group.end ? at : undefined;
    },
  };
}
export type VideoPlayer = ReturnType<typeof useVideoPlayer>;

/** What is heard: the film, the voices in its place, or both. */
export const audioModes = ['source', 'dub', 'both'] as const;
export type AudioMode = (typeof audioModes)[number];

interface DubPlayback {
  readonly groups: readonly DubbingGroup[];
  readonly mode: AudioMode;
  /** The film stays underneath, as in the export. */
  readonly isDucked: boolean;
  readonly voiceUrl: (group: DubbingGroup) => string;
}

/** Further apart than this, voice and film are brought together again. */
const driftSeconds = 0.25;

/** Plays the voices of groups over a film: each at its place, at the film's speed, for as long as the film plays. */
class DubPlayer {
  readonly #video: HTMLVideoElement;
  /** One is heard while the next is loaded. */
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

  /** On every frame while the film plays: its own event comes four times a second, which is a word too late. */
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
      // Refused where the page may not play yet: the next frame asks again.
      if (heard.paused && !heard.ended) heard.play().catch(() => undefined);
    }
    if (mode !== 'source' && next && next.tts !== '' && next.start - at < 10) this.#loadVoice(next, heard);
    // A film without a single voice yet is heard as it is.
    const isReplaced = mode === 'dub' && groups.some(({ tts }) => tts !== '');
    if (isReplaced && isDucked) this.#duck(isHeard);
    else this.#setVolume(isReplaced ? 0 : 1);
  }

  /** The one that has this group's voice, or that is given it now. */
  #loadVoice(group: DubbingGroup, busy?: HTMLAudioElement): HTMLAudioElement {
    const url = this.#playing.voiceUrl(group);
    const known = this.#voices.find(({ dataset }) => dataset.url === url);
    if (known) return known;
    const free = this.#voices.find((voice) => voice !== busy && voice.paused) ?? this.#voices[0];
    free.dataset.url = url;
    free.preload = 'auto';
    free.src = url;
    return free;
  }

  /** Down at once and up slowly, as in the export. */
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

  /** Only when it becomes another one: in between, the volume is the listener's. */
  #setVolume(volume: number): void {
    if (volume === this.#volume) return;
    this.#volume = volume;
    this.#video.muted = volume === 0;
    if (volume > 0) this.#video.volume = volume;
  }
}
