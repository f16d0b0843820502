import { talkLimits } from '@weir/contract';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { joinTexts } from '../session/join-texts.ts';
import type { TalkSession } from '../session/talk-session.ts';
import type { OpenSpeech } from './voice-types.ts';

interface Context {
  /** Recognizes audio. `isFinal`: the server need not hear it again. `canLook`: requests during speech cost nothing. */
  readonly hear: (
    audio: string,
    moment: 'speaking' | 'pausing',
    signal: AbortSignal,
  ) => Promise<{ readonly text: string; readonly isFinal: boolean; readonly canLook: boolean }>;
  readonly markTranscribed: (speech: OpenSpeech, isUnderstood: boolean) => void;
  readonly nowMs: () => number;
}

/** Longer speech is not recognized again as a whole. */
const longestSeconds = 10;
/** Pause after a failure. */
const restMs = 10_000;

/**
 * Captions of ongoing speech. They may change until it ends, and may be missing: the utterance does not depend on them.
 */
export class Captions {
  readonly #context: Context;
  readonly #listeners = new Set<() => void>();
  #pending: { readonly isPause: boolean; readonly end: AbortController } | undefined;
  /** Final text from the server. */
  #heard = '';
  /** Text before the audio that is being recognized. */
  #transcribed = '';
  #text = '';
  #restUntilMs = 0;
  /** Last answer of the server for this utterance. */
  #canLook = true;

  constructor(context: Context) {
    this.#context = context;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Empty without speech or before the first recognition. */
  readonly view = (): string => this.#text;

  /** Requests a caption for the speech so far. */
  readonly request = (speech: OpenSpeech): void => {
    const now = this.#context.nowMs();
    const { isPause } = speech;
    if (now < this.#restUntilMs || (!isPause && !this.#canLook)) return;
    // A whole sentence replaces a pending partial request.
    if (this.#pending && (this.#pending.isPause || !isPause)) return;
    this.#pending?.end.abort();
    const request = { isPause, end: new AbortController() };
    this.#pending = request;
    void this.#fetchCaption(speech, request.end.signal).finally(() => {
      if (this.#pending === request) this.#pending = undefined;
    });
  };

  /** Ends the utterance. `heard`: text whose audio was removed; `caption`: preliminary text of the whole. */
  readonly finish = (): { readonly heard: string; readonly caption: string } => {
    const finished = { heard: this.#heard, caption: this.#text };
    this.#pending?.end.abort();
    this.#pending = undefined;
    [this.#heard, this.#transcribed, this.#canLook] = ['', '', true];
    this.#show('');
    return finished;
  };

  async #fetchCaption(speech: OpenSpeech, signal: AbortSignal): Promise<void> {
    const { hear, markTranscribed, nowMs } = this.#context;
    try {
      const moment = speech.isPause ? 'pausing' : 'speaking';
      // A busy server may have had no time for what was said before.
      const audio = speech.isPause ? speech.audio() : speech.audio(talkLimits.interimSeconds);
      const { text, isFinal, canLook } = await hear(audio, moment, signal);
      if (signal.aborted) return;
      this.#canLook = canLook;
      if (text === '') return;
      const whole = joinTexts(this.#transcribed, text);
      // Only text from the start on is final; partly recognized speech must be recognized as a whole.
      const isUnderstood = isFinal && this.#transcribed === this.#heard;
      if (isUnderstood) this.#heard = whole;
      if (isUnderstood || speech.isPause || speech.seconds >= longestSeconds) {
        this.#transcribed = whole;
        markTranscribed(speech, isUnderstood);
      }
      this.#show(whole);
    } catch {
      // Failed captions need no message: the utterance is recognized in any case.
      if (!signal.aborted) this.#restUntilMs = nowMs() + restMs;
    }
  }

  #show(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    for (const listener of this.#listeners) listener();
  }
}

/** Captions of this page. `markTranscribed` is set later, when the microphone exists. */
export function useCaptions(session: TalkSession) {
  const latest = useRef(session);
  latest.current = session;
  const markTranscribed = useRef<(speech: OpenSpeech, isUnderstood: boolean) => void>(() => undefined);
  const [captions] = useState(
    () =>
      new Captions({
        hear: (audio, moment, signal) => latest.current.hear(audio, moment, signal),
        markTranscribed: (speech, isUnderstood) => markTranscribed.current(speech, isUnderstood),
        nowMs: () => performance.now(),
      }),
  );
  useEffect(() => () => void captions.finish(), [captions]);
  const text = useSyncExternalStore(captions.subscribe, captions.view);
  return { text, request: captions.request, finish: captions.finish, markTranscribed };
}
