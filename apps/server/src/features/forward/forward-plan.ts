import { type ForwardOutlet, outletProcessKey } from '@weir/contract';
import { type Input, type ProcessSpec, relayArgs } from '@weir/process';
import { chooseInput, type LiveView } from '../../outlets/live-inputs.ts';
import { outletSecrets, outletUrl } from '../../outlets/outlet-url.ts';

/** Destination with a stream to send. */
interface ForwardJob {
  readonly platform: string;
  /** The stream it takes, as people name it. */
  readonly stream: string;
  readonly from: Input;
  readonly to: string;
  readonly spec: ProcessSpec;
}

/** Plans a process for each enabled destination whose stream is live. `taken`: current stream of each. */
export function planForward(
  outlets: readonly ForwardOutlet[],
  view: LiveView,
  taken: ReadonlyMap<string, string>,
): ForwardJob[] {
  return outlets
    .filter(({ enabled, server }) => enabled && server !== '')
    .flatMap((outlet) => {
      const { platform, stream } = outlet;
      const to = outletUrl(outlet);
      const live = chooseInput(view, stream, { current: taken.get(platform), to });
      return live ? [forwardJob(outlet, to, live)] : [];
    });
}

function forwardJob(outlet: ForwardOutlet, to: string, live: LiveView['streams'][number]): ForwardJob {
  const from = outlet.quality === '' ? live.input : live.ofQuality(outlet.quality);
  return {
    platform: outlet.platform,
    stream: live.name,
    from,
    to,
    spec: {
      key: outletProcessKey('forward', outlet.platform),
      args: relayArgs({ from, to }),
      secrets: [...outletSecrets(outlet), ...live.secrets],
      runsFor: live.clientId,
    },
  };
}
