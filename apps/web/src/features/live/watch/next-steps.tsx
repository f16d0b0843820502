import { Button } from '@mantine/core';
import type { ActiveStream } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Guide } from '../../../components/guide/use-guide.ts';
import { streamPath } from '../../../components/streams/stream-link.tsx';
import { IconCopy } from '../../../components/ui/theme/icons.ts';
import { useCopy } from '../../../lib/notify.ts';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import classes from './stream-watch.module.css';

/** What people do with a stream that is live: look closer, show it, keep it, send it on. */
export function NextSteps({ guide, stream }: { guide: Guide; stream: ActiveStream }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const copy = useCopy();
  // HLS plays on every phone and in every browser, so that is the link to give away.
  const watch = new URL((guide.edge ?? { player: guide.addresses.hlsPlayer }).player, window.location.href).href;
  return (
    <div className={classes.next}>
      <Button component={Link} to={localPath(streamPath(stream))} size="xs">
        {t('live.next.page')}
      </Button>
      <Button variant="default" size="xs" leftSection={<IconCopy size={14} aria-hidden />} onClick={() => copy(watch)}>
        {t('live.next.share')}
      </Button>
      <Button component={Link} to={localPath(`${paths.scenario}?tab=record`)} variant="default" size="xs">
        {t('live.next.record')}
      </Button>
      <Button component={Link} to={localPath(`${paths.scenario}?tab=forward`)} variant="default" size="xs">
        {t('live.next.forward')}
      </Button>
    </div>
  );
}
