import { type RefObject, useEffect, useRef } from 'react';
import { formatTimecode } from '../group-status.ts';

interface PlayHead {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** The line. */
  readonly head: RefObject<HTMLDivElement | null>;
  /** What tells the position to those who do not see the line. */
  readonly slider: RefObject<HTMLDivElement | null>;
  readonly pixelsPerSecond: number;
}

/** Of the view, where the line stands after the view went after it. */
const leadShare = 0.15;

/** Moves the line with the film, frame by frame and past React, and keeps it in view. */
export function usePlayHead(
  video: HTMLVideoElement | null,
  { scroller, head, slider, pixelsPerSecond }: PlayHead,
): void {
  const scale = useRef(pixelsPerSecond);
  useEffect(() => {
    scale.current = pixelsPerSecond;
    if (head.current) head.current.style.transform = `translateX(${(video?.currentTime ?? 0) * pixelsPerSecond}px)`;
  }, [head, pixelsPerSecond, video]);
  useEffect(() => {
    if (!video) return;
    let frame = 0;
    const left = new AbortController();
    const show = (isFollowing: boolean) => {
      cancelAnimationFrame(frame);
      const x = video.currentTime * scale.current;
      if (head.current) head.current.style.transform = `translateX(${x}px)`;
      slider.current?.setAttribute('aria-valuenow', video.currentTime.toFixed(1));
      slider.current?.setAttribute('aria-valuetext', formatTimecode(video.currentTime));
      const box = scroller.current;
      const isSeen = box && x >= box.scrollLeft && x <= box.scrollLeft + box.clientWidth * 0.95;
      if (box && isFollowing && !isSeen) box.scrollLeft = x - box.clientWidth * leadShare;
      if (!video.paused) frame = requestAnimationFrame(() => show(true));
    };
    for (const event of ['play', 'pause', 'seeked', 'loadedmetadata'])
      video.addEventListener(event, () => show(event !== 'loadedmetadata'), { signal: left.signal });
    show(false);
    return () => {
      cancelAnimationFrame(frame);
      left.abort();
    };
  }, [video, scroller, head, slider]);
}
