import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type LadderCost, ladderApi } from '@weir/contract';
import { placeText, streamLabel } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { client } from '../../../lib/api.ts';
import { toErrorMessage } from '../../../lib/errors/error-message.ts';
import classes from './ladder.module.css';
import { findRungProblems, type LadderDraft, toRungs } from './ladder-draft.ts';

/** Measures with a live stream what the qualities cost on this machine. */
export function CostCheck({ draft }: { draft: LadderDraft }) {
  const { t } = useTranslation();
  const streams = useQuery(streamsQuery).data?.streams ?? [];
  const [chosen, setChosen] = useState('');
  const stream = streams.find((one) => placeText(one) === chosen) ?? streams[0];
  const { encoder, preset, rungs } = draft;
  const form = JSON.stringify([encoder, preset, rungs, stream && placeText(stream)]);
  const measure = useMutation({
    mutationFn: async () => {
      if (!stream) return undefined;
      const { vhost, app, stream: name } = stream;
      const question = { vhost, app, stream: name, encoder, preset, rungs: toRungs(rungs) };
      return { form, cost: await client.call(ladderApi.measure, question) };
    },
    meta: { handles: () => true },
  });
  // Results of other settings say nothing of these.
  const cost = measure.data?.form === form ? measure.data.cost : undefined;
  return (
    <section className={classes.cost} aria-label={t('ladder.costTitle')}>
      <strong>{t('ladder.costTitle')}</strong>
      <p className={classes.muted}>{t(stream ? 'ladder.costHelp' : 'ladder.costNone')}</p>
      {stream && (
        <div className={classes.measure}>
          <NativeSelect
            aria-label={t('ladder.costStream')}
            value={placeText(stream)}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={streams.map((one) => ({ value: placeText(one), label: streamLabel(one) }))}
          />
          <Button
            variant="default"
            loading={measure.isPending}
            disabled={findRungProblems(rungs).size > 0}
            onClick={() => measure.mutate()}
          >
            {t('ladder.measure')}
          </Button>
        </div>
      )}
      <div role="status">
        {measure.error && <Notice tone="bad" title={toErrorMessage(measure.error)} />}
        {cost && <CostResult cost={cost} />}
      </div>
    </section>
  );
}

function CostResult({ cost }: { cost: LadderCost }) {
  const { t } = useTranslation();
  const percent = (value: number) => t('ladder.percent', { percent: Math.ceil(value) });
  const { decodePercent, rungs, needPercent, freePercent, fits, encoder } = cost;
  const numbers = { need: Math.ceil(needPercent), free: Math.floor(freePercent) };
  return (
    <div className={classes.result}>
      <FactList
        facts={[
          { term: t('ladder.decoding'), value: percent(decodePercent) },
          ...rungs.map((rung) => ({ term: `${rung.lines}p, ${encoder}`, value: percent(rung.percent) })),
        ]}
      />
      <Notice tone={fits ? 'ok' : 'warn'} title={t(fits ? 'ladder.fits' : 'ladder.fitsNot', numbers)} />
    </div>
  );
}
