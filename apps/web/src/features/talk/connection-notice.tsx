import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { problemText } from './session/talk-problem.ts';
import type { TalkSession } from './session/talk-session.ts';
import type { TalkState } from './session/talk-state.ts';
import classes from './talk.module.css';

/** Problem between this page and the room, with the remedy. Empty while there is none. */
export function ConnectionNotice({ state, session }: { state: TalkState; session: TalkSession }) {
  const { t } = useTranslation();
  const { end, rest, trouble, outbox } = state;
  const isOld = rest === 'quiet' || rest === 'silent';
  return (
    <div className={classes.line} role="status">
      {end && (
        <Notice tone="bad" title={t(`talk.end.${end.kind as 'token' | 'room' | 'assistant'}`)}>
          {t('talk.endText')}
        </Notice>
      )}
      {!end && isOld && (
        <Notice tone="warn" title={t(`talk.rest.${rest}`)}>
          <Button size="compact-md" variant="default" onClick={() => session.wake()}>
            {t('talk.continue')}
          </Button>
        </Notice>
      )}
      {!end && !isOld && trouble && (
        <Notice tone="warn" title={problemText(t, trouble)}>
          {trouble.kind === 'silence' && outbox.length > 0 && <p>{t('talk.kept')}</p>}
        </Notice>
      )}
    </div>
  );
}
