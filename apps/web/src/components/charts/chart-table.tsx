import { useTranslation } from 'react-i18next';
import { type Chart, summarizeLine } from './chart.ts';
import classes from './chart-set.module.css';

/** The charts in numbers: for screen readers, and for whoever wants to quote them. */
export function ChartTable({ charts }: { charts: readonly Chart[] }) {
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
