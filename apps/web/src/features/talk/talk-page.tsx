import { Loader, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConnectionNotice } from './connection-notice.tsx';
import { useGreeting } from './identity/greeting.ts';
import { StartForm } from './identity/start-form.tsx';
import classes from './talk.module.css';
import type { TalkAddress } from './talk-address.ts';
import { TalkView } from './talk-view.tsx';
import { useConversation } from './use-conversation.ts';
import { useWakeLock } from './voice/use-wake-lock.ts';

/** One page in a room: comes in, asks for a name, then talks or listens. */
export function TalkPage({ talk }: { talk: TalkAddress }) {
  const { t } = useTranslation();
  const conversation = useConversation(talk);
  const { state, session } = conversation;
  const [isGreeting, setIsGreeting] = useState(false);
  const { phase, entries } = state;
  useWakeLock(phase === 'live');
  useGreeting(conversation, talk.mode === 'transcript');
  if (phase === 'starting' || (phase === 'ended' && entries.length === 0))
    return (
      <Stack gap="md" className={classes.narrow}>
        {phase === 'starting' && (
          <div className={classes.starting} role="status">
            <Loader size="sm" />
            <Text c="dimmed">{t('talk.starting')}</Text>
          </div>
        )}
        {phase === 'ended' && <Title order={1}>{t('talk.title')}</Title>}
        <ConnectionNotice state={state} session={session} />
      </Stack>
    );
  if (phase === 'naming' || isGreeting)
    return <StartForm conversation={conversation} isGreeting={isGreeting} onGreeting={setIsGreeting} />;
  return <TalkView conversation={conversation} />;
}
