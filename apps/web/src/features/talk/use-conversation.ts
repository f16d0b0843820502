import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TalkAddress } from './talk-address.ts';
import { conversationRows, type Turn } from './transcript/conversation-rows.ts';
import { useSpokenAnswers } from './use-spoken-answers.ts';
import { useTalkSession } from './use-talk-session.ts';
import { useTips } from './use-tips.ts';
import { useCaptions } from './voice/captions/use-captions.ts';
import { roomAudio } from './voice/playback/room-audio.ts';
import { useVoice } from './voice/use-voice.ts';
import type { RecordedUtterance } from './voice/voice-types.ts';

const nothing = { text: '', audio: '', heard: '', caption: '', isDraft: false, milliseconds: 0 } as const;
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
  const { sid = '', spid = '' } = state.seat ?? {};
  const source = useMemo(
    () => (spid === '' ? undefined : roomAudio({ room, roomToken, sid, spid })),
    [room, roomToken, sid, spid],
  );
  const mergeMessages = mode === 'dictation' ? dictationMerge : 0;
  const isDraft = state.seat?.aiAsrEdit === true;
  const setDraft = (text: string) => session.store.dispatch({ type: 'typed', draft: text });
  const say = (said: Partial<Parameters<typeof session.sender.say>[0]>): boolean => {
    const isTaken = session.sender.say({ ...nothing, mergeMessages, ...said });
    if (!isTaken) tips.show({ tone: 'bad', text: t('talk.queueFull') });
    return isTaken;
  };
  const captions = useCaptions(session);
  const onUtterance = ({ audio, heldMs, hasVoice }: RecordedUtterance) => {
    const isByHand = mode === 'chat' && !microphone.isHandsFree;
    const { heard, caption } = captions.finish();
    if (heard === '' && isByHand && (!hasVoice || heldMs < shortestMs))
      tips.show({ tone: 'warn', text: t('talk.tooShort') });
    else if (hasVoice) say({ audio, heard, caption, isDraft, milliseconds: Math.round(heldMs) });
    else if (heard !== '' && isDraft) session.store.dispatch({ type: 'drafted', id: '', text: heard });
    else if (heard !== '') say({ text: heard });
  };
  const longestSeconds = mode === 'dictation' ? { longestSeconds: dictationSeconds } : {};
  const { microphone, playback } = useVoice({ source, onUtterance, onOpen: captions.request, ...longestSeconds });
  captions.markTranscribed.current = microphone.markTranscribed;
  const silent = useSpokenAnswers(state.entries, playback, mode !== 'dictation');
  const { entries, outbox, mine, problems, draft } = state;
  const rows = useMemo(() => conversationRows({ entries, outbox, mine, problems }), [entries, outbox, mine, problems]);
  const you = state.name || t('talk.you');
  const nameOf = ({ isAssistant, isMine, name }: Turn) =>
    name || (isAssistant ? t('talk.bot') : isMine ? you : t('talk.guest'));
  return {
    talk,
    session,
    state,
    tips,
    draft,
    setDraft,
    isDraft,
    say,
    microphone,
    playback,
    silent,
    rows,
    caption: captions.text,
    you,
    nameOf,
  };
}

export type Conversation = ReturnType<typeof useConversation>;
