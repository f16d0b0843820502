import { Button, NativeSelect, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  outletLimits,
  type TranscodeConfig,
  type TranscodeField,
  type TranscodeProblem,
  type TranscodeTask,
  transcodeApi,
  transcodeChoices,
  transcodeProblems,
} from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  isStreamName,
  type OwnServer,
  ownStreamName,
  toOwnDestination,
} from '../../components/outlets/destination/own-destination.ts';
import { OwnStreamField } from '../../components/outlets/destination/own-stream-field.tsx';
import { ProcessStateLabel } from '../../components/processes/process-state-label.tsx';
import { useDraft } from '../../components/settings-form/use-draft.ts';
import { type RunAction, useStartStop } from '../../components/settings-form/use-start-stop.ts';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { FormStep, FormSteps } from '../../components/ui/fields/form-step.tsx';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { ActionBar } from '../../components/ui/layout/action-bar.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import classes from './transcode.module.css';
import { type TranscodeDraft, toDraft, toTranscodeConfig } from './transcode-draft.ts';
import { transcodeKey, transcodeQuery } from './transcode-queries.ts';

interface TranscodeFormProps {
  saved: TranscodeConfig;
  /** Default destination: this server, under the stream's name with `-trans`. */
  own: { server: string; secret: string };
  ownServer: OwnServer;
  task: TranscodeTask | undefined;
}

/** Encoder settings, source and destination. Saving does not start the encoder. */
export function TranscodeForm({ saved, own, ownServer, task }: TranscodeFormProps) {
  const { t } = useTranslation();
  const form = useTranscodeForm({ saved, own, ownServer });
  const { isChanged, isLocked, busy } = form;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.save();
  };
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <FormSteps>
        <FormStep title={t('transcode.step.source')} help={t('transcode.step.sourceHelp')}>
          <StreamField form={form} output={outputOf(form.draft, ownServer, task)} />
        </FormStep>
        <FormStep title={t('transcode.step.encoding')} help={t('transcode.step.encodingHelp')}>
          <EncodingFields form={form} />
        </FormStep>
        <FormStep title={t('transcode.step.destination')} help={t('transcode.step.destinationHelp')}>
          <DestinationFields form={form} own={own} ownServer={ownServer} />
        </FormStep>
      </FormSteps>
      <ActionBar
        primary={
          <Button
            type="button"
            variant={saved.all ? 'default' : 'filled'}
            loading={busy === 'start' || busy === 'stop'}
            disabled={isLocked || busy !== undefined}
            onClick={form.toggle}
          >
            {saved.all ? t('transcode.status.stop') : t('transcode.status.start')}
          </Button>
        }
        secondary={
          <Button
            type="submit"
            variant={saved.all && isChanged ? 'filled' : 'default'}
            loading={busy === 'save'}
            disabled={!isChanged}
          >
            {saved.all ? t('transcode.status.restart') : t('helper.update')}
          </Button>
        }
        state={
          task && (
            <span role="status">
              <ProcessStateLabel report={task.process} />
            </span>
          )
        }
        dirty={isChanged}
      />
    </form>
  );
}

type Form = ReturnType<typeof useTranscodeForm>;

function useFieldError({ problems, draft }: Form) {
  const { t } = useTranslation();
  return (field: TranscodeField): string | undefined => {
    const problem = problems.find((one) => one.field === field);
    if (!problem) return undefined;
    const typed = field === 'server' || draft[field] === '' ? '' : ` ${draft[field]}`;
    if (problem.kind === 'range') {
      return t('transcode.problem.range', { field, typed, least: problem.least, most: problem.most });
    }
    if (problem.kind === 'choice') {
      return t('transcode.problem.choice', { field, typed, choices: problem.choices.join(', ') });
    }
    return problem.kind === 'name' ? t('plat.com.ownNameWrong') : t(`transcode.problem.${problem.kind}`);
  };
}

/** Streams of this server that the encoder makes: the one of the draft, and the one that runs. */
function outputOf(draft: Form['draft'], ownServer: OwnServer, task: TranscodeTask | undefined): string[] {
  const name = ownStreamName(draft, ownServer);
  return [...(name ? [`live/${name}`] : []), ...(task?.outputStream ? [task.outputStream] : [])];
}

function StreamField({ form, output }: { form: Form; output: readonly string[] }) {
  const { t } = useTranslation();
  const { data } = useQuery(streamsQuery);
  const chosen = form.draft.stream;
  const live = (data?.streams ?? []).map(streamLabel).filter((label) => !output.includes(label) || label === chosen);
  const away = chosen !== '' && !live.includes(chosen) ? [chosen] : [];
  return (
    <NativeSelect
      size="md"
      label={t('transcode.config.stream')}
      description={t('transcode.config.streamHelp')}
      data={[
        { value: '', label: t('transcode.config.newest') },
        ...live.map((value) => ({ value, label: value })),
        ...away.map((value) => ({ value, label: t('transcode.config.away', { stream: value }) })),
      ]}
      value={chosen}
      onChange={(event) => form.edit({ stream: event.currentTarget.value })}
    />
  );
}

function EncodingFields({ form }: { form: Form }) {
  const { t } = useTranslation();
  const errorOf = useFieldError(form);
  const number = (field: 'vbitrate' | 'abitrate') => (
    <TextInput
      size="md"
      label={t(`transcode.config.${field}`)}
      description={t(`transcode.config.${field}Help`)}
      inputMode="numeric"
      autoComplete="off"
      value={form.draft[field]}
      onChange={(event) => form.edit({ [field]: event.currentTarget.value })}
      error={errorOf(field)}
    />
  );
  const select = (field: Choice, label: string, description: string) => (
    <NativeSelect
      size="md"
      label={label}
      description={description}
      data={[
        { value: '', label: t('transcode.config.choose') },
        ...transcodeChoices[field].map((choice) => ({
          value: String(choice),
          label: t(`transcode.choice.${field}.${choice}` as 'transcode.choice.vcodec.libx264'),
        })),
      ]}
      value={form.draft[field]}
      onChange={(event) => form.edit({ [field]: event.currentTarget.value })}
      error={errorOf(field)}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      {number('vbitrate')}
      {number('abitrate')}
      {select('vprofile', t('transcode.config.vprofile'), t('transcode.config.vprofileHelp'))}
      {select('vpreset', t('transcode.config.vpreset'), t('transcode.config.vpresetHelp'))}
      {select('vcodec', t('transcode.config.vcodec'), t('transcode.config.vcodecHelp'))}
      {select('acodec', t('transcode.config.acodec'), t('transcode.config.acodecHelp'))}
      {select('achannels', t('transcode.config.achannel'), t('transcode.config.achannelN'))}
    </SimpleGrid>
  );
}

type Choice = keyof typeof transcodeChoices;

function DestinationFields({ form, own, ownServer }: { form: Form } & Pick<TranscodeFormProps, 'own' | 'ownServer'>) {
  const { t } = useTranslation();
  const errorOf = useFieldError(form);
  const { server, secret } = form.draft;
  // Remembers the other destination while the user compares the choices.
  const [other, setOther] = useState({ server: '', secret: '' });
  const name = ownStreamName({ server, secret }, ownServer);
  const choose = (choice: string) => {
    if ((choice === 'own') === (name !== undefined)) return;
    if (choice === 'own') setOther({ server, secret });
    form.edit(choice === 'own' ? own : other);
  };
  return (
    <>
      <Radio.Group label={t('plat.com.sendTo')} value={name === undefined ? 'other' : 'own'} onChange={choose}>
        <Stack gap={8} mt={4}>
          <Radio value="own" label={t('plat.com.ownServer')} description={t('plat.com.ownServerTip')} />
          <Radio value="other" label={t('plat.com.otherServer')} />
        </Stack>
      </Radio.Group>
      {name === undefined ? (
        <AddressFields form={form} error={errorOf('server')} />
      ) : (
        <OwnStreamField
          name={name}
          problem={errorOf('server')}
          onChange={(next) => form.edit(toOwnDestination(next, ownServer))}
        />
      )}
    </>
  );
}

function AddressFields({ form, error }: { form: Form; error: string | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        size="md"
        label={t('transcode.config.server')}
        description={t('transcode.config.serverHelp')}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={outletLimits.serverCharacters}
        value={form.draft.server}
        onChange={(event) => form.edit({ server: event.currentTarget.value })}
        placeholder={t('plat.com.example')}
        error={error}
      />
      <SecretField
        label={t('transcode.config.key')}
        description={t('transcode.config.keyHelp')}
        value={form.draft.secret}
        onChange={(secret) => form.edit({ secret })}
      />
    </>
  );
}

type FormProblem = TranscodeProblem | { readonly field: 'server'; readonly kind: 'name' };

interface Options {
  readonly saved: TranscodeConfig;
  readonly own: { readonly server: string; readonly secret: string };
  readonly ownServer: OwnServer;
}

function useTranscodeForm({ saved, own, ownServer }: Options) {
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
