import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  readonly title: string;
  /** Explains an abbreviated title. */
  readonly hint?: string;
  readonly render: (row: Row, index: number) => ReactNode;
  /** Names the row; shown at the top of a card. */
  readonly isName?: boolean;
  /** Omitted on cards, for example a row number. */
  readonly isHiddenOnCards?: boolean;
  /** Ids: small and on one line. */
  readonly isCode?: boolean;
}

interface DataTableProps<Row> {
  /** Table name for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Buttons at the end of each row. */
  actions?: (row: Row) => ReactNode;
  actionsTitle: string;
}

/** Rows in the given order. On phones each row is a card with titles beside the values. */
export function DataTable<Row>({ label, columns, rows, keyOf, actions, actionsTitle }: DataTableProps<Row>) {
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, hint }) => (
            <th key={title} scope="col">
              {hint ? <abbr title={hint}>{title}</abbr> : title}
            </th>
          ))}
          {actions && (
            <th scope="col" className={classes.actions}>
              {actionsTitle}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, render, isName, isHiddenOnCards, isCode }) => (
              <td
                key={title}
                data-title={title}
                data-name={isName || undefined}
                data-code={isCode || undefined}
                data-table-only={isHiddenOnCards || undefined}
              >
                {render(row, index)}
              </td>
            ))}
            {actions && <td className={classes.actions}>{actions(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
