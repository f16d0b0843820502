import { Anchor, Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { globCharacters, globPath, globSamples, matchingGlob, type RecordSettings, recordApi } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { findGlobProblem, globLines, type GlobTest as Outcome, testGlobs } from './glob-lines.ts';
import classes from './record.module.css';
import { recordingsQuery, recordQuery } from './record-queries.ts';

export function GlobsForm({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const saved = settings.globs.join('\n');
  const [isTesting, setIsTesting] = useState(false);
  const form = useSettingsForm({
    saved: { text: saved },
    check: ({ text }) => {
      const lines = globLines(text);
      if (lines.length === 0) return t('record.globEmpty');
      const wrong = findGlobProblem(lines);
      return wrong && t(`record.globProblem.${wrong.problem}`, { line: wrong.line });
    },
    save: ({ text }) => client.call(recordApi.globs, { globs: globLines(text) }),
    refresh: (queries) => queries.invalidateQueries(recordQuery),
    done: t('record.setupOk'),
  });
  const recordAll = useRecordAll(form.discard);
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
      {isTesting && <GlobTester lines={lines} />}
      <GlobMatches lines={lines} isInForce={isRecordingOn(settings) && text === saved} />
    </Stack>
  );
}

/** No pattern means every stream. */
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

/** Tests a URL against the typed patterns; sends nothing. */
function GlobTester({ lines }: { lines: readonly string[] }) {
  const { t } = useTranslation();
  const [url, setUrl] = useState('');
  const [result, setResult] = useState<{ url: string; outcome: Outcome }>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setResult({ url: url.trim(), outcome: testGlobs(url, lines) });
  };
  const refused = result && refusals[result.outcome.kind];
  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.test}>
        <TextInput
          size="md"
          label={t('record.test')}
          description={t('record.testHelp')}
          placeholder="rtmp://127.0.0.1/live/livestream"
          spellCheck={false}
          value={url}
          error={refused && t(refused)}
          onChange={(event) => {
            setUrl(event.currentTarget.value);
            setResult(undefined);
          }}
        />
        <Button type="submit" variant="default" size="md">
          {t('record.testRun')}
        </Button>
      </div>
      <div role="status" className={classes.outcome}>
        {result?.outcome.kind === 'matched' && (
          <StatusLabel tone="ok" word={t('record.testOk', { url: result.url, glob: result.outcome.glob })} />
        )}
        {result?.outcome.kind === 'unmatched' && (
          <StatusLabel tone="warn" word={t('record.testFailed', { url: result.url })} />
        )}
      </div>
    </form>
  );
}

const refusals = {
  'url-empty': 'record.urlEmpty',
  'globs-empty': 'record.globEmpty',
  matched: undefined,
  unmatched: undefined,
} as const;

/** Streams that match are recorded: recording is on, and the disk takes it. */
export function isRecordingOn({ all, storage: { state } }: RecordSettings): boolean {
  return all && state !== 'stopped' && state !== 'failing';
}

interface GlobMatchesProps {
  lines: readonly string[];
  /** Recording is on and the patterns are saved, so matching streams are recorded. */
  isInForce: boolean;
}

/** Live streams that the patterns record or would record. */
export function GlobMatches({ lines, isInForce }: GlobMatchesProps) {
  const { t } = useTranslation();
  const { data } = useQuery(streamsQuery);
  const { data: recordings } = useQuery(recordingsQuery);
  if (!data) return null;
  const recorded = new Set(recordings?.filter(({ state }) => state === 'recording').map(streamLabel));
  return (
    <section className={classes.matches} aria-label={t('record.match.title')}>
      <p className={classes.matchesTitle}>{t('record.match.title')}</p>
      {data.streams.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('record.match.none')}
        </Text>
      ) : (
        <ul>
          {data.streams.map((stream) => (
            <li key={`${stream.client_id} ${streamLabel(stream)}`}>
              <span>{streamLabel(stream)}</span>
              <Verdict
                path={globPath(stream)}
                lines={lines}
                isInForce={isInForce}
                isRecorded={recorded.has(streamLabel(stream))}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface VerdictProps extends GlobMatchesProps {
  path: string;
  /** Its recording has a first segment. */
  isRecorded: boolean;
}

function Verdict({ path, lines, isInForce, isRecorded }: VerdictProps) {
  const { t } = useTranslation();
  const glob = matchingGlob(lines, path);
  if (lines.length > 0 && glob === undefined) return <StatusLabel tone="off" word={t('record.match.no')} />;
  const is = isInForce ? (isRecorded ? 'is' : 'soon') : 'would';
  const word = glob === undefined ? t(`record.match.${is}`) : t(`record.match.${is}By`, { glob });
  return <StatusLabel tone={is === 'is' ? 'recording' : 'busy'} word={word} />;
}
