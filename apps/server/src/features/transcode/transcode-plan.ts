import { type TranscodeConfig, transcodeProblem, transcodeProcessKey } from '@weir/contract';
import { type Output, type ProcessSpec, transcodeArgs } from '@weir/process';
import { placeText } from '@weir/streams';
import { chooseInput, type LiveView } from '../../outlets/live-inputs.ts';
import { outletSecrets, outletUrl, withPublishSecret } from '../../outlets/outlet-url.ts';

/** Encoding takes what is left of the machine: streams that are only passed on stay smooth (F19). */
const niceness = 10;
/** Above what the slowest preset takes for the largest picture that two cores can encode. */
const memoryBytes = 2 * 2 ** 30;

export interface TranscodeJob {
  /** The stream it takes, as people name it. */
  readonly input: string;
  /** The stream of this server that it makes, as `vhost/app/name`. */
  readonly outputPlace: string | undefined;
  readonly to: string;
  /** Arguments for where `to` leads. */
  readonly args: (to: Output) => string[];
  readonly spec: ProcessSpec;
}

interface Facts {
  /** Current input. */
  readonly current: string | undefined;
  /** Shown to our own server. */
  readonly publishSecret: string;
}

/** Plans the transcoder: none unless it is enabled and finds a stream that it does not produce itself. */
export function planTranscode(config: TranscodeConfig, view: LiveView, facts: Facts): TranscodeJob | undefined {
  if (!config.all || transcodeProblem(config)) return undefined;
  const url = outletUrl(config);
  const live = chooseInput(withoutOutput(view, url), config.stream, { current: facts.current, to: url });
  if (!live) return undefined;
  const outputPlace = view.ownPlaceOf(url);
  const to = outputPlace === undefined ? url : withPublishSecret(url, facts.publishSecret);
  const { vprofile, vpreset, vbitrate, abitrate, achannels } = config;
  const encoding = {
    profile: vprofile,
    preset: vpreset,
    videoKbps: vbitrate,
    audioKbps: abitrate,
    channels: achannels,
  };
  const args = (place: Output) => transcodeArgs({ from: live.input, to: place, encoding });
  return {
    input: live.name,
    outputPlace,
    to,
    args,
    spec: {
      key: transcodeProcessKey,
      args: args(to),
      secrets: [facts.publishSecret, ...outletSecrets(config), ...live.secrets],
      runsFor: live.clientId,
      niceness,
      memoryBytes,
    },
  };
}

/**
 * Our server may have names that it does not know, and an encoder that reads its own output never ends. So outputs are recognised by
 * their path alone.
 */
function withoutOutput(view: LiveView, to: string): LiveView {
  const path = pathOf(to);
  const isOutput = (place: string) => path !== '' && place.endsWith(`/${path}`);
  return { ...view, streams: view.streams.filter((stream) => !isOutput(placeText(stream))) };
}

function pathOf(url: string): string {
  if (!/^rtmps?:/i.test(url) || !URL.canParse(url)) return '';
  const { pathname } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  try {
    return decodeURIComponent(parts.join('/'));
  } catch {
    return parts.join('/');
  }
}
