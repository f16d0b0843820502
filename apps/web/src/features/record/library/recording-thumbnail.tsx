import { useQuery } from '@tanstack/react-query';
import type { Recording } from '@weir/contract';
import { IconPlayerPlay } from '../../../components/ui/theme/icons.ts';
import { IconMovie } from '../icons.ts';
import classes from '../record.module.css';
import { recordLinkQuery } from '../record-queries.ts';

/** A picture of it, which plays it. */
export function RecordingThumbnail({ recording, onPlay }: { recording: Recording; onPlay: () => void }) {
  const { data: link } = useQuery({ ...recordLinkQuery(recording.uuid), enabled: recording.thumbnail });
  return (
    <button
      type="button"
      className={classes.thumbnail}
      // For the pointer; the button among the actions is the one that is named and reached by keyboard.
      tabIndex={-1}
      aria-hidden
      onClick={onPlay}
    >
      {recording.thumbnail && link ? (
        <img src={link.thumbnail} alt="" loading="lazy" />
      ) : (
        <IconMovie size={24} aria-hidden />
      )}
      <span className={classes.playMark}>
        <IconPlayerPlay size={20} aria-hidden />
      </span>
    </button>
  );
}
