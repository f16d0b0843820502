import { authApi } from '@weir/contract';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { client } from '../../lib/api.ts';
import { endSession, signOut } from '../../lib/credentials.ts';
import { endedSession, paths, useLocalPath } from '../../lib/paths.ts';

export function LogoutPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const localPath = useLocalPath();
  const isAsked = useRef(false);
  // Skips the question when the server has ended the session already.
  const hasEnded = useLocation().state?.ended === endedSession.ended;

  useEffect(() => {
    // React may run an effect twice; ask the person once.
    if (isAsked.current) return;
    isAsked.current = true;
    navigate(localPath(paths.login), { replace: true });
    if (hasEnded) {
      endSession();
    } else if (window.confirm(t('nav.logout2'))) {
      // The call reads the credential when it starts. This browser forgets the credential even if the call fails.
      client.call(authApi.logout, {}).catch(() => undefined);
      signOut();
    }
  }, [t, navigate, localPath, hasEnded]);

  return null;
}
