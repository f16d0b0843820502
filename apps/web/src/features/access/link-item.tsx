import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { accessApi, type PlayLink } from '@weir/contract';
import { type AddressInput, srtStreamId, streamAddresses } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Ago } from '../../components/ui/facts/moment.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { IconCopy } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { formatDateTime } from '../../lib/format.ts';
import { notify, useCopy } from '../../lib/notify.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import classes from './access.module.css';
import { accessKey } from './access-queries.ts';

interface LinkItemProps {
  link: PlayLink;
  /** True while its URLs are shown. */
  isOpen: boolean;
  onToggle: () => void;
}

const tones = { valid: 'ok', waiting: 'busy', expired: 'warn', revoked: 'off' } as const;

/** One link: its name and state, who uses it, and its URL for every protocol. */
export function LinkItem({ link, isOpen, onToggle }: LinkItemProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const [isAsked, setIsAsked] = useState(false);
  const { data: environment } = useQuery(environmentQuery);
  const revoke = useRevoke(link.id, () => setIsAsked(false));
  const name = link.label === '' ? t('access.links.unnamed') : link.label;
  const isUsable = link.token !== '';
  const addresses = environment && isUsable && linkAddresses(link, { page: window.location, environment });
  return (
    <li className={classes.link}>
      <div className={classes.linkHead}>
        <span className={classes.strong}>{name}</span>
        <StatusLabel tone={tones[link.state]} word={t(`access.links.state.${link.state}`)} tinted={false} />
      </div>
      <LinkFacts link={link} />
      {addresses && (
        <>
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconCopy size={14} aria-hidden />}
              aria-label={t('access.links.copyOf', { name })}
              onClick={() => copy(addresses.page)}
            >
              {t('access.links.copy')}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-expanded={isOpen}
              aria-label={t('access.links.urlsOf', { name })}
              onClick={onToggle}
            >
              {t('access.links.urls')}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              c="var(--mantine-color-error)"
              aria-label={t('access.links.revokeOf', { name })}
              onClick={() => setIsAsked(true)}
            >
              {t('access.links.revoke')}
            </Button>
          </Group>
          {isOpen && <LinkUrls addresses={addresses} token={link.token} />}
        </>
      )}
      <ConfirmDialog
        opened={isAsked}
        title={t('access.links.revokeTitle', { name })}
        text={t('access.links.revokeText', { count: link.viewers })}
        action={t('access.links.revoke')}
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
        onClose={() => setIsAsked(false)}
      />
    </li>
  );
}

/** `2 watching now · last used 3 minutes ago · until 12 Mar 20:00 · 2 devices at most` */
function LinkFacts({ link }: { link: PlayLink }) {
  const { t } = useTranslation();
  const { state, viewers, lastUsedAt, startsAt, expiresAt, devices, address } = link;
  const time = (at: string) => formatDateTime(new Date(at));
  const limits = [
    state === 'waiting' && t('access.links.from', { time: time(startsAt) }),
    state !== 'revoked' && t('access.links.until', { time: time(expiresAt) }),
    devices > 0 && t('access.links.devices', { count: devices }),
    address !== '' && t('access.links.onlyFrom', { address }),
  ].filter((part) => part !== false);
  return (
    <div className={classes.muted}>
      {viewers > 0 && <strong>{t('access.links.viewers', { count: viewers })} · </strong>}
      {lastUsedAt === '' ? (
        t('access.links.neverUsed')
      ) : (
        <>
          {t('access.links.lastUsed')} <Ago at={lastUsedAt} />
        </>
      )}
      {limits.map((part) => ` · ${part}`).join('')}
    </div>
  );
}

const urls = ['page', 'hls', 'lowLatencyHls', 'flv', 'whep', 'rtmp', 'srt'] as const;

function LinkUrls({ addresses, token }: { addresses: LinkAddresses; token: string }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm" mt="xs">
      {urls.map((url) => (
        <CopyField
          key={url}
          label={t(`access.links.url.${url}`)}
          value={addresses[url]}
          {...(url === 'page' && { qrValue: addresses.page })}
        />
      ))}
      <CopyField label={t('access.links.token')} value={token} help={t('access.links.tokenHelp')} />
    </Stack>
  );
}

function useRevoke(id: string, onSettled: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(accessApi.revokeLink, { id }),
    onSuccess: () => notify.success(t('access.links.revoked')),
    onSettled: () => {
      onSettled();
      return queries.invalidateQueries({ queryKey: accessKey });
    },
  });
}

interface Link {
  /** Name of the stream for viewers. */
  readonly playback: string;
  readonly token: string;
}

/** Addresses for viewers by protocol. */
interface LinkAddresses {
  readonly page: string;
  readonly hls: string;
  readonly lowLatencyHls: string;
  readonly flv: string;
  readonly whep: string;
  readonly rtmp: string;
  readonly srt: string;
}

/** URLs of a stream by its playback id. None names the stream itself. */
function linkAddresses(
  { playback, token }: Link,
  { page, environment }: Pick<AddressInput, 'page' | 'environment'>,
): LinkAddresses {
  const place = { app: 'play', name: playback };
  const plain = streamAddresses({ path: `${place.app}/${place.name}`, page, environment });
  const hls = withToken(plain.m3u8Url, token);
  const origin = new URL(plain.m3u8Url).origin;
  const srtServer = plain.srtPlayUrl.slice(0, plain.srtPlayUrl.indexOf('?'));
  return {
    page: withToken(`${origin}/watch/${playback}`, token),
    hls,
    lowLatencyHls: hls.replace('.m3u8', '.ll.m3u8'),
    flv: withToken(plain.flvUrl, token),
    whep: withToken(plain.whepUrl, token),
    rtmp: withToken(plain.rtmpServer + plain.rtmpStreamKey, token),
    srt: `${srtServer}?streamid=${srtStreamId(place, 'request', { token })}`,
  };
}

function withToken(url: string, token: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}token=${token}`;
}
