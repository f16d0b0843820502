import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { accessApi, type PlayLink } from '@weir/contract';
import type { WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { ActionTile } from '../../components/streams/action-tile.tsx';
import { IconCopy } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { useCopy } from '../../lib/notify.ts';
import { useEngineLacks } from '../../lib/queries/use-engine-lacks.ts';
import { accessKey, accessRulesQuery } from './access-queries.ts';
import { blankLink, toLinkChange } from './link-draft.ts';
import { findStreamRule } from './stream-rule.ts';

interface WatchLinkActionProps {
  stream: WirePlace;
  /** Player that plays the stream where everybody may watch it. */
  openUrl: string;
}

/** Copies what the owner sends to viewers: a link that opens the stream under the rule it has. */
export function WatchLinkAction({ stream: { vhost, app, stream }, openUrl }: WatchLinkActionProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const queries = useQueryClient();
  const lacksAccess = useEngineLacks('access');
  const { data: rules } = useQuery({ ...accessRulesQuery, enabled: !lacksAccess });
  const place = { vhost, app, stream };
  const { own, wider } = findStreamRule(rules ?? [], place);
  const mode = (own ?? wider)?.mode ?? 'open';
  const protectedLink = useMutation({
    mutationFn: async () => {
      if (mode === 'password') return watchUrl(await client.call(accessApi.playback, place));
      const change = toLinkChange({ ...blankLink, label: t('access.watchLink.label') }, Date.now());
      return watchUrl(await client.call(accessApi.makeLink, { ...place, ...change }));
    },
    onSuccess: async (url) => {
      await copy(url);
      await queries.invalidateQueries({ queryKey: accessKey });
    },
  });
  if (!rules && !lacksAccess) return null;
  const isMade = mode === 'link' || mode === 'token';
  const isPlain = mode === 'open' || mode === 'callback';
  return (
    <ActionTile
      icon={IconCopy}
      title={t(isMade ? 'access.watchLink.make' : 'access.watchLink.copy')}
      detail={t(`access.watchLink.${mode}`)}
      isBusy={protectedLink.isPending}
      onPress={() => (isPlain ? copy(openUrl) : protectedLink.mutate())}
    />
  );
}

function watchUrl({ playback, token = '' }: Pick<PlayLink, 'playback'> & Partial<Pick<PlayLink, 'token'>>): string {
  return `${window.location.origin}/watch/${playback}${token && `?token=${token}`}`;
}
