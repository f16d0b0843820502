import { authApi } from '@weir/contract';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { paths, useLocalPath } from '../../app/paths.ts';
import { client } from '../../lib/api.ts';
import { dropCredentials } from '../../lib/credentials.ts';

export function LogoutPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const localPath = useLocalPath();
  const isAsked = useRef(false);

  useEffect(() => {
    // React may run an effect twice; a person is asked once.
    if (isAsked.current) return;
    isAsked.current = true;
    if (window.confirm(t('nav.logout2'))) {
      // The call reads the credential as it starts; whether it arrives does not change what this browser forgets.
      client.call(authApi.logout, {}).catch(() => undefined);
      dropCredentials();
    }
    navigate(localPath(paths.login), { replace: true });
  }, [t, navigate, localPath]);

  return null;
}
