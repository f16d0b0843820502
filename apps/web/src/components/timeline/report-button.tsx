import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Broadcast, timelineApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';

/** Saves everything about a broadcast as one file, for a bug report. The server leaves out what is secret. */
export function ReportButton({ broadcast }: { broadcast: Broadcast }) {
  const { t } = useTranslation();
  const { id, vhost, app, stream, beganAt } = broadcast;
  const report = useMutation({
    mutationFn: () => client.call(timelineApi.report, { id, vhost, app, stream }),
    onSuccess: (data) => {
      const href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
      const link = document.createElement('a');
      link.href = href;
      link.download = `${`report-${app}-${stream}-${beganAt.slice(0, 19)}`.replace(/[\\/:*?"<>|\p{Cc}]/gu, '-')}.json`;
      link.click();
      URL.revokeObjectURL(href);
    },
  });
  return (
    <Button variant="default" size="xs" loading={report.isPending} onClick={() => report.mutate()}>
      {t('timeline.report')}
    </Button>
  );
}
