import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { outletLimits, transcriptLimits } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';

interface StreamChoiceProps {
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** Streams that get subtitles: live ones, and others by name. Empty means the newest. */
export function StreamChoice({ chosen, onChange }: StreamChoiceProps) {
  const { t } = useTranslation();
  const { data } = useQuery(streamsQuery);
  const [typed, setTyped] = useState('');
  const live = (data?.streams ?? []).map(streamLabel);
  const isFull = chosen.length >= transcriptLimits.streams;
  const name = typed.trim();
  const add = () => {
    if (name === '' || isFull) return;
    if (!chosen.includes(name)) onChange([...chosen, name]);
    setTyped('');
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // Enter would submit the form without the stream.
    event.preventDefault();
    add();
  };
  return (
    <Checkbox.Group
      label={t('transcript.streams.label')}
      description={t('transcript.streams.help', { most: transcriptLimits.streams })}
      size="md"
      value={[...chosen]}
      onChange={onChange}
    >
      <Stack gap="xs" mt="xs">
        {chosen.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('transcript.streams.newest')}
          </Text>
        )}
        {[...new Set([...live, ...chosen])].map((stream) => (
          <Checkbox
            key={stream}
            value={stream}
            label={live.includes(stream) ? stream : t('transcript.streams.away', { stream })}
            disabled={isFull && !chosen.includes(stream)}
          />
        ))}
        <Group gap="xs" align="flex-end">
          <TextInput
            aria-label={t('transcript.streams.name')}
            placeholder="live/livestream"
            autoComplete="off"
            spellCheck={false}
            maxLength={outletLimits.streamCharacters}
            value={typed}
            disabled={isFull}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={press}
          />
          <Button variant="default" disabled={name === '' || isFull} onClick={add}>
            {t('transcript.streams.add')}
          </Button>
        </Group>
      </Stack>
    </Checkbox.Group>
  );
}
