import { useQuery } from '@tanstack/react-query';
import { placeText, streamLabel, type WirePlace } from '@weir/streams';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FeatureParts } from '../../components/feature-parts.tsx';
import { ActionTile } from '../../components/streams/action-tile.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { SideSheet } from '../../components/ui/layout/side-sheet.tsx';
import { IconShare } from '../../components/ui/theme/icons.ts';
import { useEngineLacks } from '../../lib/queries/use-engine-lacks.ts';
import classes from './access.module.css';
import { accessRulesQuery } from './access-queries.ts';
import { LinksSection } from './links-section.tsx';
import { findStreamRule } from './stream-rule.ts';
import { WhoCanWatch } from './who-can-watch.tsx';

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

interface ShareSheetProps {
  stream: WirePlace;
  opened: boolean;
  onClose: () => void;
}

/** Everything about sharing one stream: who can watch, links, and what other features add. */
function ShareSheet({ stream, opened, onClose }: ShareSheetProps) {
  const { t } = useTranslation();
  const lacksAccess = useEngineLacks('access');
  return (
    <SideSheet opened={opened} onClose={onClose} title={t('access.shareTitle', { name: streamLabel(stream) })}>
      <div className={classes.sections}>
        <FeatureParts slot="shareSection" props={{ stream }} />
        <SheetSection title={t('access.who.title')}>
          {lacksAccess ? <Notice tone="info" title={t('access.lacks')} /> : <WhoCanWatch stream={stream} />}
        </SheetSection>
        {!lacksAccess && (
          <SheetSection title={t('access.links.title')}>
            <LinksSection stream={stream} />
          </SheetSection>
        )}
      </div>
    </SideSheet>
  );
}

function SheetSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}
