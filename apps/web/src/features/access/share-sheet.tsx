import type { WirePlace } from '@weir/streams';
import { streamLabel } from '@weir/streams';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FeatureParts } from '../../components/feature-parts.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { SideSheet } from '../../components/ui/layout/side-sheet.tsx';
import { useEngineLacks } from '../../lib/queries/use-engine-lacks.ts';
import classes from './access.module.css';
import { LinksSection } from './links-section.tsx';
import { WhoCanWatch } from './who-can-watch.tsx';

interface ShareSheetProps {
  stream: WirePlace;
  opened: boolean;
  onClose: () => void;
}

/** Everything about sharing one stream: who can watch, links, and what other features add. */
export function ShareSheet({ stream, opened, onClose }: ShareSheetProps) {
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
