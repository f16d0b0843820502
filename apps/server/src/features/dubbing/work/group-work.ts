import { type DubbingProject, dubbingLimits } from '@weir/contract';
import type { Ai, ChatAsk } from '../../../ai/ai.ts';
import { toProviderChoice } from '../../../ai/provider-choice.ts';
import { type Clock, isoNow } from '../../../core/clock.ts';
import type { FilmFiles } from '../film/film-files.ts';
import { fullText, isTranslated, sourceText, speakingUnits, spokenText } from '../script/group-text.ts';
import type { GroupRow } from '../script/rows.ts';
import type { Script } from '../script/script.ts';
import { availableTime, fitInto } from '../steps/fit-speech.ts';
import { longestAnswer, readAnswer, rephraseMessages, translationMessages } from '../steps/prompts.ts';
import { atTempo, describeSpeaker, speak } from '../steps/speak.ts';

interface Context {
  readonly ai: Pick<Ai, 'chat' | 'speak'>;
  readonly clock: Clock;
  readonly script: Script;
  readonly files: FilmFiles;
  /** Current settings, read for each call so that changes apply at once. */
  readonly project: () => DubbingProject;
}

/** Until the voice has said something: characters in a second, as most people speak. */
const usualPace = 15;
const secondsToJudge = 5;
const contextGroups = 2;
/** Requested length of a shorter text, as a share of the current one. */
const shorter = 0.85;

/** Finds and does the missing work of a group. All state is in the row. */
export class GroupWork {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  lacksTranslation(group: GroupRow): boolean {
    return this.#isTranslating && !isTranslated(group);
  }

  lacksVoice(group: GroupRow): boolean {
    const { tts } = this.#context.project();
    if (tts?.aiTtsEnabled === false) return false;
    const text = spokenText(group, this.#isTranslating);
    return text !== '' && (group.voice?.text !== text || group.voice.by !== describeSpeaker(tts));
  }

  /** True if the text must be shortened or the tempo changed. */
  lacksFit(group: GroupRow): boolean {
    if (!group.voice || this.lacksVoice(group)) return false;
    return this.#canShorten(group) || this.#fitOf(group).tempo !== group.voice.tempo;
  }

  async translate(group: GroupRow, signal: AbortSignal): Promise<void> {
    const { script, clock } = this.#context;
    const project = this.#context.project();
    const text = sourceText(group);
    const at = script.placeOf(group.uuid);
    const around = (from: number, to: number) =>
      script.groups.slice(Math.max(0, from), Math.max(0, to)).map(sourceText);
    const budget = Math.max(4, Math.floor((group.end - group.start) * this.#pace()));
    const messages = translationMessages({
      project,
      text,
      budget,
      before: around(at - contextGroups, at),
      after: around(at + 1, at + 1 + contextGroups),
    });
    const translated = await this.#ask(project.trans, messages, text, signal);
    const made = { translated, suggested: translated, translatedOf: text, translatedAt: isoNow(clock) };
    await script.change(group, { ...made, ...notShortened, voice: null, ...noFailure });
  }

  async speak(group: GroupRow, signal: AbortSignal): Promise<void> {
    const { ai, script, files, clock } = this.#context;
    const { tts } = this.#context.project();
    const text = spokenText(group, this.#isTranslating);
    const { name, seconds } = await speak(text, { ai, tts, take: group.takes, files, signal });
    const voice = { name, text, by: describeSpeaker(tts), natural: seconds, seconds, tempo: 1, at: isoNow(clock) };
    await script.change(group, { voice, ...noFailure });
  }

  /** Takes one step towards fitting. */
  async fit(group: GroupRow, signal: AbortSignal): Promise<void> {
    if (this.#canShorten(group)) return this.shorten(group, signal);
    const { script, files } = this.#context;
    const { voice } = group;
    if (!voice) return;
    const { tempo } = this.#fitOf(group);
    const { name, seconds } = await atTempo(files, voice.name, tempo, signal);
    await script.change(group, { voice: { ...voice, name, seconds, tempo }, ...noFailure });
  }

  /** Looks for a shorter way to say it, whether that is needed or not. */
  async shorten(group: GroupRow, signal: AbortSignal): Promise<void> {
    const { script, clock } = this.#context;
    const project = this.#context.project();
    const text = spokenText(group, this.#isTranslating);
    const { own } = availableTime(group, script.after(group.uuid), this.#filmSeconds);
    const room = Math.floor(own * this.#pace() * (text.length / Math.max(1, speakingUnits(text))));
    const budget = Math.max(4, Math.min(room, Math.floor(text.length * shorter)));
    const rephrased = await this.#ask(project.rephrase, rephraseMessages({ project, text, budget }), text, signal);
    const of = { rephrasedOf: fullText(group, this.#isTranslating), rephrasedAt: isoNow(clock) };
    await script.change(group, { rephrased, ...of, shortenings: group.shortenings + 1, ...noFailure });
  }

  #canShorten(group: GroupRow): boolean {
    const { rephrase } = this.#context.project();
    if (rephrase?.aiChatEnabled === false || group.shortenings >= dubbingLimits.rephrasings) return false;
    const { own } = availableTime(group, this.#context.script.after(group.uuid), this.#filmSeconds);
    return fitInto(group.voice?.natural ?? 0, { own, withPause: own }).tempo > 1;
  }

  #fitOf(group: GroupRow) {
    const room = availableTime(group, this.#context.script.after(group.uuid), this.#filmSeconds);
    return fitInto(group.voice?.natural ?? 0, room);
  }

  get #isTranslating(): boolean {
    return this.#context.project().trans?.aiChatEnabled !== false;
  }

  get #filmSeconds(): number {
    return this.#context.project().format?.duration ?? 0;
  }

  /** Measured pace of the current voice, in `speakingUnits` per second. */
  #pace(): number {
    const by = describeSpeaker(this.#context.project().tts);
    const spoken = this.#context.script.groups.filter(({ voice }) => voice?.by === by);
    const seconds = spoken.reduce((sum, group) => sum + (group.voice?.natural ?? 0), 0);
    if (seconds < secondsToJudge) return usualPace;
    return spoken.reduce((sum, { voice }) => sum + speakingUnits(voice?.text ?? ''), 0) / seconds;
  }

  async #ask(
    assistant: DubbingProject['trans'],
    messages: ChatAsk['messages'],
    text: string,
    signal: AbortSignal,
  ): Promise<string> {
    const model = assistant?.aiChatModel ?? '';
    const ask: ChatAsk = { feature: 'dubbing', provider: toProviderChoice(assistant), messages, signal };
    let answer = '';
    for await (const piece of this.#context.ai.chat({ ...ask, ...(model !== '' && { model }) })) {
      answer += piece;
      if (answer.length > longestAnswer(text) * 2) break;
    }
    return readAnswer(answer, text);
  }
}

export const notShortened = { rephrased: '', rephrasedOf: '', rephrasedAt: '', shortenings: 0 } as const;
const noFailure = { cause: null, failures: 0 } as const;
