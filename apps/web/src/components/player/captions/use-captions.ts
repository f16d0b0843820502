import { useEffect, useRef, useState } from 'react';
import type { PlayerSource } from '../session/player-source.ts';
import { type CaptionChoice, readCaptionChoice, saveCaptionChoice, selectTrack } from './caption-choice.ts';
import { CaptionSession, type CaptionState, noCaptions } from './caption-session.ts';
import { findCueAddress } from './cue-address.ts';
import { type CaptionEvent, type CaptionFeed, CueEventFeed } from './cue-event-feed.ts';

interface CaptionOptions {
  readonly source: PlayerSource | undefined;
  /** True while video plays. */
  readonly isRunning: boolean;
  readonly positionMs: (edgeMs: number) => number | undefined;
  /** Subtitles inside the media; undefined if the playback has none. */
  readonly listen: (onEvent: (event: CaptionEvent) => void) => CaptionFeed | undefined;
}

export interface Captions extends CaptionState {
  readonly choose: (choice: CaptionChoice) => void;
}

const noFeed: CaptionFeed = { close: () => undefined, suspend: () => undefined, resume: () => undefined };

export function useCaptions({ source, isRunning, positionMs, listen }: CaptionOptions): Captions {
  const [state, setState] = useState(noCaptions);
  const session = useRef<CaptionSession>(undefined);
  const position = useRef(positionMs);
  position.current = positionMs;
  const listening = useRef(listen);
  listening.current = listen;
  const address = source && findCueAddress(source, new URL(window.location.href));

  // biome-ignore lint/correctness/useExhaustiveDependencies: another stream starts without tracks
  useEffect(() => setState(noCaptions), [address]);
  useEffect(() => {
    if (!isRunning) return;
    const current = new CaptionSession({
      open: (onEvent) =>
        address === undefined ? (listening.current(onEvent) ?? noFeed) : new CueEventFeed(address, onEvent),
      choice: readCaptionChoice(),
      positionMs: (edgeMs) => position.current(edgeMs),
      onChange: setState,
    });
    session.current = current;
    return () => {
      session.current = undefined;
      current.close();
      // The track menu stays during a pause.
      setState((last) => ({ ...last, lines: [] }));
    };
  }, [address, isRunning]);

  const choose = (choice: CaptionChoice) => {
    saveCaptionChoice(choice);
    if (session.current) session.current.choose(choice);
    else setState((last) => ({ ...last, track: selectTrack(choice, last.tracks) }));
  };
  return { ...state, choose };
}
