import { useComputedColorScheme } from '@mantine/core';
import { queryOptions } from '@tanstack/react-query';
import { dubbingApi } from '@weir/contract';
import { useLayoutEffect, useRef } from 'react';
import { client } from '../../../lib/api.ts';
import classes from './timeline.module.css';

interface WaveformProps {
  wave: WaveformPeaks | undefined;
  fromSeconds: number;
  width: number;
  pixelsPerSecond: number;
}

const height = 70;

export function Waveform({ wave, fromSeconds, width, pixelsPerSecond }: WaveformProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useComputedColorScheme();
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext?.('2d');
    if (!element || !context || !wave) return;
    const ratio = window.devicePixelRatio || 1;
    element.width = Math.max(1, Math.round(width * ratio));
    element.height = height * ratio;
    context.scale(ratio, ratio);
    context.fillStyle = getComputedStyle(element).color;
    for (const [x, share] of columnHeights(wave, fromSeconds, Math.ceil(width), pixelsPerSecond).entries()) {
      const tall = Math.max(1, share * height);
      context.fillRect(x, (height - tall) / 2, 1, tall);
    }
    // The theme decides the colour.
    void scheme;
  }, [wave, fromSeconds, width, pixelsPerSecond, scheme]);
  return <canvas ref={canvas} className={classes.wave} style={{ width, height }} aria-hidden />;
}

/** Loudness in half decibels; 255 = full scale. */
export interface WaveformPeaks {
  readonly peaks: Uint8Array;
  readonly perSecond: number;
  /** Level above which audio counts as speech. */
  readonly voice: number;
}

/** Measured once, when the server extracted the audio. */
export const peaksQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['dubbing', 'wave', uuid],
    queryFn: async ({ signal }): Promise<WaveformPeaks> => {
      const { peaks, ...facts } = await client.call(dubbingApi.peaks, { uuid }, { signal });
      return { ...facts, peaks: Uint8Array.from(atob(peaks), (sign) => sign.charCodeAt(0)) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });

/** Level that is drawn as silence. */
const quietest = 255 - 2 * 60;

/** Height of each pixel column, from 0 to 1. */
export function columnHeights(
  { peaks, perSecond }: WaveformPeaks,
  fromSeconds: number,
  columns: number,
  pixelsPerSecond: number,
) {
  return Array.from({ length: columns }, (_, x) => {
    const first = Math.floor((fromSeconds + x / pixelsPerSecond) * perSecond);
    const last = Math.max(first, Math.floor((fromSeconds + (x + 1) / pixelsPerSecond) * perSecond) - 1);
    let level = 0;
    for (let at = first; at <= last; at++) level = Math.max(level, peaks[at] ?? 0);
    return Math.max(0, (level - quietest) / (255 - quietest)) ** 1.6;
  });
}

/** Distance within which a border snaps. */
const reachSeconds = 0.25;

/**
 * Snaps a border to speech: a start to where it becomes loud, an end to where it becomes quiet. Returns the given
 * second if neither is near.
 */
export function snapToVoice(
  seconds: number,
  border: 'start' | 'end',
  { peaks, perSecond, voice }: WaveformPeaks,
): number {
  const isLoud = (at: number) => (peaks[at] ?? 0) >= voice;
  const middle = Math.round(seconds * perSecond);
  const reach = Math.round(reachSeconds * perSecond);
  for (let away = 0; away <= reach; away++)
    for (const at of [middle - away, middle + away]) {
      const isEdge = border === 'start' ? isLoud(at) && !isLoud(at - 1) : isLoud(at - 1) && !isLoud(at);
      if (at > 0 && isEdge) return at / perSecond;
    }
  return seconds;
}
