import { ApiError } from '@weir/client';
import { isSourceFailure } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { toErrorMessage } from '../../lib/errors/error-message.ts';
import { joinSentences } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { Notice } from '../ui/feedback/notice.tsx';
import classes from './sources.module.css';

/** Problem of a source and its remedy. `detail` is the program's own output. */
interface SourceProblem {
  readonly why: string;
  readonly remedy: string;
  readonly detail: string;
}

/** Facts that the sentence contains already. */
const told = ['bitrate', 'video-codec', 'audio-codec'];

function useSourceProblem(): (error: unknown) => SourceProblem {
  const { t } = useTranslation();
  return (error) => {
    const message = toErrorMessage(error);
    const { kind, fact = '' } = (error instanceof ApiError ? error.why : undefined) ?? {};
    if (!isSourceFailure(kind)) return { why: t('source.refused'), remedy: '', detail: message };
    const detail = told.includes(kind) ? '' : fact;
    return { why: t(`source.why.${kind}`, { fact }), remedy: t(`source.remedy.${kind}`), detail };
  };
}

/** One-line text for a form field. */
export function useSourceProblemText(): (error: unknown) => string {
  const problemOf = useSourceProblem();
  const locale = useLocale();
  return (error) => {
    const { why, remedy, detail } = problemOf(error);
    return joinSentences([why, remedy === '' ? detail : remedy], locale);
  };
}

export function SourceRefusal({ error }: { error: unknown }) {
  const { why, remedy, detail } = useSourceProblem()(error);
  return (
    <div role="alert">
      <Notice tone="bad" title={why}>
        {remedy !== '' && <p>{remedy}</p>}
        {detail !== '' && <code className={classes.detail}>{detail}</code>}
      </Notice>
    </div>
  );
}
