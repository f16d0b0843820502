import type { DubbingGroup, DubbingProject } from '@weir/contract';
import { dubbingPaths } from '@weir/contract';
import { useEffect, useRef, useState } from 'react';
import { findGroupIndex } from '../group-status.ts';
import { type AudioMode, DubPlayer } from './dub-player.ts';

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
