import type { Transcription } from '../ai/ai.ts';
import type { Cue } from './cue.ts';
import { splitCue } from './cue-lines.ts';
import { cleanText, isDoubtful } from './doubtful-text.ts';
import type { Utterance } from './recogniser.ts';

/** Turns answers into cues that follow each other: none twice, none over another. Publishers have a clock each, and nothing to do with each other. */
export class CueMaker {
  #last: Cue | undefined;
  #epoch = '';

  /** In the order in which it was said: the last words of a publisher may be understood when the next one speaks. */
  cues(utterance: Utterance, answer: Transcription): Cue[] {
    if (utterance.epoch !== this.#epoch) this.#last = undefined;
    this.#epoch = utterance.epoch;
    const phrases = phrasesOf(utterance, answer);
    const shown = utterance.shown?.pages;
    // Viewers have read the first of it: it stays on the pages that they know.
    if (phrases.length > 0 && shown && shown.startsMs.length > 0) {
      const span = { startMs: utterance.spokenFromMs, endMs: utterance.endMs };
      const text = cleanText(answer.text);
      this.#last = { ...span, text };
      return shown.finish(text, span);
    }
    return phrases.flatMap((phrase) => {
      const last = this.#last;
      const startMs = Math.max(phrase.startMs, last?.endMs ?? phrase.startMs);
      const isRepeated =
        last?.text === phrase.text && phrase.startMs < last.endMs + 1000 && phrase.endMs - last.startMs < 2000;
      if (isRepeated || phrase.endMs <= startMs) return [];
      this.#last = { ...phrase, startMs };
      return splitCue(this.#last);
    });
  }
}

/** Phrases of an answer on the stream's clock, within their utterance, without what nobody can have said. */
function phrasesOf({ startMs, spokenFromMs, endMs }: Utterance, answer: Transcription): Cue[] {
  const seconds = (endMs - startMs) / 1000;
  const whole = cleanText(answer.text);
  if (whole === '' || isDoubtful(whole, seconds)) return [];
  const told = answer.segments.map(({ start, end, text }) => ({ start, end, text: cleanText(text) }));
  const isUsable = told.length > 0 && told.every(({ start, end }) => Number.isFinite(start) && Number.isFinite(end));
  const phrases = isUsable ? told : [{ start: 0, end: seconds, text: whole }];
  return phrases.flatMap(({ start, end, text }) => {
    if (text === '' || isDoubtful(text, Math.max(end - start, 0.5))) return [];
    const from = Math.round(startMs + 1000 * Math.min(Math.max(start, 0), seconds));
    const to = Math.round(startMs + 1000 * Math.min(Math.max(end, 0), seconds));
    // Most begin every answer at zero, which may be before the voice.
    return [{ startMs: Math.min(Math.max(from, spokenFromMs), endMs), endMs: to, text }];
  });
}
