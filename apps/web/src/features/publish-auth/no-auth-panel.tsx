import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { publishAuthApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SwitchPanel } from '../../components/ui/layout/switch-panel.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { publishAuthQuery } from '../../lib/queries/publish-auth-queries.ts';

/** Opens the server to everybody, so it shows only at an address that asks for it. */
export function NoAuthPanel() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const auth = useQuery(publishAuthQuery);
  const save = useMutation({
    mutationFn: (pubNoAuth: boolean) => client.call(publishAuthApi.disable, { pubNoAuth }),
    onSuccess: (_answer, pubNoAuth) => {
      queries.setQueryData(publishAuthQuery.queryKey, (before) => before && { ...before, pubNoAuth });
      notify.success(t('helper.setOk'));
    },
  });
  return (
    <SwitchPanel
      title={t('settings.noAuthTitle')}
      help={t('settings.noAuthHelp')}
      label={t('settings.noAuthTips')}
      freshness={auth}
      saved={auth.data?.pubNoAuth}
      isSaving={save.isPending}
      onSave={save.mutateAsync}
    />
  );
}
