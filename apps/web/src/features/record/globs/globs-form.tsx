import { Anchor, Button, Group, Stack, Textarea } from '@mantine/core';
import { globCharacters, globSamples, type RecordSettings, recordApi } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { client } from '../../../lib/api.ts';
import { useSave } from '../../../lib/use-save.ts';
import { recordQuery } from '../record-queries.ts';
import { globLines, globProblem } from './glob-lines.ts';
import { GlobMatches } from './glob-matches.tsx';
import { GlobTest } from './glob-test.tsx';

/** Which streams are recorded, with what that means for those that are live now. */
export function GlobsForm({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const saved = settings.globs.join('\n');
  const [draft, setDraft] = useState<string>();
  const [refused, setRefused] = useState<string>();
  const [isTesting, setIsTesting] = useState(false);
  const save = useSave({
    query: recordQuery,
    save: (globs: string[]) => client.call(recordApi.globs, { globs }),
    done: t('record.setupOk'),
    onSaved: () => setDraft(undefined),
  });
  const text = draft ?? saved;
  const lines = globLines(text);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = globProblem(lines);
    const why =
      lines.length === 0
        ? t('record.globEmpty')
        : wrong && t(`record.globProblem.${wrong.problem}`, { line: wrong.line });
    setRefused(why);
    if (why === undefined && !save.isPending) save.mutate(lines);
  };

  return (
    <Stack gap="md">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
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
            error={refused}
            onChange={(event) => {
              setDraft(event.currentTarget.value);
              setRefused(undefined);
            }}
          />
          <Group>
            <Button type="submit" loading={save.isPending && save.variables.length > 0}>
              {t('record.update2')}
            </Button>
            {settings.globs.length > 0 && (
              <Button
                variant="default"
                loading={save.isPending && save.variables.length === 0}
                onClick={() => save.mutate([])}
              >
                {t('record.allStreams')}
              </Button>
            )}
            <Anchor component="button" type="button" size="sm" onClick={() => setIsTesting(!isTesting)}>
              {isTesting ? t('record.testHide') : t('record.testShow')}
            </Anchor>
            {draft !== undefined && draft !== saved && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
          </Group>
        </Stack>
      </form>
      {isTesting && <GlobTest lines={lines} />}
      <GlobMatches lines={lines} isInForce={settings.all && text === saved} />
    </Stack>
  );
}
