import { lookup } from 'node:dns';
import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { WeirError } from '../../core/errors.ts';
import { readBody } from '../../core/http/body.ts';
import type { ProviderRequest } from './provider-check.ts';

const withinMs = 10_000;
const largestAnswer = 1024 * 1024;
const refusedCode = 'ADDRESS_REFUSED';

/** Where cloud machines keep their own credentials, and addresses that mean no machine. Never a provider. */
const refused = new BlockList();
refused.addSubnet('0.0.0.0', 8, 'ipv4');
refused.addSubnet('169.254.0.0', 16, 'ipv4');
refused.addAddress('100.100.100.200', 'ipv4');
refused.addSubnet('224.0.0.0', 3, 'ipv4');
refused.addAddress('::', 'ipv6');
refused.addSubnet('fe80::', 10, 'ipv6');
refused.addAddress('fd00:ec2::254', 'ipv6');
refused.addSubnet('ff00::', 8, 'ipv6');

export function isRefused(address: string): boolean {
  const family = isIP(address);
  return family === 0 || refused.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * One request to the provider the administrator typed. A model on this machine or network is welcome. Redirects are
 * answers like any other, so that the key goes nowhere else; the address that was checked is the one that is used.
 */
export const requestProvider: ProviderRequest = async (url, { method, headers, body, signal }) => {
  const { protocol, hostname } = new URL(url);
  const send = { 'http:': requestHttp, 'https:': requestHttps }[protocol];
  if (!send) throw new WeirError('invalid_input', 'only http and https addresses can be asked');
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && isRefused(literal)) throw refusal();
  const options: RequestOptions = {
    method,
    headers,
    lookup: checkedLookup,
    agent: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
  };
  return new Promise((resolve, reject) => {
    const outgoing = send(url, options, (answer) => {
      readBody(answer, largestAnswer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 0, text: bytes.toString('utf8') }),
        reject,
      );
    });
    outgoing.on('error', (cause) => reject(toSentence(cause)));
    outgoing.end(body);
  });
};

const checkedLookup: LookupFunction = (name, options, callback) => {
  lookup(name, { ...options, all: true }, (error, addresses) => {
    const bad = addresses?.some(({ address }) => isRefused(address));
    const first = addresses?.[0];
    if (error || bad || !first) callback(error ?? Object.assign(new Error('refused'), { code: refusedCode }), []);
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

const refusal = () => new WeirError('invalid_input', 'this address belongs to no provider and is never asked');

function toSentence(cause: Error): WeirError {
  if (cause instanceof WeirError) return cause;
  const code = 'code' in cause ? String(cause.code) : cause.name;
  if (code === refusedCode) return refusal();
  if (code === 'ABORT_ERR' || cause.name === 'AbortError') {
    return new WeirError('invalid_input', `no answer within ${withinMs / 1000} s`, { cause });
  }
  return new WeirError('invalid_input', `the provider cannot be reached (${code})`, { cause });
}
