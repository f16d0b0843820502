import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FirstStep, firstSteps } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { TutorialCards } from '../../components/tutorials/tutorial-cards.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { IconCircleCheck } from '../../components/ui/theme/icons.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { statusQuery } from '../../lib/queries/system-queries.ts';
import classes from './tutorials-tab.module.css';

/** First steps for new users, then tutorials by others. */
export function TutorialsTab() {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <StartHere />
      <section aria-label={t('tutorials.title')}>
        <TutorialCards set="all" />
      </section>
    </Stack>
  );
}

/** Tab for each step. */
const tabs = { published: 'live', watched: 'live', forwarded: 'forward', recorded: 'record' } as const satisfies Record<
  FirstStep,
  string
>;

function StartHere() {
  const { t } = useTranslation();
  const steps = useQuery(statusQuery).data?.steps;
  const done = firstSteps.filter((step) => steps?.[step]).length;
  const next = firstSteps.find((step) => !steps?.[step]);
  return (
    <Section
      title={t('start.title')}
      help={t('start.help')}
      state={
        steps && (
          <StatusLabel
            tone={done === firstSteps.length ? 'ok' : 'off'}
            word={t('start.progress', { done, all: firstSteps.length })}
            tinted
          />
        )
      }
    >
      <ol className={classes.steps}>
        {firstSteps.map((step, index) => (
          <Step key={step} step={step} number={index + 1} isDone={steps?.[step] ?? false} isNext={step === next} />
        ))}
      </ol>
    </Section>
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
    <li className={classes.step} data-done={isDone || undefined} aria-current={isNext ? 'step' : undefined}>
      <div className={classes.head}>
        <span className={classes.mark} aria-hidden>
          {isDone ? <IconCircleCheck size={22} stroke={2} /> : number}
        </span>
        <h3 className={classes.title}>{t(`start.${step}.title`)}</h3>
        {isDone && <span className={classes.done}>{t('start.done')}</span>}
      </div>
      <p className={classes.text}>{t(`start.${step}.text`)}</p>
      <Button
        component={Link}
        to={localPath(`${paths.scenario}?tab=${tabs[step]}`)}
        variant={isNext ? 'filled' : 'default'}
        size="xs"
        className={classes.go}
      >
        {t(`start.${step}.go`)}
      </Button>
    </li>
  );
}
