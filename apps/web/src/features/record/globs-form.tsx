import { Anchor, Button, Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { globCharacters, globSamples, type RecordSettings, recordApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../../components/settings-form/use-settings-form.ts';
import { client } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';
import { recordQuery } from '../record-queries.ts';
import { globLines, globProblem } from './glob-lines.ts';
import { GlobMatches } from './glob-matches.tsx';
import { GlobTest } from './glob-test.tsx';

/** Which streams are recorded, with what that means for those that are live now. */
export function GlobsForm({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const saved = settings.globs.join('\n');
  const [isTesting, setIsTesting] = useState(false);
  const form = useSettingsForm({
    saved: { text: saved },
    check: ({ text }) => {
      const lines = globLines(text);
      if (lines.length === 0) return t('record.globEmpty');
      const wrong = globProblem(lines);
      return wrong && t(`record.globProblem.${wrong.problem}`, { line: wrong.line });
    },
    save: ({ text }) => client.call(recordApi.globs, { globs: globLines(text) }),
    settle: (queries) => queries.invalidateQueries(recordQuery),
    done: t('record.setupOk'),
  });
  const recordAll = useRecordAll(form.forget);
  const { text } = form.value;
  const lines = globLines(text);

  return (
    <Stack gap="md">
      <SettingsForm
        form={form}
        action={t('record.saveGlobs')}
        actions={
          <>
            {settings.globs.length > 0 && (
              <Button variant="default" loading={recordAll.isPending} onClick={() => recordAll.mutate()}>
                {t('record.allStreams')}
              </Button>
            )}
            <Anchor component="button" type="button" size="sm" onClick={() => setIsTesting(!isTesting)}>
              {isTesting ? t('record.testHide') : t('record.testShow')}
            </Anchor>
          </>
        }
      >
        <Textarea
          size="md"
          rows={5}
          label={t('record.glob')}
          description={t('record.globHelp')}
          placeholder={globSamples.join('\n')}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.875rem' } }}
          spellCheck={false}
          maxLength={globCharacters}
          value={text}
          error={form.problem}
          onChange={(event) => form.edit({ text: event.currentTarget.value })}
        />
      </SettingsForm>
      {isTesting && <GlobTest lines={lines} />}
      <GlobMatches lines={lines} isInForce={settings.all && text === saved} />
    </Stack>
  );
}

/** No pattern at all stands for every stream. */
function useRecordAll(onSaved: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(recordApi.globs, { globs: [] }),
    onSuccess: async () => {
      await queries.invalidateQueries(recordQuery);
      onSaved();
      notify.success(t('record.setupOk'));
    },
  });
}
