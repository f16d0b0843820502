import { certs, isDomain } from '@weir/contract';

interface PageAddress {
  readonly hostname: string;
  readonly port: string;
}

export type OrderProblem = 'page-port' | 'page-host' | 'empty' | 'no-domain' | 'other-domain';

/**
 * Returns why a certificate for this domain cannot be ordered from this page; undefined = it can. The authority
 * connects to port 80 of the domain, so a page open at that port proves that the connection would arrive.
 */
export function checkOrder(domain: string, { hostname, port }: PageAddress): OrderProblem | undefined {
  if (!certs.pagePorts.some((allowed) => allowed === port)) return 'page-port';
  if (!isDomain(hostname)) return 'page-host';
  if (domain === '') return 'empty';
  if (!isDomain(domain)) return 'no-domain';
  return domain === hostname ? undefined : 'other-domain';
}
