import { Button, Group, Modal, Progress, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type DataOf, type ProgramRow, programApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatDelay } from '../../components/figures/format-figures.ts';
import { useNow } from '../../components/processes/use-now.ts';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { client } from '../../lib/api.ts';
import { toErrorMessage } from '../../lib/errors/error-message.ts';
import { useLocale } from '../../lib/i18n.ts';
import classes from './program.module.css';
import { programsQuery } from './program-queries.ts';
import { useInputName, useSwitchText } from './use-program-words.ts';

const rehearsalSeconds = 10;

/** Cuts the input on air off for ten seconds and reports what viewers saw. */
export function RehearseDialog({ program, onClose }: { program: ProgramRow; onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const nameOf = useInputName();
  const rehearsal = useMutation({
    mutationFn: () => client.call(programApi.rehearse, { uuid: program.uuid, seconds: rehearsalSeconds }),
    meta: { handles: () => true },
    onSettled: () => queries.invalidateQueries({ queryKey: programsQuery.queryKey }),
  });
  const current = program.inputs.find(({ id }) => id === program.onAir);
  const { isPending, isIdle, data, error, submittedAt } = rehearsal;
  const name = current ? nameOf(current, program.inputs) : '';
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('program.rehearse.title')}
      centered
      closeButtonProps={{ 'aria-label': t('helper.close') }}
    >
      {isIdle && <Text size="sm">{t('program.rehearse.text', { name, seconds: rehearsalSeconds })}</Text>}
      {isPending && <Waiting startedAt={submittedAt} />}
      {error && (
        <Notice tone="bad" title={t('program.rehearse.failed')}>
          <p role="alert">{toErrorMessage(error)}</p>
        </Notice>
      )}
      {data && <Report data={data} program={program} />}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {data ? t('helper.close') : t('helper.cancel')}
        </Button>
        <Button color="red.8" loading={isPending} disabled={!current} onClick={() => rehearsal.mutate()}>
          {data ? t('program.rehearse.again') : t('program.rehearse.action')}
        </Button>
      </Group>
    </Modal>
  );
}

function Waiting({ startedAt }: { startedAt: number }) {
  const { t } = useTranslation();
  const now = useNow(true);
  const percent = Math.min(100, (Math.max(0, now - startedAt) / (rehearsalSeconds * 1000)) * 100);
  return (
    <>
      <Text size="sm" role="status">
        {t('program.rehearse.running')}
      </Text>
      <Progress mt="sm" value={percent} aria-label={t('program.rehearse.running')} />
    </>
  );
}

const protocolWords = { rtmp: 'RTMP', flv: 'HTTP-FLV', srt: 'SRT', whep: 'WebRTC', 'll-hls': 'LL-HLS', hls: 'HLS' };

function Report({ data, program }: { data: DataOf<typeof programApi.rehearse>; program: ProgramRow }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const textOf = useSwitchText();
  const { switched, gaps } = data;
  if (!switched) {
    return (
      <Notice tone="bad" title={t('program.rehearse.nothing')}>
        <p>{t('program.rehearse.nothingText')}</p>
      </Notice>
    );
  }
  return (
    <div role="status">
      <Notice tone="ok" title={t('program.rehearse.done')}>
        <p>{textOf(switched, program.inputs)}</p>
      </Notice>
      {gaps.length === 0 ? (
        <Text size="sm" mt="sm" c="dimmed">
          {t('program.rehearse.nobody')}
        </Text>
      ) : (
        <table className={classes.report} aria-label={t('program.rehearse.gaps')}>
          <thead>
            <tr>
              <th scope="col">{t('program.rehearse.protocol')}</th>
              <th scope="col">{t('program.rehearse.longest')}</th>
            </tr>
          </thead>
          <tbody>
            {gaps.map(({ protocol, gapMs }) => (
              <tr key={protocol}>
                <th scope="row">{protocolWords[protocol]}</th>
                <td>{formatDelay(Math.round(gapMs), locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
