import { useQuery } from '@tanstack/react-query';
import { publishAuthApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SwitchPanel } from '../../components/settings-form/switch-panel.tsx';
import { client } from '../../lib/api.ts';
import { publishAuthQuery } from '../../lib/queries/publish-auth-queries.ts';

/** Opens the server to everyone, so it shows only at a special address. */
export function NoAuthPanel() {
  const { t } = useTranslation();
  const auth = useQuery(publishAuthQuery);
  return (
    <SwitchPanel
      title={t('settings.noAuthTitle')}
      help={t('settings.noAuthHelp')}
      label={t('settings.noAuthTips')}
      freshness={auth}
      saved={auth.data?.pubNoAuth}
      save={(pubNoAuth) => client.call(publishAuthApi.disable, { pubNoAuth })}
      refresh={(queries, pubNoAuth) =>
        queries.setQueryData(publishAuthQuery.queryKey, (before) => before && { ...before, pubNoAuth })
      }
    />
  );
}
