import { doctorApi } from '@weir/contract';
import { type LauncherLink, type Log, rtcTestTicket, type SecretRedactor } from '@weir/plane';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { DoctorContext } from './check.ts';
import { Doctor } from './doctor.ts';

interface Context extends Omit<DoctorContext, 'enginePid'> {
  readonly mediaServer: MediaServer;
  readonly launcher: Pick<LauncherLink, 'planes'>;
  readonly hidden: SecretRedactor;
  readonly log: Log;
  /** Secret of both planes. */
  readonly ownToken: string;
}

/** Examines this server when the administrator asks for it. */
export function doctorFeature(context: Context): Feature {
  const { config, clock, mediaServer, launcher, hidden, ownToken } = context;
  const doctor = new Doctor({
    ...context,
    log: context.log.child({ feature: 'doctor' }),
    enginePid: () => launcher.planes()?.engine.pid ?? 0,
    hide: (text) => hidden.hide(text),
  });
  const report = () => ({
    ...doctor.report,
    version: config.version,
    rtcTicket: mediaServer.lacks.includes('process') ? '' : rtcTestTicket(ownToken, clock.dateMs()),
  });
  return {
    routes: (http) => {
      http.route(doctorApi.run, ({ name, nowMs, zone }, { origin }) => {
        const pageHost = origin === '' ? '' : new URL(origin).hostname.replace(/^\[|\]$/g, '');
        doctor.start({ name, pageHost, browserMs: nowMs, browserZone: isZone(zone) ? zone : '' });
        return report();
      });
      http.route(doctorApi.query, report);
    },
  };
}

/** The zone becomes part of a command. */
function isZone(zone: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(zone);
}
