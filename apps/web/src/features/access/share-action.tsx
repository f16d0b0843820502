import { useQuery } from '@tanstack/react-query';
import { placeText, type WirePlace } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionTile } from '../../components/streams/action-tile.tsx';
import { IconShare } from '../../components/ui/theme/icons.ts';
import { useEngineLacks } from '../../lib/queries/use-engine-lacks.ts';
import { accessRulesQuery } from './access-queries.ts';
import { ShareSheet } from './share-sheet.tsx';
import { findStreamRule } from './stream-rule.ts';

/** Says who can watch the stream, and opens the sheet that changes it. */
export function ShareAction({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const lacksAccess = useEngineLacks('access');
  const { data: rules } = useQuery({ ...accessRulesQuery, enabled: !lacksAccess });
  if (!rules && !lacksAccess) return null;
  const { own, wider } = findStreamRule(rules ?? [], stream);
  // The caller may pass all it knows of a live stream, and calls of this feature take a place only.
  const place = { vhost: stream.vhost, app: stream.app, stream: stream.stream };
  const mode = (own ?? wider)?.mode ?? 'open';
  return (
    <>
      <ActionTile
        icon={IconShare}
        title={t('access.share')}
        detail={t(`access.short.${mode}`)}
        onPress={() => setIsOpen(true)}
      />
      <ShareSheet key={placeText(place)} stream={place} opened={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}
