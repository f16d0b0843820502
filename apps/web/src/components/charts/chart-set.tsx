import { Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyScreen } from '../../lib/lazy.ts';
import { type Chart, type ChartLine, summarizeLine } from './chart.ts';
import classes from './chart-set.module.css';

/** Loads the charting library with the first chart only. */
const TimePlot = lazyScreen(async () => (await import('./time-plot.tsx')).TimePlot).Component;

interface ChartSetProps {
  charts: readonly Chart[];
  /** Shared time axis in seconds. */
  moments: readonly number[];
  /** Formats a time on hover. */
  momentText: (seconds: number) => string;
}

/** Charts with a shared time axis and a synchronised cursor. */
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

/** Summary of the charts as a table, for screen readers and for quoting. */
function ChartTable({ charts }: { charts: readonly Chart[] }) {
  const { t } = useTranslation();
  const rows = charts.flatMap(({ key, title, lines, format }) =>
    lines.flatMap((line) => {
      const summary = summarizeLine(line);
      if (!summary) return [];
      const name = lines.length > 1 ? t('charts.lineOf', { chart: title, line: line.name }) : title;
      const { least, mean, most, latest } = summary;
      return [{ key: `${key} ${line.key}`, name, values: [least, mean, most, latest].map(format) }];
    }),
  );
  if (rows.length === 0) return null;
  const heads = [t('charts.least'), t('charts.mean'), t('charts.most'), t('charts.latest')];
  return (
    <details className={classes.details}>
      <summary>{t('charts.table')}</summary>
      <div className={classes.scroll}>
        <table className={classes.table} aria-label={t('charts.table')}>
          <thead>
            <tr>
              <td />
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, values }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {values.map((value, index) => (
                  <td key={heads[index]}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
