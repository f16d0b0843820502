import { useComputedColorScheme } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import classes from './timeline.module.css';
import { columnHeights, type WaveformPeaks } from './waveform-peaks.ts';

interface WaveformProps {
  wave: WaveformPeaks | undefined;
  fromSeconds: number;
  /** Pixels. */
  width: number;
  pixelsPerSecond: number;
}

const height = 70;

/** How loud the film is, for as much of it as is in view. */
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
    // The colour is the theme's.
    void scheme;
  }, [wave, fromSeconds, width, pixelsPerSecond, scheme]);
  return <canvas ref={canvas} className={classes.wave} style={{ width, height }} aria-hidden />;
}
