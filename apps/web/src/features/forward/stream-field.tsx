import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { outletLimits } from '@weir/contract';
import { streamLabel } from '@weir/dialect';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { streamsQuery } from '../../components/streams/streams-queries.ts';

/** Which live stream is sent: one of those that are live now, or the name of one that will be. */
export function StreamField({ value, onChange }: { value: string; onChange: (stream: string) => void }) {
  const { t } = useTranslation();
  const listId = useId();
  const { data } = useQuery(streamsQuery);
  return (
    <>
      <TextInput
        size="md"
        label={t('forward.stream')}
        description={t('forward.tip')}
        placeholder={t('forward.newest')}
        list={listId}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={outletLimits.streamCharacters}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {data?.streams.map((stream) => (
          <option key={stream.client_id} value={streamLabel(stream)} />
        ))}
      </datalist>
    </>
  );
}
