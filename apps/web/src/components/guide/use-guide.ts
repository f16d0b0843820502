import { useQuery } from '@tanstack/react-query';
import type { StreamAddresses } from '@weir/streams';
import { useSearchParams } from 'react-router';
import { httpsAddress } from '../../lib/https-address.ts';
import { edgesQuery } from '../../lib/queries/edges-queries.ts';
import { publishAuthQuery } from '../../lib/queries/publish-auth-queries.ts';
import { environmentQuery, statusQuery } from '../../lib/queries/system-queries.ts';
import { useStreamAddresses } from '../streams/use-stream-addresses.ts';
import { edgeLink } from './edge-link.ts';
import { type GuideValues, guideValues } from './guide-values.ts';
import { checkProtocol, type ProtocolAvailability } from './protocol-availability.ts';
import { checkWebrtc, type WebrtcAvailability } from './webrtc-availability.ts';

/** Query flag that allows WebRTC publishing from localhost. */
const allowLocalRtcFlag = 'allow-lo-rtc';

const usualPorts = { rtmp: '1935', srt: '10080', rtc: '8000' } as const;

/** Data of the guides. */
export interface Guide {
  readonly addresses: StreamAddresses;
  readonly values: GuideValues;
  /** HLS via edges, if any are set up. */
  readonly edge: ReturnType<typeof edgeLink>;
  /** Publishing page over HTTPS, which browsers require for cameras. */
  readonly httpsPublisher: string;
  /** Must be masked wherever it is shown. */
  readonly secret: string;
  readonly ports: { readonly rtmp: string; readonly srt: string; readonly rtc: string };
  readonly rtc: WebrtcAvailability;
  readonly srtOffer: ProtocolAvailability;
  readonly rtcOffer: ProtocolAvailability;
}

/** Guide for a stream such as `live/show`, or for this browser's own. Undefined until ports and secret are known. */
export function useGuide(stream?: string, vhost?: string): Guide | undefined {
  const [query] = useSearchParams();
  const addresses = useStreamAddresses(stream, vhost);
  const { data: environment } = useQuery(environmentQuery);
  const { data: auth } = useQuery(publishAuthQuery);
  const { data: status } = useQuery(statusQuery);
  const { data: edges } = useQuery(edgesQuery);
  if (!addresses || !environment || !auth) return undefined;
  const listeners = status?.health.engine.listeners;
  const isAllowed = query.get(allowLocalRtcFlag) === 'true';
  return {
    addresses,
    values: guideValues(addresses),
    edge: edgeLink(edges?.edges ?? [], addresses),
    httpsPublisher: httpsAddress(new URL(addresses.rtcPublisher, window.location.href), environment.httpsPort ?? '')
      .href,
    secret: auth.publish,
    ports: {
      rtmp: environment.rtmpPort || usualPorts.rtmp,
      srt: environment.srtPort || usualPorts.srt,
      rtc: portRange(environment.rtcPort || usualPorts.rtc, environment.rtcWorkers),
    },
    rtc: checkWebrtc({ page: window.location, environment, isAllowed }),
    srtOffer: checkProtocol(listeners, 'srt'),
    rtcOffer: checkProtocol(listeners, 'rtc'),
  };
}

/** Firewall notation. */
function portRange(first: string, count = 1): string {
  return count > 1 ? `${first}-${Number(first) + count - 1}` : first;
}
