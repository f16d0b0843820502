import type { ApiCall } from './api-calls.ts';

interface SampleInput {
  readonly call: ApiCall;
  readonly origin: string;
  readonly secret: string;
  /** JSON text of the body. */
  readonly body: string;
}

/** For a POSIX shell: between single quotes only the quote itself has a meaning. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function curlSample({ call, origin, secret, body }: SampleInput): string {
  const parts = ['curl', '-X', call.method];
  if (!call.isPublic) parts.push('-H', quoted(`Authorization: Bearer ${secret}`));
  if (call.method === 'POST') parts.push('-H', quoted('Content-Type: application/json'), '-d', quoted(body));
  return [...parts, quoted(origin + call.path)].join(' ');
}

export function jquerySample({ call, origin, secret, body }: SampleInput): string {
  const lines = [`  method: "${call.method}",`, `  url: ${JSON.stringify(origin + call.path)},`];
  if (!call.isPublic) lines.push(`  headers: { Authorization: ${JSON.stringify(`Bearer ${secret}`)} },`);
  if (call.method === 'POST') lines.push('  contentType: "application/json",', `  data: JSON.stringify(${body}),`);
  return ['$.ajax({', ...lines, '}).done(function (answer) {', '  console.log(answer.data);', '});'].join('\n');
}
