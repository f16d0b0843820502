import { vliveApi } from '@weir/contract';
import { relayArgs } from '@weir/process';
import type { Feature } from '../../feature.ts';
import { takeOutletCall } from '../../outlets/outlet-call.ts';
import { type SourceOutletContext, SourceOutlets, SourceSlot } from '../../outlets/source-outlets.ts';
import { playingAt } from './playing-at.ts';

/** Sends files in a loop, and streams from elsewhere, to platforms as if they were live. */
export function vliveFeature(context: SourceOutletContext): Feature {
  const vlive = new SourceOutlets(
    {
      feature: 'vlive',
      schema: SourceSlot,
      blank: {},
      accepts: {},
      args: (_slot, from, _sources, to) => relayArgs({ from, to }),
    },
    context,
  );
  return {
    routes: (http) => {
      http.route(vliveApi.secret, (change) =>
        takeOutletCall(change, {
          read: () => vlive.byPlatform(),
          update: () => vlive.save(change, () => ({})),
          remove: () => vlive.remove(change.platform),
        }),
      );
      http.route(vliveApi.streams, () =>
        vlive.rows((_slot, sources, { start, process }) => {
          const playing = playingAt(sources, process.numbers?.mediaMs ?? 0);
          // Absent while nothing runs, as the other fields of a run.
          return start !== undefined && playing ? { source: playing.uuid } : {};
        }),
      );
      http.route(vliveApi.source, ({ platform, files }) => vlive.choose(platform, files));
    },
    alerts: () => vlive.alerts(),
    activity: { vlive: () => vlive.activity() },
    outputs: { urls: () => vlive.urls(), copies: () => vlive.copies() },
    heldSources: vlive.heldSources,
    reported: () => vlive.reported(() => ({})),
  };
}
