import { Button, Checkbox, FileButton, Group, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type OwnedPage,
  type WatchPage,
  type WatchPicture,
  watchLimits,
  watchPageApi,
  watchPictures,
} from '@weir/contract';
import type { WirePlace } from '@weir/streams';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { watchPageQuery } from './watch-queries.ts';
import classes from './watch-section.module.css';

const defaultAccent = '#147083';

interface PageFormProps {
  stream: WirePlace;
  owned: OwnedPage;
  draft: WatchPage;
  onChange: (change: Partial<WatchPage>) => void;
  onClose: () => void;
}

/** Settings of a watch page. Pictures are saved at once, the rest together. */
export function PageForm({ stream, owned, draft, onChange, onClose }: PageFormProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isChecked, setIsChecked] = useState(false);
  const wrongLinks = draft.links.filter(({ name, url }) => name.trim() === '' || !isFollowable(url));
  const isWrongEnd = draft.startsAt !== '' && draft.endsAt !== '' && draft.endsAt <= draft.startsAt;
  const save = useMutation({
    mutationFn: () => client.call(watchPageApi.save, { ...placeOf(stream), page: draft }),
    onSuccess: (saved) => {
      queries.setQueryData(watchPageQuery(stream).queryKey, saved);
      notify.success(t('watchPage.saved'));
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (wrongLinks.length === 0 && !isWrongEnd && !save.isPending) save.mutate();
  };
  return (
    <form noValidate onSubmit={submit} className={classes.form} aria-label={t('watchPage.edit')}>
      <TextInput
        label={t('watchPage.pageTitle')}
        maxLength={watchLimits.titleCharacters}
        value={draft.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <Textarea
        label={t('watchPage.description')}
        rows={3}
        maxLength={watchLimits.descriptionCharacters}
        value={draft.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      {watchPictures.map((kind) => (
        <PictureField key={kind} stream={stream} kind={kind} hasPicture={owned.pictures[kind] !== ''} />
      ))}
      <div className={classes.color}>
        <TextInput
          type="color"
          label={t('watchPage.accent')}
          description={t('watchPage.accentHelp')}
          value={draft.accent || defaultAccent}
          onChange={(event) => onChange({ accent: event.currentTarget.value })}
        />
        {draft.accent !== '' && (
          <Button variant="default" size="xs" onClick={() => onChange({ accent: '' })}>
            {t('watchPage.accentDefault')}
          </Button>
        )}
      </div>
      <div className={classes.pair}>
        <TextInput
          type="datetime-local"
          label={t('watchPage.startsAt')}
          value={toLocal(draft.startsAt)}
          onChange={(event) => onChange({ startsAt: fromLocal(event.currentTarget.value) })}
        />
        <TextInput
          type="datetime-local"
          label={t('watchPage.endsAt')}
          value={toLocal(draft.endsAt)}
          onChange={(event) => onChange({ endsAt: fromLocal(event.currentTarget.value) })}
          error={isChecked && isWrongEnd && t('watchPage.endsWrong')}
        />
      </div>
      <LinkFields draft={draft} isChecked={isChecked} onChange={onChange} />
      {(['showsViewers', 'allowsSharing', 'isIndexed', 'isListed'] as const).map((field) => (
        <Checkbox
          key={field}
          label={t(`watchPage.option.${field}`)}
          checked={draft[field]}
          onChange={(event) => onChange({ [field]: event.currentTarget.checked })}
        />
      ))}
      <Group gap="xs">
        <Button type="submit" loading={save.isPending}>
          {t('helper.update')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('helper.discard')}
        </Button>
      </Group>
    </form>
  );
}

function LinkFields({
  draft,
  isChecked,
  onChange,
}: Pick<PageFormProps, 'draft' | 'onChange'> & { isChecked: boolean }) {
  const { t } = useTranslation();
  const { links } = draft;
  const change = (index: number, part: Partial<WatchPage['links'][number]>) =>
    onChange({ links: links.map((link, at) => (at === index ? { ...link, ...part } : link)) });
  return (
    <fieldset className={classes.links}>
      <legend>{t('watchPage.links')}</legend>
      {links.map(({ name, url }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: links have no other identity
        <div key={index} className={classes.linkRow}>
          <TextInput
            aria-label={t('watchPage.linkName', { number: index + 1 })}
            placeholder={t('watchPage.linkNamePlaceholder')}
            maxLength={watchLimits.linkNameCharacters}
            value={name}
            onChange={(event) => change(index, { name: event.currentTarget.value })}
            error={isChecked && name.trim() === ''}
          />
          <TextInput
            aria-label={t('watchPage.linkUrl', { number: index + 1 })}
            placeholder="https://"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={watchLimits.linkUrlCharacters}
            value={url}
            onChange={(event) => change(index, { url: event.currentTarget.value })}
            error={isChecked && !isFollowable(url) && t('watchPage.linkWrong')}
          />
          <Button
            variant="default"
            size="xs"
            aria-label={t('watchPage.linkRemoveNamed', { number: index + 1 })}
            onClick={() => onChange({ links: links.filter((_, at) => at !== index) })}
          >
            {t('watchPage.linkRemove')}
          </Button>
        </div>
      ))}
      {links.length < watchLimits.links && (
        <Button variant="default" size="xs" onClick={() => onChange({ links: [...links, { name: '', url: '' }] })}>
          {t('watchPage.linkAdd')}
        </Button>
      )}
    </fieldset>
  );
}

interface PictureFieldProps {
  stream: WirePlace;
  kind: WatchPicture;
  hasPicture: boolean;
}

function PictureField({ stream, kind, hasPicture }: PictureFieldProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: async (file: File | undefined) => {
      const picture = file ? await shrinkPicture(file, kind) : '';
      return client.call(watchPageApi.picture, { ...placeOf(stream), kind, picture });
    },
    meta: { handles: (error: unknown) => error instanceof PictureError },
    onSuccess: (saved) => queries.setQueryData(watchPageQuery(stream).queryKey, saved),
  });
  const name = t(`watchPage.pictures.${kind}`);
  return (
    <div>
      <div className={classes.pictureRow}>
        <span>{name}</span>
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => file && set.mutate(file)}>
          {(button) => (
            <Button
              {...button}
              variant="default"
              size="xs"
              loading={set.isPending}
              aria-label={t(hasPicture ? 'watchPage.pictureReplaceNamed' : 'watchPage.pictureChooseNamed', { name })}
            >
              {t(hasPicture ? 'watchPage.pictureReplace' : 'watchPage.pictureChoose')}
            </Button>
          )}
        </FileButton>
        {hasPicture && (
          <Button
            variant="default"
            size="xs"
            aria-label={t('watchPage.pictureRemoveNamed', { name })}
            onClick={() => set.mutate(undefined)}
          >
            {t('watchPage.linkRemove')}
          </Button>
        )}
      </div>
      {set.error instanceof PictureError && <Notice tone="bad" title={t('watchPage.pictureWrong')} />}
    </div>
  );
}

function placeOf({ vhost, app, stream }: WirePlace) {
  return { vhost, app, stream };
}

/** The same as the server accepts. */
function isFollowable(url: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(url.trim()) && URL.canParse(url.trim());
}

/** Value of a `datetime-local` field, in the time zone of this browser. */
function toLocal(iso: string): string {
  if (iso === '') return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function fromLocal(text: string): string {
  return text === '' || Number.isNaN(Date.parse(text)) ? '' : new Date(text).toISOString();
}

/** Thrown for a file that this browser cannot decode, or that stays too large. */
class PictureError extends Error {}

/** Base64 of a picture that is small enough to send: scaled down, and without what cameras hide in files. */
async function shrinkPicture(file: Blob, kind: WatchPicture): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) throw new PictureError();
  const isLogo = kind === 'logo';
  const side = isLogo ? watchLimits.logoSide : watchLimits.pictureSide;
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  // A logo keeps its transparency.
  for (const quality of isLogo ? [1] : [0.88, 0.75, 0.6]) {
    const blob = await new Promise<Blob | null>((done) =>
      canvas.toBlob(done, isLogo ? 'image/png' : 'image/jpeg', quality),
    );
    if (blob && blob.size <= watchLimits.pictureBytes) return toBase64(await blob.arrayBuffer());
  }
  throw new PictureError();
}

function toBase64(bytes: ArrayBuffer): string {
  let text = '';
  const all = new Uint8Array(bytes);
  for (let at = 0; at < all.length; at += 8192) text += String.fromCharCode(...all.subarray(at, at + 8192));
  return btoa(text);
}
