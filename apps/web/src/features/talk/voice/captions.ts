import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { joinTexts } from '../session/join-texts.ts';
import type { TalkSession } from '../session/talk-session.ts';
import type { OpenSpeech } from './voice-types.ts';

interface Context {
  /** Asks the server; `isFinal`: it need not hear that again. `canLook`: asking while somebody speaks costs nothing. */
  readonly hear: (
    audio: string,
    moment: 'speaking' | 'pausing',
    signal: AbortSignal,
  ) => Promise<{ readonly text: string; readonly isFinal: boolean; readonly canLook: boolean }>;
  readonly markTranscribed: (speech: OpenSpeech, isUnderstood: boolean) => void;
  readonly nowMs: () => number;
}

/** What is longer is not looked at as a whole again and again. */
const longestSeconds = 10;
/** After a failure. */
const restMs = 10_000;

/** What is understood of speech while it goes on. It may change until the speech is over, and may be nothing: the utterance does not depend on it. */
export class Captions {
  readonly #context: Context;
  readonly #listeners = new Set<() => void>();
  #pending: { readonly isPause: boolean; readonly end: AbortController } | undefined;
  /** Understood for good, by the server. */
  #heard = '';
  /** Said before what is being looked at. */
  #transcribed = '';
  #text = '';
  #restUntilMs = 0;
  /** As far as is known of this utterance. */
  #canLook = true;

  constructor(context: Context) {
    this.#context = context;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Empty: nothing is being said, or nothing is understood of it yet. */
  readonly view = (): string => this.#text;

  /** There is more of what is being said. */
  readonly request = (speech: OpenSpeech): void => {
    const now = this.#context.nowMs();
    const { isPause } = speech;
    if (now < this.#restUntilMs || (!isPause && !this.#canLook)) return;
    // A look that is under way is of less use than a whole sentence.
    if (this.#pending && (this.#pending.isPause || !isPause)) return;
    this.#pending?.end.abort();
    const asking = { isPause, end: new AbortController() };
    this.#pending = asking;
    void this.#fetchCaption(speech, asking.end.signal).finally(() => {
      if (this.#pending === asking) this.#pending = undefined;
    });
  };

  /** The utterance is over. `heard`: what of it is not in its audio any more; `caption`: what is known of all of it. */
  readonly finish = (): { readonly heard: string; readonly caption: string } => {
    const taken = { heard: this.#heard, caption: this.#text };
    this.#pending?.end.abort();
    this.#pending = undefined;
    [this.#heard, this.#transcribed, this.#canLook] = ['', '', true];
    this.#show('');
    return taken;
  };

  async #fetchCaption(speech: OpenSpeech, signal: AbortSignal): Promise<void> {
    const { hear, markTranscribed, nowMs } = this.#context;
    try {
      const { text, isFinal, canLook } = await hear(speech.audio(), speech.isPause ? 'pausing' : 'speaking', signal);
      if (signal.aborted) return;
      this.#canLook = canLook;
      if (text === '') return;
      const whole = joinTexts(this.#transcribed, text);
      // Only from the begin on: what was merely looked at has to be heard as a whole.
      const isUnderstood = isFinal && this.#transcribed === this.#heard;
      if (isUnderstood) this.#heard = whole;
      if (isUnderstood || speech.isPause || speech.seconds >= longestSeconds) {
        this.#transcribed = whole;
        markTranscribed(speech, isUnderstood);
      }
      this.#show(whole);
    } catch {
      // Captions are worth no words: what is said is sent and understood in any case.
      if (!signal.aborted) this.#restUntilMs = nowMs() + restMs;
    }
  }

  #show(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    for (const listener of this.#listeners) listener();
  }
}

/** Captions of what is said on this page. `settle` is of the microphone, which comes later. */
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
