import { Anchor, Button, Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Channel, channelPath, watchLimits, watchPageApi } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { channelQuery } from './watch-queries.ts';
import classes from './watch-section.module.css';

/** The page of all public streams, which belongs to the server and not to one stream. */
export function ChannelSettings() {
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
