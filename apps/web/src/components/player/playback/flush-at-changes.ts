interface Sample {
  readonly length: number;
}

interface VideoTrack {
  samples: Sample[];
  length: number;
}

type OnMetadata = (type: string, metadata: unknown) => void;

/** Parts of mpegts.js that are none of its interface: another version may not have them. */
interface TransmuxingController {
  readonly _demuxer?: { onTrackMetadata?: OnMetadata; readonly _videoTrack?: VideoTrack } | null;
  readonly _remuxer?: {
    _remuxVideo?(track: VideoTrack, isForced: boolean): void;
    _videoStashedLastSample?: Sample | null;
    _videoNextDts?: number | undefined;
  } | null;
}

interface MpegtsInternals {
  readonly _player_engine?: { readonly _transmuxer?: { readonly _controller?: TransmuxingController } };
}

/**
 * mpegts.js (1.8.2) holds the last one or two video frames back until the next come. Where the form of the video changes it appends them
 * behind the new initialization segment, and browsers drop them: a hole, at which they stop. Has it append them before.
 */
export function flushBeforeFormatChange(player: object): void {
  const controller = (player as MpegtsInternals)._player_engine?._transmuxer?._controller;
  const demuxer = controller?._demuxer;
  const remuxer = controller?._remuxer;
  const pass = demuxer?.onTrackMetadata;
  const track = demuxer?._videoTrack;
  if (!demuxer || !pass || !track || typeof remuxer?._remuxVideo !== 'function') return;
  demuxer.onTrackMetadata = (type, metadata) => {
    if (type === 'video') {
      if (track.samples.length > 0) remuxer._remuxVideo?.(track, true);
      const last = remuxer._videoStashedLastSample;
      remuxer._videoStashedLastSample = null;
      if (last) remuxer._remuxVideo?.(Object.assign({}, track, { samples: [last], length: last.length }), true);
      // Later frames keep their own times, so that audio and video stay in sync.
      remuxer._videoNextDts = undefined;
    }
    pass(type, metadata);
  };
}
