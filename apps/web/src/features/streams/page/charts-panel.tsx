import { SegmentedControl, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { measurementsApi, type StreamSamples } from '@weir/contract';
import { playProtocols, type SampleTable, type StreamSampleField, sampleSpans, type WirePlace } from '@weir/streams';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { Chart, ChartLine } from '../../../components/charts/chart.ts';
import { ChartSet } from '../../../components/charts/chart-set.tsx';
import {
  alignToGrid,
  type ChartSpan,
  chartSpans,
  createTimeGrid,
  gridSeconds,
  type TimeGrid,
} from '../../../components/charts/time-grid.ts';
import { formatBitrate, formatDelay, formatNumber } from '../../../components/figures/format-figures.ts';
import { protocolName } from '../../../components/streams/facts/protocol-name.ts';
import { Section } from '../../../components/ui/layout/section.tsx';
import { client } from '../../../lib/api.ts';
import { formatClock, formatDateTime, formatUnit } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { joinSamples } from '../../../lib/join-samples.ts';
import { pollWhileSignedIn } from '../../../lib/queries/polling.ts';
import { useEngineLacks } from '../../../lib/queries/use-engine-lacks.ts';

const minuteMs = 60_000;

/** Last day of a stream by the minute. Fetched once in full, then only new samples. */
const streamHistoryQuery = ({ vhost, app, stream }: WirePlace) =>
  queryOptions({
    queryKey: ['stream-history', vhost, app, stream],
    queryFn: async ({ client: queries, queryKey, signal }): Promise<StreamSamples> => {
      const known = queries.getQueryData<StreamSamples>(queryKey);
      const since = known?.at.at(-1) ?? 0;
      const { samples } = await client.call(measurementsApi.history, { vhost, app, stream, since }, { signal });
      return joinSamples(known, samples, sampleSpans.kept * minuteMs);
    },
    staleTime: minuteMs / 2,
    refetchInterval: pollWhileSignedIn(minuteMs),
    meta: { quiet: true },
  });

interface ChartsPanelProps {
  place: WirePlace;
  /** Last five minutes by the second. */
  seconds: StreamSamples;
  delays: SampleTable<'delayMs'>;
  isLive: boolean;
}

const spans = Object.keys(chartSpans) as ChartSpan[];
const parameter = 'span';

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
  const grid = useMemo(() => createTimeGrid(span, newestMs), [span, newestMs]);
  const moments = useMemo(() => gridSeconds(grid), [grid]);
  const charts = useStreamCharts({ grid, samples, delays });
  const momentText = (seconds: number) => {
    const moment = new Date(seconds * 1000);
    return span === '24h' ? formatDateTime(moment).slice(5, 16) : formatClock(moment).slice(0, span === '5m' ? 8 : 5);
  };
  return <ChartSet charts={charts} moments={moments} momentText={momentText} />;
}

interface Measured {
  readonly grid: TimeGrid;
  readonly samples: StreamSamples;
  readonly delays: SampleTable<'delayMs'>;
}

const colors = { rtc: 1, flv: 2, hls: 3, rtmp: 4, srt: 5 } as const;

function useStreamCharts({ grid, samples, delays }: Measured): Chart[] {
  const { t } = useTranslation();
  const locale = useLocale();
  const column = (field: StreamSampleField) => alignToGrid(grid, samples.at, samples.columns[field]);
  const line = (key: string, color: ChartLine['color'], values: ChartLine['values'], name = ''): ChartLine => ({
    key,
    name,
    color,
    values,
  });
  const inBitrate = (kbps: number) => formatBitrate(kbps, locale) ?? '';
  const rtts = [
    line('publisher', 2, column('rttMs'), t('streamPage.charts.publisherRtt')),
    line('viewers', 3, column('viewerRttMs'), t('streamPage.charts.viewerRtt')),
  ].filter(isKnown);
  const behind = line('behind', 4, column('behindMs'), t('streamPage.charts.behind'));
  if (behind.values.some((ms) => ms !== null && ms > 0)) rtts.push(behind);
  const player = line('player', 1, alignToGrid(grid, delays.at, delays.columns.delayMs), t('streamPage.charts.player'));
  return [
    { key: 'in', title: t('streamPage.charts.in'), lines: [line('in', 1, column('inKbps'))], format: inBitrate },
    {
      key: 'fps',
      title: t('streamPage.charts.fps'),
      lines: [line('fps', 1, column('fps'))],
      format: (fps) => t('live.facts.fps', { number: formatNumber(fps, locale, 1) }),
    },
    {
      key: 'keyframes',
      title: t('streamPage.charts.keyframes'),
      lines: [
        line(
          'keyframes',
          1,
          column('keyframeMs').map((ms) => ms && ms / 1000),
        ),
      ],
      format: (seconds) => formatUnit(seconds, 'second', locale, 1),
    },
    {
      key: 'viewers',
      title: t('streamPage.charts.viewers'),
      lines: viewerLines(column, (protocol, values) =>
        line(protocol, colors[protocol], values, protocolName(protocol)),
      ),
      format: (viewers) => formatNumber(viewers, locale, 1),
    },
    { key: 'out', title: t('streamPage.charts.out'), lines: [line('out', 1, column('outKbps'))], format: inBitrate },
    {
      key: 'delay',
      title: t('streamPage.charts.delay'),
      lines: isKnown(player) || rtts.length === 0 ? [player, ...rtts] : rtts,
      format: (ms) => formatDelay(Math.round(ms), locale) ?? '',
    },
  ];
}

type Protocol = (typeof playProtocols)[number];

/** Lines only for protocols that had viewers; a single zero line if there were none. */
function viewerLines(
  column: (field: Protocol) => (number | null)[],
  lineOf: (protocol: Protocol, values: (number | null)[]) => ChartLine,
): ChartLine[] {
  const lines = playProtocols.map((protocol) => lineOf(protocol, column(protocol)));
  const used = lines.filter(({ values }) => values.some((value) => value !== null && value > 0));
  return used.length > 0 ? used : lines.slice(0, 1).map((line) => ({ ...line, name: '' }));
}

function isKnown({ values }: ChartLine): boolean {
  return values.some((value) => value !== null);
}
