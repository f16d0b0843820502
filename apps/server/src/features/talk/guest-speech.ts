import { type DataOf, type Room, type talkApi, talkLimits } from '@weir/contract';
import { isWide } from '../../speech/cue-lines.ts';
import type { CallRate } from './call-rate.ts';
import type { Conversation } from './conversation.ts';
import type { Hearing } from './hearing.ts';
import type { RoomMeter } from './room-meter.ts';
import { talkError } from './talk-access.ts';
import type { TalkUser } from './talk-user.ts';

interface Context {
  readonly hearing: Hearing;
  readonly rate: CallRate;
  /** Rate of interim recognitions, which are many and cost the owner only time. */
  readonly looks: CallRate;
  readonly meter: RoomMeter;
}

interface Where {
  readonly stage: Conversation;
  readonly room: Room;
  readonly user: TalkUser;
}

interface Words {
  readonly audio: string;
  readonly text: string;
  /** Text recognised before this audio. */
  readonly heard: string;
  readonly mergeMessages: number;
}

export interface Sound {
  readonly audio: string;
  readonly moment: 'speaking' | 'pausing' | 'done';
}

/** Speech recognition for guests, metered and limited. */
export class GuestSpeech {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Several may be understood at once; what follows happens in the order they were said. */
  async said(where: Where, { audio, text, heard, mergeMessages }: Words): Promise<string> {
    const { user } = where;
    // Speaking again interrupts the answer.
    if (mergeMessages === 0) for (const answer of user.answering) answer.abort();
    const isSpoken = audio !== '' && text === '';
    const counted = this.#count(where, isSpoken);
    const before = user.heard;
    const understood = counted.then(async () =>
      isSpoken ? joined(heard.trim(), await this.#understand(where, audio, heard)) : text.trim(),
    );
    user.heard = Promise.allSettled([before, understood]);
    const [, asr] = await Promise.all([before, understood]);
    if (asr !== '') user.previousText = asr;
    return asr;
  }

  /** Without saying it: for captions, and for text that is corrected before it is sent. */
  async heard(where: Where, { audio, moment }: Sound): Promise<DataOf<typeof talkApi.hear>> {
    const { stage, room, user } = where;
    const { hearing, looks } = this.#context;
    if (!room.aiAsrEnabled) throw talkError('text-only');
    const canLook = await hearing.isFree(room, user.language);
    if (moment === 'speaking' || (moment === 'pausing' && canLook)) {
      looks.take(room.uuid, user.address);
      const sound = { audio, room, language: user.language, signal: signalOf(where) };
      return { text: canLook ? await hearing.look(sound) : '', isFinal: false, canLook };
    }
    if (stage.uploads + stage.hearings >= talkLimits.uploads) throw talkError('crowd');
    stage.hearings += 1;
    try {
      await this.#count(where, true);
      const text = await this.#understand(where, audio, '');
      user.isCounted = true;
      return { text, isFinal: true, canLook };
    } finally {
      stage.hearings -= 1;
    }
  }

  /** Text that was understood and counted before is not counted again. */
  async #count({ room, user }: Where, isSpoken: boolean): Promise<void> {
    const isCounted = user.isCounted && !isSpoken;
    user.isCounted = false;
    if (isCounted) return;
    this.#context.rate.take(room.uuid, user.address);
    await this.#context.meter.take(room);
  }

  #understand(where: Where, audio: string, heard: string): Promise<string> {
    const { stage, room, user } = where;
    const { hearing, meter } = this.#context;
    const own = joined(user.previousText, heard);
    return hearing.understand({
      audio,
      room,
      language: user.language,
      signal: signalOf(where),
      before: room.aiAsrPrompt === 'user-only' ? own : joined(stage.chat.lastAnswer, own),
      onSeconds: (seconds) => void meter.heard(room.uuid, seconds).catch(() => undefined),
    });
  }
}

function signalOf({ stage, user }: Where): AbortSignal {
  return AbortSignal.any([stage.end.signal, user.gone.signal]);
}

/** Texts that were said one after the other. */
function joined(one: string, other: string): string {
  const gap = one === '' || other === '' || isWide(one.slice(-1)) ? '' : ' ';
  return `${one}${gap}${other}`;
}
