import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import classes from '../record.module.css';
import { type GlobTest as Outcome, testGlobs } from './glob-lines.ts';

/** Tries an address against what is typed above, saved or not; nothing is sent. */
export function GlobTest({ lines }: { lines: readonly string[] }) {
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
