import { Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { readTalkAddress, type TalkAddressProblem } from './talk-address.ts';
import { TalkPage } from './talk-page.tsx';

/** Windows without the shell. The address names the app that fills the window. */
export function TalkEntryPage() {
  const [query] = useSearchParams();
  const address = useMemo(() => readTalkAddress(query), [query]);
  if (address.kind === 'problem') return <WrongLink problem={address.problem} app={address.app} />;
  const { room, roomToken, mode } = address.talk;
  return <TalkPage key={`${mode} ${room} ${roomToken}`} talk={address.talk} />;
}

function WrongLink({ problem, app }: { problem: TalkAddressProblem; app: string }) {
  const { t } = useTranslation();
  if (problem === 'invalidApp')
    return (
      <Stack gap={4}>
        <Title order={1}>{t('talk.link.invalidApp', { app })}</Title>
        <Text c="dimmed">{t('talk.link.invalidAppText')}</Text>
      </Stack>
    );
  return (
    <Stack gap={4} align="flex-start">
      <Title order={1}>{t('talk.link.incomplete')}</Title>
      <Text ff="monospace">{t(`talk.link.${problem}`)}</Text>
      <Text c="dimmed">{t(`talk.link.${problem}Text`)}</Text>
    </Stack>
  );
}
