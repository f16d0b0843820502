import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { aiHosts, type OcrDoneSegment } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { plainNumber } from '../../components/figures/figures.ts';
import { QueueBody } from '../../components/segments/queue-body.tsx';
import { useLocale } from '../../lib/i18n.ts';
import classes from './ocr.module.css';
import { OcrFailure } from './ocr-failure.tsx';
import { cleanupQueueQuery } from './ocr-queries.ts';

/** The last segment that is done: its picture, what it took, and what was read. */
export function LastObject() {
  const { t } = useTranslation();
  const query = useQuery(cleanupQueueQuery);
  const last = query.data?.segments.at(-1);
  return (
    <QueueBody query={query} isEmpty={!last} empty={t('ocr.nolast')}>
      {last && <Shown segment={last} />}
    </QueueBody>
  );
}

function Shown({ segment }: { segment: OcrDoneSegment }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { tsid, stream, duration, size, eic, ocrc, cbc, image, outcome, ocr, cause, answeredBy, model, prompt } =
    segment;
  const figure = (value: number, unit: string) => `${plainNumber(value, locale, 1)}\u00a0${unit}`;
  const isBuiltIn = answeredBy === aiHosts.builtIn;
  const readBy = isBuiltIn ? t('ocr.last.builtIn') : [model || t('ocr.last.defaultModel'), answeredBy].join(' · ');
  const facts: [string, string][] = [
    [t('ocr.last.segment'), tsid],
    [t('ocr.last.stream'), stream],
    [t('ocr.last.duration'), figure(duration, t('segments.seconds'))],
    [t('ocr.last.cost'), figure(eic + ocrc + cbc, 'ms')],
    [t('ocr.last.size'), figure(size / 1024, 'KB')],
    ...(answeredBy === '' ? [] : ([[t('ocr.last.model'), readBy]] as [string, string][])),
    ...(answeredBy === '' || isBuiltIn ? [] : ([[t('ocr.last.prompt'), prompt]] as [string, string][])),
  ];
  return (
    <div className={classes.last}>
      {image !== '' && <img className={classes.image} src={image} alt={t('ocr.last.alt')} />}
      <Stack gap="md">
        <dl className={classes.facts}>
          {facts.map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {outcome === 'called' && ocr !== '' && <pre className={classes.result}>{ocr}</pre>}
        {outcome === 'called' && ocr === '' && (
          <Text size="sm" c="dimmed">
            {t('ocr.noText')}
          </Text>
        )}
        {outcome === 'skipped' && (
          <Text size="sm" c="dimmed">
            {t('ocr.notRead')}
          </Text>
        )}
        {outcome === 'failed' && cause && <OcrFailure cause={cause} />}
      </Stack>
    </div>
  );
}
