import type { Environment } from '@weir/contract';

interface WebrtcContext {
  readonly page: Pick<Location, 'protocol' | 'hostname'>;
  readonly environment: Pick<Environment, 'platformDocker' | 'candidate'>;
  /** Override by `allow-lo-rtc=true` in the address. */
  readonly isAllowed: boolean;
}

export interface WebrtcAvailability {
  readonly canPlay: boolean;
  readonly canPublish: boolean;
  /** Obstacle to publishing: cameras need HTTPS, and media cannot reach a container by the name localhost. */
  readonly obstacle: 'https' | 'localhost' | undefined;
}

export function checkWebrtc({ page, environment, isAllowed }: WebrtcContext): WebrtcAvailability {
  const isLocalhost = isLoopback(page.hostname);
  const isHttps = page.protocol === 'https:';
  const hasCandidate = !environment.platformDocker || environment.candidate;
  return {
    canPlay: isAllowed || !isLocalhost || hasCandidate,
    canPublish: isAllowed || isHttps || (isLocalhost && hasCandidate),
    obstacle: isAllowed
      ? undefined
      : isLocalhost
        ? hasCandidate
          ? undefined
          : 'localhost'
        : isHttps
          ? undefined
          : 'https',
  };
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1';
}
