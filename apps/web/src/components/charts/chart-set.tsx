import { Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyScreen } from '../../lib/lazy.ts';
import { type Chart, type ChartLine, summarizeLine } from './chart.ts';
import classes from './chart-set.module.css';
import { ChartTable } from './chart-table.tsx';

/** The charting library comes with the first chart: no other page waits for it. */
const TimePlot = lazyScreen(async () => (await import('./time-plot.tsx')).TimePlot).Component;

interface ChartSetProps {
  charts: readonly Chart[];
  /** The time axis of all of them, in seconds. */
  moments: readonly number[];
  /** A moment as it is told on hover. */
  momentText: (seconds: number) => string;
}

/** Small charts side by side on one time axis: pointing at one shows the same moment in all. */
export function ChartSet({ charts, moments, momentText }: ChartSetProps) {
  const [hovered, setHovered] = useState<number>();
  const group = useId();
  const time = hovered === undefined ? undefined : moments[hovered];
  return (
    <>
      <div className={classes.set}>
        {charts.map((chart) => (
          <ChartFigure
            key={chart.key}
            chart={chart}
            at={time === undefined ? undefined : hovered}
            time={time === undefined ? '' : momentText(time)}
          >
            <Suspense>
              <TimePlot chart={chart} moments={moments} group={group} onHover={setHovered} />
            </Suspense>
          </ChartFigure>
        ))}
      </div>
      <ChartTable charts={charts} />
    </>
  );
}

interface ChartFigureProps {
  chart: Chart;
  at: number | undefined;
  time: string;
  children: React.ReactNode;
}

function ChartFigure({ chart, at, time, children }: ChartFigureProps) {
  const { t } = useTranslation();
  const isEmpty = chart.lines.every((line) => summarizeLine(line) === undefined);
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <span className={classes.title}>{chart.title}</span>
        {at !== undefined && <span className={classes.hovered}>{`${time} · ${valuesAt(chart, at)}`}</span>}
      </figcaption>
      {isEmpty ? <p className={classes.empty}>{t('charts.empty')}</p> : <div className={classes.plot}>{children}</div>}
    </figure>
  );
}

function valuesAt({ lines, format }: Chart, index: number): string {
  const textOf = ({ name, values }: ChartLine) => {
    const value = values[index] ?? undefined;
    return value === undefined ? [] : [`${name} ${format(value)}`.trim()];
  };
  return lines.flatMap(textOf).join(' · ') || '–';
}
