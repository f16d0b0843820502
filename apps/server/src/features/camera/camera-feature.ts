import { CameraOutlet, cameraApi } from '@weir/contract';
import type { Feature } from '../../feature.ts';
import { takeOutletCall } from '../../outlets/outlet-call.ts';
import { type SourceOutletContext, SourceOutlets, SourceSlot } from '../../outlets/source-outlets.ts';
import { cameraArgs } from './camera-args.ts';

const { extraAudio } = CameraOutlet.shape;
const CameraSlot = SourceSlot.extend({ extraAudio });

/** Takes the streams of cameras and sends them to platforms, or to this server. */
export function cameraFeature(context: SourceOutletContext): Feature {
  const cameras = new SourceOutlets(
    {
      feature: 'camera',
      schema: CameraSlot,
      blank: { extraAudio: '' },
      accepts: { only: 'stream', anyAudio: true },
      args: (slot, from, [source], to) =>
        cameraArgs({ from, to, audio: source?.audio ?? null, extraAudio: slot.extraAudio }),
    },
    context,
  );
  return {
    routes: (http) => {
      http.route(cameraApi.secret, (change) =>
        takeOutletCall(change, {
          read: () => cameras.byPlatform(),
          update: () =>
            cameras.save(change, (current) => ({
              extraAudio: extraAudio.parse(change.extraAudio ?? current?.extraAudio),
            })),
          remove: () => cameras.remove(change.platform),
        }),
      );
      http.route(cameraApi.streams, () =>
        cameras.rows((slot, [source], { start }) => ({
          extraAudio: slot.extraAudio,
          // Absent while nothing runs, as the other fields of a run.
          ...(start !== undefined && source && { source: source.uuid }),
        })),
      );
      http.route(cameraApi.streamUrl, ({ url }) => context.sources.takeStream(url));
      http.route(cameraApi.source, ({ platform, files }) => cameras.choose(platform, files));
    },
    alerts: () => cameras.alerts(),
    activity: { camera: () => cameras.activity() },
    outputs: {
      urls: () => cameras.urls(),
      copies: () => cameras.copies(),
      silent: () => cameras.urls((slot) => slot.extraAudio === 'silent'),
    },
    heldSources: cameras.heldSources,
    reported: () => cameras.reported(({ extraAudio }) => ({ extraAudio })),
  };
}
