import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Chart } from './chart.ts';
import { buildPlotOptions } from './plot-options.ts';

interface TimePlotProps {
  chart: Chart;
  /** In seconds. */
  moments: readonly number[];
  /** Charts with the same one have one cursor. */
  group: string;
  onHover: (index: number | undefined) => void;
}

/** The drawing itself. Whoever cannot see it has the summary beside it, so it says nothing to a screen reader. */
export function TimePlot({ chart, moments, group, onHover }: TimePlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef({ chart, moments, onHover });
  latest.current = { chart, moments, onHover };
  const scheme = useComputedColorScheme('light');
  const lines = chart.lines.map(({ key, name, color }) => `${key} ${name} ${color}`).join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines or other colours are another drawing
  useEffect(() => {
    const box = place.current;
    // Where nothing can be drawn, the table beside it says the same.
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
