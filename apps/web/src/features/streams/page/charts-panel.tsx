import { SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { StreamSamples } from '@weir/contract';
import type { SampleTable, WirePlace } from '@weir/dialect';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { ChartSet } from '../../../components/charts/chart-set.tsx';
import { type ChartSpan, chartSpans, gridSeconds, timeGrid } from '../../../components/charts/time-grid.ts';
import { Section } from '../../../components/ui/layout/section.tsx';
import { formatClock, formatDateTime } from '../../../lib/format.ts';
import { useEngineLacks } from '../../../lib/queries/use-engine-lacks.ts';
import { streamHistoryQuery } from './stream-history-query.ts';
import { useStreamCharts } from './use-stream-charts.ts';

interface ChartsPanelProps {
  place: WirePlace;
  /** The last five minutes by the second. */
  seconds: StreamSamples;
  delays: SampleTable<'delayMs'>;
  isLive: boolean;
}

const spans = Object.keys(chartSpans) as ChartSpan[];
const parameter = 'span';

/** How the stream did, on one time axis. How far back is part of the address. */
export function ChartsPanel(props: ChartsPanelProps) {
  const { t } = useTranslation();
  if (!useEngineLacks('measurements')) return <MeasuredCharts {...props} />;
  return (
    <Section anchor="charts" title={t('streamPage.charts.title')} help={t('streamPage.charts.help')}>
      <Text size="sm" c="dimmed">
        {t('streamPage.charts.notMeasured')}
      </Text>
    </Section>
  );
}

function MeasuredCharts({ place, seconds, delays, isLive }: ChartsPanelProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useSearchParams();
  const span = spans.find((one) => one === query.get(parameter)) ?? (isLive ? '5m' : '24h');
  const history = useQuery({ ...streamHistoryQuery(place), enabled: span !== '5m' });
  const samples = span === '5m' ? seconds : history.data;
  const choose = (value: string) => {
    setQuery(
      (before) => {
        before.set(parameter, value);
        return before;
      },
      { replace: true },
    );
  };
  return (
    <Section
      anchor="charts"
      title={t('streamPage.charts.title')}
      help={t('streamPage.charts.help')}
      state={
        <SegmentedControl
          size="xs"
          aria-label={t('streamPage.charts.span')}
          value={span}
          onChange={choose}
          data={spans.map((value) => ({ value, label: t(`streamPage.charts.spans.${value}`) }))}
        />
      }
    >
      {samples && samples.at.length > 0 ? (
        <Charts span={span} samples={samples} delays={delays} />
      ) : (
        <p>{t(history.isLoading ? 'streamPage.charts.loading' : 'streamPage.charts.nothing')}</p>
      )}
    </Section>
  );
}

interface ChartsProps {
  span: ChartSpan;
  samples: StreamSamples;
  delays: SampleTable<'delayMs'>;
}

function Charts({ span, samples, delays }: ChartsProps) {
  const newestMs = samples.at.at(-1) ?? 0;
  const grid = useMemo(() => timeGrid(span, newestMs), [span, newestMs]);
  const moments = useMemo(() => gridSeconds(grid), [grid]);
  const charts = useStreamCharts({ grid, samples, delays });
  const momentText = (seconds: number) => {
    const moment = new Date(seconds * 1000);
    return span === '24h' ? formatDateTime(moment).slice(5, 16) : formatClock(moment).slice(0, span === '5m' ? 8 : 5);
  };
  return <ChartSet charts={charts} moments={moments} momentText={momentText} />;
}
