import { Anchor, Button, Group, Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Channel, channelPath, type OwnedPage, watchLimits, watchPageApi } from '@weir/contract';
import type { WirePlace } from '@weir/streams';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { client } from '../../lib/api.ts';
import { embedCode } from '../../lib/embed-code.ts';
import { notify } from '../../lib/notify.ts';
import { useEngineLacks } from '../../lib/queries/use-engine-lacks.ts';
import { PageForm } from './page-form.tsx';
import { channelQuery, watchPageQuery } from './watch-queries.ts';
import classes from './watch-section.module.css';

/** The page for viewers of a stream: its address, how it looks, and what its owner can change. */
export function WatchSection({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const id = useId();
  const lacksAccess = useEngineLacks('access');
  const { data } = useQuery({ ...watchPageQuery(stream), enabled: !lacksAccess });
  if (lacksAccess) return null;
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h3 id={id}>{t('watchPage.title')}</h3>
      {data ? <Owned stream={stream} owned={data} /> : <PageSkeleton />}
    </section>
  );
}

function Owned({ stream, owned }: { stream: WirePlace; owned: OwnedPage }) {
  const { t } = useTranslation();
  const [isEdited, setIsEdited] = useState(false);
  const [draft, setDraft] = useState(owned.page);
  const shown = isEdited ? draft : owned.page;
  const { origin } = window.location;
  const link = `${origin}/watch/${owned.playback}`;
  const code = embedCode({
    player: `${origin}/embed/${owned.playback}`,
    title: shown.title || t('watchPage.untitled'),
    size: 'fluid',
  });
  return (
    <>
      <Preview owned={{ ...owned, page: shown }} />
      <CopyField label={t('watchPage.link')} value={link} help={t('watchPage.linkHelp')} qrValue={link} />
      <Group gap="xs">
        <Button component="a" variant="default" href={link} target="_blank" rel="noopener">
          {t('watchPage.open')}
        </Button>
        {!isEdited && (
          <Button
            variant="default"
            onClick={() => {
              setDraft(owned.page);
              setIsEdited(true);
            }}
          >
            {t('watchPage.edit')}
          </Button>
        )}
      </Group>
      {isEdited && (
        <PageForm
          stream={stream}
          owned={owned}
          draft={draft}
          onChange={(change) => setDraft({ ...draft, ...change })}
          onClose={() => setIsEdited(false)}
        />
      )}
      <details className={classes.more}>
        <summary>{t('watchPage.embed')}</summary>
        <CopyField label={t('watchPage.code')} value={code} help={t('watchPage.codeHelp')} isLong />
      </details>
      <ChannelSettings />
    </>
  );
}

/** The page as viewers see it, with what is being typed. It plays nothing and counts as nobody. */
function Preview({ owned: { playback, page, pictures } }: { owned: OwnedPage }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const latest = useRef({ page, pictures });
  latest.current = { page, pictures };
  const send = () =>
    frame.current?.contentWindow?.postMessage({ type: 'weir:preview', ...latest.current }, window.location.origin);
  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent) => {
      const isReady = source === frame.current?.contentWindow && data?.type === 'weir:preview-ready';
      if (isReady && origin === window.location.origin) send();
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: sent again when they change
  useEffect(() => send(), [page, pictures]);
  return (
    <div className={classes.preview}>
      <iframe ref={frame} src={`/watch/${playback}?preview=1`} title={t('watchPage.preview')} tabIndex={-1} />
    </div>
  );
}

/** The page of all public streams, which belongs to the server and not to one stream. */
function ChannelSettings() {
  const { t } = useTranslation();
  const { data } = useQuery(channelQuery);
  return (
    <details className={classes.more}>
      <summary>{t('watchPage.channel.title')}</summary>
      <p className={classes.muted}>{t('watchPage.channel.help', { path: channelPath })}</p>
      {data && <ChannelForm key={JSON.stringify(data)} channel={data} />}
    </details>
  );
}

function ChannelForm({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(channel);
  const save = useMutation({
    mutationFn: () => client.call(watchPageApi.saveChannel, draft),
    onSuccess: (saved) => {
      notify.success(t('watchPage.saved'));
      queries.setQueryData(channelQuery.queryKey, saved);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className={classes.form} onSubmit={submit} aria-label={t('watchPage.channel.title')}>
      <Switch
        label={t('watchPage.channel.isOn')}
        checked={draft.isOn}
        onChange={(event) => setDraft({ ...draft, isOn: event.currentTarget.checked })}
      />
      <TextInput
        label={t('watchPage.pageTitle')}
        maxLength={watchLimits.titleCharacters}
        value={draft.title}
        onChange={(event) => setDraft({ ...draft, title: event.currentTarget.value })}
      />
      <Textarea
        label={t('watchPage.description')}
        rows={3}
        maxLength={watchLimits.descriptionCharacters}
        value={draft.description}
        onChange={(event) => setDraft({ ...draft, description: event.currentTarget.value })}
      />
      <div className={classes.pictureRow}>
        <Button type="submit" loading={save.isPending} disabled={JSON.stringify(draft) === JSON.stringify(channel)}>
          {t('helper.update')}
        </Button>
        {channel.isOn && (
          <Anchor href={channelPath} target="_blank" rel="noopener">
            {t('watchPage.channel.open')}
          </Anchor>
        )}
      </div>
    </form>
  );
}
