import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ocrLimits, outletLimits } from '@weir/contract';
import { streamLabel } from '@weir/dialect';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberText } from '../../../components/settings-form/number-text.tsx';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import type { OcrForm } from './use-ocr-form.ts';

/** Which stream is read, and how often. */
export function StreamPart({ form }: { form: OcrForm }) {
  const { t } = useTranslation();
  const listId = useId();
  const { data } = useQuery(streamsQuery);
  const { draft, problem, edit } = form;
  return (
    <Stack gap="md" maw={560}>
      <TextInput
        size="md"
        label={t('ocr.stream')}
        description={t('ocr.streamHelp')}
        placeholder={t('segments.newest')}
        autoComplete="off"
        spellCheck={false}
        list={listId}
        maxLength={outletLimits.streamCharacters}
        value={draft.stream}
        onChange={(event) => edit({ stream: event.currentTarget.value })}
      />
      <datalist id={listId}>
        {[...new Set((data?.streams ?? []).map(streamLabel))].map((stream) => (
          <option key={stream} value={stream} />
        ))}
      </datalist>
      <NumberText
        label={t('ocr.interval')}
        help={t('ocr.intervalHelp')}
        value={draft.interval}
        most={ocrLimits.intervalSeconds}
        isWrong={problem?.tab === 'stream'}
        onChange={(interval) => edit({ interval })}
      />
      <Checkbox
        label={t('ocr.skip')}
        description={t('ocr.skipHelp')}
        checked={draft.skipUnchanged}
        onChange={(event) => edit({ skipUnchanged: event.currentTarget.checked })}
      />
    </Stack>
  );
}
