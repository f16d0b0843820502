import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { globPath, matchingGlob } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../../components/ui/status-label.tsx';
import { streamLabel } from '../streams/stream-label.ts';
import { streamsQuery } from '../streams/streams-queries.ts';
import classes from './record.module.css';

/** Those who are live now, and whether these patterns would record them. */
export function GlobMatches({ lines }: { lines: readonly string[] }) {
  const { t } = useTranslation();
  const { data } = useQuery(streamsQuery);
  if (!data) return null;
  return (
    <section className={classes.matches} aria-label={t('record.match.title')}>
      <h3>{t('record.match.title')}</h3>
      {data.streams.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('record.match.none')}
        </Text>
      ) : (
        <ul>
          {data.streams.map((stream) => (
            <li key={`${stream.client_id} ${streamLabel(stream)}`}>
              <span>{streamLabel(stream)}</span>
              <Verdict path={globPath(stream)} lines={lines} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Verdict({ path, lines }: { path: string; lines: readonly string[] }) {
  const { t } = useTranslation();
  if (lines.length === 0) return <StatusLabel tone="ok" word={t('record.match.all')} />;
  const glob = matchingGlob(lines, path);
  return glob === undefined ? (
    <StatusLabel tone="off" word={t('record.match.no')} />
  ) : (
    <StatusLabel tone="ok" word={t('record.match.yes', { glob })} />
  );
}
