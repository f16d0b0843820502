import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { isSignInEnded } from '../lib/api.ts';
import { endedSession, paths, useLocalPath } from '../lib/paths.ts';

/** Some queries end an expired session at once, as the specification wants it: an alert, then the way out. */
export function useEndedSession(): void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const localPath = useLocalPath();
  const leave = useEffectEvent((error: ApiError) => {
    window.alert(`${t('errs.endedAlert')}\n${t('errs.code', { code: error.code })}\n${error.message}`);
    navigate(localPath(paths.logout), { state: endedSession });
  });

  useEffect(() => {
    let isLeaving = false;
    return queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || !event.query.meta?.endsSession) return;
      if (event.action.type === 'success') isLeaving = false;
      if (event.action.type !== 'error' || !event.query.isActive()) return;
      const { error } = event.action;
      // Two of them on one page fail together; one alert is enough.
      if (isLeaving || !(error instanceof ApiError) || !isSignInEnded(error)) return;
      isLeaving = true;
      // Not inside the query's own step, which an alert would hold up.
      setTimeout(() => leave(error));
    });
  }, [queries]);
}
