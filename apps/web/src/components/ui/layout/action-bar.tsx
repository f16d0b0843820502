import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../feedback/status-label.tsx';
import classes from './action-bar.module.css';

interface ActionBarProps {
  /** Main action of the form: Start, or Save where nothing starts. */
  primary: ReactNode;
  /** Second action, such as Save beside Start. */
  secondary?: ReactNode;
  /** State of what the form sets up, or the result of its last action. */
  state?: ReactNode;
  /** Remove, at the right. */
  danger?: ReactNode;
  /** True while there are unsaved changes: the bar says so and stays in view. */
  dirty?: boolean;
}

/** Actions of a form, in the same arrangement everywhere. Rendered inside the form, so that a submit button submits it. */
export function ActionBar({ primary, secondary, state, danger, dirty = false }: ActionBarProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.bar} data-dirty={dirty || undefined}>
      {primary}
      {secondary}
      {dirty && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
      {state}
      {danger && <div className={classes.danger}>{danger}</div>}
    </div>
  );
}
