import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type TranscodeConfig, type TranscodeProblem, transcodeApi, transcodeProblems } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isStreamName, type OwnServer, ownStreamName } from '../../components/outlets/destination/own-destination.ts';
import { useDraft } from '../../components/settings-form/use-draft.ts';
import { type RunAction, useStartStop } from '../../components/settings-form/use-start-stop.ts';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { type TranscodeDraft, toDraft, toTranscodeConfig } from './transcode-draft.ts';
import { transcodeKey, transcodeQuery } from './transcode-queries.ts';

type FormProblem = TranscodeProblem | { readonly field: 'server'; readonly kind: 'name' };

interface Options {
  readonly saved: TranscodeConfig;
  readonly own: { readonly server: string; readonly secret: string };
  readonly ownServer: OwnServer;
}

export function useTranscodeForm({ saved, own, ownServer }: Options) {
  const { value: draft, changed, edit, discard } = useDraft(toDraft(saved, own));
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const apply = useApply();

  const send = (config: TranscodeConfig, action: RunAction) => {
    if (apply.isPending) return;
    apply.mutate({ config, action }, { onSuccess: () => action !== 'stop' && discard() });
  };
  /** Checks before every action: settings that cannot run are not saved. */
  const checked = (all: boolean): TranscodeConfig | undefined => {
    const config = toTranscodeConfig(draft, all);
    const name = nameProblem(config, ownServer);
    const found = [...transcodeProblems(config), ...(name ? [name] : [])];
    setProblems(found);
    return found.length > 0 ? undefined : config;
  };
  return {
    draft,
    problems,
    isChanged: changed.length > 0,
    ...useStartStop({ saved, checked, send }),
    busy: apply.isPending ? apply.variables.action : undefined,
    edit(change: Partial<TranscodeDraft>) {
      edit(change);
      // The other fields stay marked until they are corrected.
      setProblems(problems.filter(({ field }) => !(field in change)));
    },
  };
}

/** On this server the destination needs only a stream name. */
function nameProblem(config: TranscodeConfig, ownServer: OwnServer): FormProblem | undefined {
  const name = ownStreamName(config, ownServer);
  return name === undefined || isStreamName(name) ? undefined : { field: 'server', kind: 'name' };
}

function useApply() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ config }: { config: TranscodeConfig; action: RunAction }) => client.call(transcodeApi.apply, config),
    onSuccess: async (_answer, { config }) => {
      queries.setQueryData(transcodeQuery.queryKey, config);
      notify.success(t('helper.setOk'));
      await queries.invalidateQueries({ queryKey: transcodeKey });
    },
  });
}
