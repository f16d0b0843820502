import { useEffect, useRef } from 'react';
import classes from './level-meter.module.css';

/** Level at the left end of the bar, in dBFS. */
const quietestDb = -60;

/** Audio level: a moving bar proves that the microphone works. */
export function LevelMeter({ track, label }: { track: MediaStreamTrack; label: string }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = bar.current;
    if (!element || typeof AudioContext === 'undefined') return;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    let frame = 0;
    let shown = 0;
    const draw = () => {
      analyser.getFloatTimeDomainData(samples);
      const level = measureLevel(samples);
      // Falls slowly, so that peaks stay visible.
      shown = Math.max(level, shown - 0.02);
      element.style.setProperty('--level', shown.toFixed(3));
      element.setAttribute('aria-valuenow', String(Math.round(shown * 100)));
      frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    return () => {
      cancelAnimationFrame(frame);
      context.close();
    };
  }, [track]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> in their own colours, and in steps
    <div
      ref={bar}
      className={classes.meter}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={0}
    />
  );
}

/** 0 is silence and 1 full scale, linear in decibels. */
export function measureLevel(samples: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < samples.length; at += 1) sum += (samples[at] ?? 0) ** 2;
  if (sum === 0) return 0;
  const db = 10 * Math.log10(sum / samples.length);
  return Math.min(1, Math.max(0, 1 - db / quietestDb));
}
