import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { paths, useLocalPath } from '../../lib/paths.ts';
import classes from './set-up-list.module.css';
import { type SetUpStep, type StartSteps, setUpSteps } from './use-start-steps.ts';

/** Where each step is done. */
const places: Readonly<Record<SetUpStep, string>> = {
  password: `${paths.settings}?tab=auth`,
  check: `${paths.components}#check`,
  https: `${paths.settings}?tab=https`,
};

/** Preparation of the server: password, check, public name and HTTPS. */
export function SetUpList({ states, next, skip }: StartSteps) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <ol className={classes.list} aria-label={t('start.setUp')}>
      {setUpSteps.map((step, index) => {
        const isNext = step === next;
        const state = states[step];
        return (
          <li
            key={step}
            className={classes.row}
            data-next={isNext || undefined}
            aria-current={isNext ? 'step' : undefined}
          >
            <span className={classes.number} aria-hidden="true">
              {index + 1}
            </span>
            <div className={classes.text}>
              <h2>{t(`start.${step}.title`)}</h2>
              <p>{t(`start.${step}.text`)}</p>
            </div>
            <div className={classes.actions}>
              {state === 'done' && <StatusLabel tone="ok" word={t('start.done')} />}
              {state === 'skipped' && <StatusLabel tone="off" word={t('start.skipped')} />}
              {state !== 'done' && (
                <Button component={Link} to={localPath(places[step])} variant={isNext ? 'filled' : 'default'} size="xs">
                  {t(`start.${step}.go`)}
                </Button>
              )}
              {state === 'open' && (
                <Button
                  variant="subtle"
                  size="xs"
                  aria-label={t('start.skipStep', { step: t(`start.${step}.title`) })}
                  onClick={() => skip(step)}
                >
                  {t('start.skip')}
                </Button>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
