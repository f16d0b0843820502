import { certs, isDomain } from '@weir/contract';

/** The page's own address, as the browser tells it. */
interface PageAddress {
  readonly hostname: string;
  readonly port: string;
}

export type OrderProblem = 'page-port' | 'page-host' | 'empty' | 'no-domain' | 'other-domain';

/**
 * Why a certificate for this domain cannot be ordered from this page; undefined = it can. The authority calls back on
 * port 80 of the domain, so a page that is open there is the proof that the call would arrive.
 */
export function checkOrder(domain: string, { hostname, port }: PageAddress): OrderProblem | undefined {
  if (!certs.pagePorts.some((allowed) => allowed === port)) return 'page-port';
  if (!isDomain(hostname)) return 'page-host';
  if (domain === '') return 'empty';
  if (!isDomain(domain)) return 'no-domain';
  return domain === hostname ? undefined : 'other-domain';
}
