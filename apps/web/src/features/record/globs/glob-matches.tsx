import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { globPath, matchingGlob } from '@weir/contract';
import { streamLabel } from '@weir/dialect';
import { useTranslation } from 'react-i18next';
import { StreamLink } from '../../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import classes from '../record.module.css';

interface GlobMatchesProps {
  lines: readonly string[];
  /** Recording is on and these patterns are saved: what they choose is recorded now, not only some day. */
  isInForce: boolean;
}

/** Those who are live now, and whether these patterns record them or would. */
export function GlobMatches({ lines, isInForce }: GlobMatchesProps) {
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
              <StreamLink stream={stream} />
              <Verdict path={globPath(stream)} lines={lines} isInForce={isInForce} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Verdict({ path, lines, isInForce }: GlobMatchesProps & { path: string }) {
  const { t } = useTranslation();
  const glob = matchingGlob(lines, path);
  if (lines.length > 0 && glob === undefined) return <StatusLabel tone="off" word={t('record.match.no')} />;
  const words = t(isInForce ? 'record.match.is' : 'record.match.would');
  const by = glob === undefined ? words : t(isInForce ? 'record.match.isBy' : 'record.match.wouldBy', { glob });
  return <StatusLabel tone={isInForce ? 'recording' : 'busy'} word={by} />;
}
