import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type LadderEncoderTest, ladderApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../components/ui/facts/data-table.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { client } from '../../../lib/api.ts';
import classes from './ladder.module.css';
import { encodersQuery } from './ladder-queries.ts';

/** Results of test encodes on this machine. They start by themselves only if there is a rule. */
export function EncodersSection({ isUsed }: { isUsed: boolean }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const { data, isFetching } = useQuery({ ...encodersQuery, enabled: isUsed || isAsked });
  const again = useMutation({
    mutationFn: () => client.call(ladderApi.encoders, { isFresh: true }),
    onSuccess: (results) => queries.setQueryData(encodersQuery.queryKey, results),
  });
  const isTesting = isFetching || again.isPending;
  return (
    <Section
      title={t('ladder.encoders')}
      help={t('ladder.encodersHelp')}
      state={
        <Button variant="default" loading={isTesting} onClick={() => (data ? again.mutate() : setIsAsked(true))}>
          {t(data ? 'ladder.testAgain' : 'ladder.test')}
        </Button>
      }
    >
      {!data && <p className={classes.muted}>{t(isTesting ? 'ladder.testing' : 'ladder.untested')}</p>}
      {data && (
        <DataTable
          label={t('ladder.encoders')}
          rows={data.encoders}
          keyOf={({ encoder }) => encoder}
          actionsTitle=""
          columns={[
            {
              title: t('ladder.encoder.label'),
              isName: true,
              render: ({ encoder }) => t(`ladder.encoder.${encoder}`),
            },
            {
              title: t('ladder.result'),
              render: ({ encoder, isUsable }) => (
                <StatusLabel
                  tone={isUsable ? 'ok' : 'off'}
                  word={t(!isUsable ? 'ladder.unusable' : encoder === data.chosen ? 'ladder.chosen' : 'ladder.usable')}
                />
              ),
            },
            { title: t('ladder.reason'), render: (test) => <Reason test={test} /> },
          ]}
        />
      )}
    </Section>
  );
}

function Reason({ test: { fault, detail, device } }: { test: LadderEncoderTest }) {
  const { t } = useTranslation();
  if (fault === '') return device === '' ? '–' : <code>{device}</code>;
  return (
    <div>
      {t(`ladder.fault.${fault}`)}
      {detail !== '' && <span className={classes.detail}>{detail}</span>}
    </div>
  );
}
