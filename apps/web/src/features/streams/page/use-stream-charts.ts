import { playProtocols, type StreamSamples } from '@weir/contract';
import type { SampleTable, StreamSampleField } from '@weir/dialect';
import { useTranslation } from 'react-i18next';
import type { Chart, ChartLine } from '../../../components/charts/chart.ts';
import { onGrid, type TimeGrid } from '../../../components/charts/time-grid.ts';
import { bitrateText, delayText, plainNumber } from '../../../components/figures/figures.ts';
import { protocolName } from '../../../components/streams/facts/protocol-name.ts';
import { formatUnit } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';

interface Measured {
  readonly grid: TimeGrid;
  readonly samples: StreamSamples;
  /** Of the player on this page. */
  readonly delays: SampleTable<'delayMs'>;
}

const colors = { rtc: 1, flv: 2, hls: 3, rtmp: 4, srt: 5 } as const;

/** What is looked at of a stream: what arrives, what leaves, who watches, and how late it is. */
export function useStreamCharts({ grid, samples, delays }: Measured): Chart[] {
  const { t } = useTranslation();
  const locale = useLocale();
  const column = (field: StreamSampleField) => onGrid(grid, samples.at, samples.columns[field]);
  const line = (key: string, color: ChartLine['color'], values: ChartLine['values'], name = ''): ChartLine => ({
    key,
    name,
    color,
    values,
  });
  const inBitrate = (kbps: number) => bitrateText(kbps, locale) ?? '';
  const rtts = [
    line('publisher', 2, column('rttMs'), t('streamPage.charts.publisherRtt')),
    line('viewers', 3, column('viewerRttMs'), t('streamPage.charts.viewerRtt')),
  ].filter(isKnown);
  const behind = line('behind', 4, column('behindMs'), t('streamPage.charts.behind'));
  if (behind.values.some((ms) => ms !== null && ms > 0)) rtts.push(behind);
  const player = line('player', 1, onGrid(grid, delays.at, delays.columns.delayMs), t('streamPage.charts.player'));
  return [
    { key: 'in', title: t('streamPage.charts.in'), lines: [line('in', 1, column('inKbps'))], format: inBitrate },
    {
      key: 'fps',
      title: t('streamPage.charts.fps'),
      lines: [line('fps', 1, column('fps'))],
      format: (fps) => t('live.facts.fps', { number: plainNumber(fps, locale, 1) }),
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
      format: (viewers) => plainNumber(viewers, locale, 1),
    },
    { key: 'out', title: t('streamPage.charts.out'), lines: [line('out', 1, column('outKbps'))], format: inBitrate },
    {
      key: 'delay',
      title: t('streamPage.charts.delay'),
      lines: isKnown(player) || rtts.length === 0 ? [player, ...rtts] : rtts,
      format: (ms) => delayText(Math.round(ms), locale) ?? '',
    },
  ];
}

type Protocol = (typeof playProtocols)[number];

/** Of the ways to play only those that somebody used; while nobody watches one line at zero says so. */
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
