import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TalkAddress } from './popout-address.ts';
import { conversationRows, type Turn } from './transcript/conversation-rows.ts';
import { useSpokenAnswers } from './use-spoken-answers.ts';
import { useTalkSession } from './use-talk-session.ts';
import { useTips } from './use-tips.ts';
import { roomAudio } from './voice/playback/room-audio.ts';
import { useVoice } from './voice/use-voice.ts';
import type { Utterance } from './voice/voice-types.ts';

/** A press shorter than this was none to speak. */
const shortestMs = 600;
/** Dictation is understood while it is spoken; whole sentences are understood better. */
const dictationSeconds = 6;
const dictationMerge = 3;

/** Everything that a page of a room shows and does. */
export function useConversation(talk: TalkAddress) {
  const { t } = useTranslation();
  const { room, roomToken, mode } = talk;
  const { session, state } = useTalkSession(talk);
  const tips = useTips();
  const [draft, setDraft] = useState('');
  const { sid = '', spid = '' } = state.seat ?? {};
  const source = useMemo(
    () => (spid === '' ? undefined : roomAudio({ room, roomToken, sid, spid })),
    [room, roomToken, sid, spid],
  );
  const mergeMessages = mode === 'dictation' ? dictationMerge : 0;
  const say = (said: { text?: string; audio?: string; milliseconds?: number }): boolean => {
    const isTaken = session.sender.say({ text: '', audio: '', milliseconds: 0, mergeMessages, ...said });
    if (!isTaken) tips.show({ tone: 'bad', text: t('talk.queueFull') });
    return isTaken;
  };
  const onUtterance = ({ audio, heldMs, hasVoice }: Utterance) => {
    const isByHand = mode === 'chat' && !microphone.isHandsFree;
    if (isByHand && (!hasVoice || heldMs < shortestMs)) tips.show({ tone: 'warn', text: t('talk.tooShort') });
    else if (hasVoice) say({ audio, milliseconds: Math.round(heldMs) });
  };
  const longestSeconds = mode === 'dictation' ? { longestSeconds: dictationSeconds } : {};
  const { microphone, playback } = useVoice({ source, onUtterance, ...longestSeconds });
  const silent = useSpokenAnswers(state.entries, playback, mode !== 'dictation');
  const { entries, outbox, mine, problems } = state;
  const rows = useMemo(() => conversationRows({ entries, outbox, mine, problems }), [entries, outbox, mine, problems]);
  const you = state.name || t('talk.you');
  const nameOf = ({ isAssistant, isMine, name }: Turn) =>
    name || (isAssistant ? t('talk.bot') : isMine ? you : t('talk.guest'));
  return { talk, session, state, tips, draft, setDraft, say, microphone, playback, silent, rows, you, nameOf };
}

export type Conversation = ReturnType<typeof useConversation>;
