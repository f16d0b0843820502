import { Button, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './talk.module.css';
import { CaptionRow } from './transcript/caption-row.tsx';
import { TranscriptView } from './transcript/transcript-view.tsx';
import type { Conversation } from './use-conversation.ts';

/** After this long people wonder whether something is broken. */
const slowMs = 8000;

/** What was said in the room, what is being said, and what does not get through. */
export function ConversationLog({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const { talk, session, state, playback, silent, rows, caption, you, nameOf, setDraft } = conversation;
  const isOver = state.phase === 'ended';
  const canSpeak = talk.mode !== 'transcript' && !isOver;
  return (
    <TranscriptView
      rows={rows}
      caption={caption}
      turns={{
        nameOf,
        silent,
        onStop: playback.stop,
        playing: playback.state === 'idle' ? '' : playback.asid,
        onReplay: isOver ? undefined : (asids) => void playback.replay(asids),
        onEdit: canSpeak ? setDraft : undefined,
        onAskAgain: canSpeak ? (rid) => void session.sender.askAgain(rid) : undefined,
      }}
      waiting={{
        you,
        isOver,
        isOffline: state.trouble !== undefined,
        onRetry: (id) => session.sender.retry(id),
        onDiscard: (id) => session.sender.discard(id),
      }}
      empty={state.phase === 'waiting' ? t('talk.nobody') : t('talk.empty')}
      now={
        <>
          {caption !== '' && <CaptionRow text={caption} you={you} />}
          {state.isPending && <Answering />}
          {playback.state === 'blocked' && (
            <p className={classes.now}>
              <Button size="compact-md" variant="default" onClick={() => void playback.resume().catch(() => undefined)}>
                {t('talk.allowAudio')}
              </Button>
            </p>
          )}
        </>
      }
    />
  );
}

function Answering() {
  const { t } = useTranslation();
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), slowMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p className={classes.now}>
      <Loader size={14} type="dots" aria-hidden /> {isSlow ? t('talk.slow') : t('talk.answering')}
    </p>
  );
}
