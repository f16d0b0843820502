import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { certsApi, errorTable, isDomain } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { certStatusQuery, certsMutation } from './certs-queries.ts';
import { checkOrder, type OrderProblem } from './order-check.ts';

export function OrderForm({ domain: saved }: { domain: string }) {
  const { t } = useTranslation();
  const status = useQuery(certStatusQuery);
  const { hostname } = window.location;
  const [draft, setDraft] = useState<string>();
  const [complaint, setComplaint] = useState<OrderProblem>();
  const order = useOrder();
  const isBusy = useIsMutating({ mutationKey: certsMutation }) > 0 || status.data?.order.state === 'running';
  const value = draft ?? (saved || (isDomain(hostname) ? hostname : ''));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const domain = value.trim().toLowerCase();
    const found = checkOrder(domain, window.location);
    setComplaint(found);
    if (!found) order.mutate(domain);
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="md" maw={560}>
        <TextInput
          size="md"
          label={t('settings.letsDomain')}
          description={t('certs.orderHelp')}
          placeholder={t('settings.letsDomainTip')}
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={(event) => {
            setDraft(event.currentTarget.value);
            setComplaint(undefined);
          }}
          error={complaint && <ComplaintText complaint={complaint} domain={value.trim()} />}
        />
        <Group>
          <Button type="submit" loading={isBusy}>
            {t('settings.letsDomainSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ComplaintText({ complaint, domain }: { complaint: OrderProblem; domain: string }) {
  const { t } = useTranslation();
  const { hostname, port, host } = window.location;
  const opened = t('settings.sslInvalidHost', { host: hostname });
  switch (complaint) {
    case 'page-port':
      return t('settings.sslInvalidPort', { port, host });
    case 'page-host':
      return `${opened} ${t('settings.sslInvalidHostName')}`;
    case 'empty':
      return t('settings.sslNoDomain');
    case 'no-domain':
      return t('settings.sslInvalidDomain');
    case 'other-domain':
      return `${opened} ${t('settings.sslInvalidHost2', { domain })}`;
  }
}

function useOrder() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationKey: certsMutation,
    mutationFn: (domain: string) => {
      // The order runs on the server; its progress is shown beside the current certificate.
      setTimeout(() => queries.invalidateQueries(certStatusQuery));
      return client.call(certsApi.order, { domain });
    },
    // The panel of the current certificate keeps showing why an order failed.
    meta: { handles: (error) => error instanceof ApiError && error.code === errorTable.certificate_failed.code },
    onSuccess: ({ state }) => {
      if (state === 'issued') notify.success(t('settings.sslLetsOk'));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: certsMutation }),
  });
}
