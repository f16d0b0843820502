import { Button, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FirstStep, firstSteps } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useStreamAddresses } from '../../components/streams/use-stream-addresses.ts';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { statusQuery } from '../../lib/queries/system-queries.ts';
import classes from './start-tab.module.css';
import { StepPicture } from './step-picture.tsx';

/** Tab for each step. */
const tabs: Readonly<Record<FirstStep, string>> = {
  published: 'live',
  watched: 'live',
  forwarded: 'forward',
  recorded: 'record',
};

/** Four steps from an empty server to people watching. */
export function StartTab() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const steps = useQuery(statusQuery).data?.steps;
  const done = firstSteps.filter((step) => steps?.[step]).length;
  const next = firstSteps.find((step) => !steps?.[step]);
  const isDone = done === firstSteps.length;
  return (
    <>
      <PageHead
        title={t('start.title')}
        purpose={t('start.help')}
        action={
          <Button component={Link} to={localPath(`${paths.scenario}?tab=overview`)} variant="default">
            {isDone ? t('start.finish') : t('start.skip')}
          </Button>
        }
      />
      <div className={classes.progress}>
        <span role="status">{t('start.progress', { done, all: firstSteps.length })}</span>
        <Progress value={(100 * done) / firstSteps.length} size="sm" aria-label={t('start.title')} />
      </div>
      <ol className={classes.steps}>
        {firstSteps.map((step, index) => (
          <Step key={step} step={step} number={index + 1} isDone={steps?.[step] ?? false} isNext={step === next} />
        ))}
      </ol>
    </>
  );
}

interface StepProps {
  step: FirstStep;
  number: number;
  isDone: boolean;
  isNext: boolean;
}

function Step({ step, number, isDone, isNext }: StepProps) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <li className={classes.step} data-next={isNext || undefined} aria-current={isNext ? 'step' : undefined}>
      <div className={classes.picture}>
        <StepPicture step={step} />
      </div>
      <div className={classes.body}>
        <h2 className={classes.title}>
          <span className={classes.number} aria-hidden="true">
            {number}
          </span>
          {t(`start.${step}.title`)}
        </h2>
        <p>{t(`start.${step}.text`)}</p>
        {isDone ? (
          <StatusLabel tone="ok" word={t('start.done')} />
        ) : (
          <>
            {step === 'published' && <PublishFields />}
            <Actions>
              <Button
                component={Link}
                to={localPath(`${paths.scenario}?tab=${tabs[step]}`)}
                variant={isNext ? 'filled' : 'default'}
                size="xs"
              >
                {t(`start.${step}.go`)}
              </Button>
              {step === 'published' && (
                <>
                  <Button component={Link} to={localPath(`${paths.scenario}?tab=camera`)} variant="default" size="xs">
                    {t('start.published.camera')}
                  </Button>
                  <StatusLabel tone="busy" word={t('start.published.waiting')} />
                </>
              )}
            </Actions>
          </>
        )}
      </div>
    </li>
  );
}

function Actions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}

/** The two values that every encoder asks for. */
function PublishFields() {
  const { t } = useTranslation();
  const addresses = useStreamAddresses();
  if (!addresses) return null;
  return (
    <div className={classes.fields}>
      <CopyField label={t('settings.publishServer')} value={addresses.rtmpServer} />
      <CopyField label={t('settings.publishKey')} value={addresses.rtmpStreamKey} isSecret />
    </div>
  );
}
