import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { formatClock } from '../../lib/format.ts';
import { type Chart, findIsolatedPoints, spreadLabels } from './chart.ts';

const heightPixels = 132;
const axisPixels = 64;
/** Space for the labels at the end of the lines. */
const endPixels = 76;
const fontPixels = 11;
const minute = 60;
const hour = 60 * minute;
/** Allowed tick distances. */
const tickSeconds = [30, minute, 2 * minute, 5 * minute, 10 * minute, 20 * minute, hour, 3 * hour, 6 * hour, 12 * hour];

interface PlotContext {
  readonly chart: Chart;
  readonly moments: readonly number[];
  readonly onHover: (index: number | undefined) => void;
}

/** Plot options: y axis from zero, few grid lines, labels at the line ends. Colours are read from the page when the plot is created. */
function buildPlotOptions(box: HTMLElement, group: string, shown: () => PlotContext): uPlot.Options {
  const style = getComputedStyle(box);
  const color = (name: string) => style.getPropertyValue(`--weir-${name}`).trim();
  const font = `${fontPixels}px ${style.fontFamily}`;
  const axis = { stroke: color('muted'), font, ticks: { show: false } };
  return {
    width: Math.max(1, box.clientWidth),
    height: heightPixels,
    padding: [10, endPixels, 0, 0],
    legend: { show: false },
    cursor: {
      sync: { key: group },
      y: false,
      drag: { x: false, y: false, setScale: false },
      points: { size: 7 },
    },
    scales: { y: { range: (_plot, _least, most) => [0, (most ?? 0) > 0 ? most * 1.1 : 1] } },
    axes: [
      {
        ...axis,
        size: 24,
        gap: 6,
        space: 72,
        incrs: tickSeconds,
        grid: { show: false },
        values: (_plot, moments) => moments.map((seconds) => clockText(seconds, shown().moments)),
      },
      {
        ...axis,
        size: axisPixels,
        space: 36,
        grid: { stroke: color('line'), width: 1 },
        values: (_plot, values) => values.map((value) => shown().chart.format(value)),
      },
    ],
    series: [
      {},
      ...shown().chart.lines.map((line) => ({
        label: line.name,
        stroke: color(`chart-${line.color}`),
        width: 1.5,
        points: {
          show: true,
          size: 4,
          filter: (plot: uPlot, index: number) => findIsolatedPoints([...(plot.data[index] ?? [])]),
        },
      })),
    ],
    hooks: {
      setCursor: [({ cursor }) => shown().onHover(cursor.idx ?? undefined)],
      draw: [(plot) => drawLineLabels(plot, shown().chart, color, style.fontFamily)],
    },
  };
}

/** Shows seconds only if points are less than a minute apart. */
function clockText(seconds: number, moments: readonly number[]): string {
  const isFine = (moments[1] ?? 0) - (moments[0] ?? 0) < 60;
  return formatClock(new Date(seconds * 1000)).slice(0, isFine ? 8 : 5);
}

/** Draws name and latest value at the end of each line instead of a legend. */
function drawLineLabels(plot: uPlot, { lines, format }: Chart, color: (name: string) => string, family: string): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const ends = lines.flatMap((line) => {
    const value = line.values.findLast((one) => one !== null) ?? undefined;
    const label = value === undefined ? '' : `${line.name} ${format(value)}`.trim();
    return value === undefined ? [] : [{ line, label, height: plot.valToPos(value, 'y', true) }];
  });
  const heights = spreadLabels(
    ends.map(({ height }) => height),
    (fontPixels + 3) * ratio,
    bbox.top + bbox.height,
  );
  ctx.save();
  ctx.font = `${fontPixels * ratio}px ${family}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  for (const [index, { line, label }] of ends.entries()) {
    ctx.fillStyle = color(`chart-${line.color}`);
    ctx.fillText(label, bbox.left + bbox.width + 6 * ratio, heights[index] ?? 0, (endPixels - 8) * ratio);
  }
  ctx.restore();
}

interface TimePlotProps {
  chart: Chart;
  /** In seconds. */
  moments: readonly number[];
  /** Charts of a group share the cursor. */
  group: string;
  onHover: (index: number | undefined) => void;
}

/** Canvas of a chart, hidden from screen readers because ChartTable has the numbers. */
export function TimePlot({ chart, moments, group, onHover }: TimePlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef({ chart, moments, onHover });
  latest.current = { chart, moments, onHover };
  const scheme = useComputedColorScheme('light');
  const lines = chart.lines.map(({ key, name, color }) => `${key} ${name} ${color}`).join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines or colours need a new plot
  useEffect(() => {
    const box = place.current;
    // Browsers without canvas still show ChartTable.
    if (!box || !document.createElement('canvas').getContext('2d')) return;
    const drawn = new uPlot(
      buildPlotOptions(box, group, () => latest.current),
      toPlotData(latest.current),
      box,
    );
    plot.current = drawn;
    const watch = new ResizeObserver(() => {
      if (box.clientWidth > 0) drawn.setSize({ width: box.clientWidth, height: drawn.height });
    });
    watch.observe(box);
    return () => {
      watch.disconnect();
      plot.current = undefined;
      drawn.destroy();
    };
  }, [lines, scheme, group]);

  useEffect(() => plot.current?.setData(toPlotData({ chart, moments })), [chart, moments]);
  return <div ref={place} aria-hidden />;
}

function toPlotData({ chart, moments }: Pick<TimePlotProps, 'chart' | 'moments'>): uPlot.AlignedData {
  return [[...moments], ...chart.lines.map(({ values }) => [...values])];
}
