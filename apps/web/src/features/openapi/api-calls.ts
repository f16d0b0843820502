import type { ApiDocument, ApiOperation, ApiSchema } from '@weir/contract/openapi';

/** API call as shown in the reference and the explorer. */
export interface ApiCall {
  /** `POST /terraform/v1/…`: its name in lists and in the address. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  readonly isPublic: boolean;
  /** Undefined for calls without fields. */
  readonly body: ApiSchema | undefined;
  readonly data: ApiSchema | undefined;
}

export interface ApiField {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

/** Call shown by the samples and the explorer at first. */
export const sampleCall: ApiCall = {
  name: 'POST /terraform/v1/hooks/srs/secret/query',
  method: 'POST',
  path: '/terraform/v1/hooks/srs/secret/query',
  group: 'hooks',
  summary: '',
  isPublic: false,
  body: undefined,
  data: undefined,
};

export function listCalls({ paths }: ApiDocument): ApiCall[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toApiCall(path, method.toUpperCase(), operation)),
  );
}

function toApiCall(path: string, method: string, operation: ApiOperation): ApiCall {
  const answer = operation.responses['200'].content['application/json'].schema;
  return {
    name: `${method} ${path}`,
    method,
    path,
    group: operation.tags[0] ?? '',
    summary: operation.summary,
    isPublic: operation.security === undefined,
    body: operation.requestBody?.content['application/json'].schema,
    data: toSchema(answer.properties?.data),
  };
}

/** Lists fields by full name, `media.video.codec`; fields of list entries as `streams[].app`. */
export function listFields(schema: ApiSchema | undefined, prefix = ''): ApiField[] {
  if (!schema) return [];
  const items = toSchema(Array.isArray(schema.items) ? undefined : schema.items);
  if (items) return listFields(items, `${prefix}[]`);
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const field = toSchema(value) ?? {};
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const own = { name, type: describeType(field), isRequired: required.has(key) };
    return [own, ...listAlternatives(field).flatMap((part) => listFields(part, name))];
  });
}

/** Describes a type briefly: `integer`, `string or null`, `manual | auto`. */
export function describeType(schema: ApiSchema): string {
  if (schema.enum) return schema.enum.map(String).join(' | ');
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(describeType))].join(' | ');
  return [schema.type ?? 'any'].flat().join(' | ');
}

/** Creates a body with every field at its default or an empty value. */
export function exampleBody(schema: ApiSchema | undefined): unknown {
  if (!schema) return {};
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [type] = [schema.type].flat();
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleBody(toSchema(field) ?? {})]));
  }
  if (type === 'array') return [];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return 0;
  return '';
}

function listAlternatives(schema: ApiSchema): readonly ApiSchema[] {
  return schema.anyOf ?? [schema];
}

/** JSON Schema allows `true` as a schema, which says nothing. */
function toSchema(value: boolean | ApiSchema | undefined): ApiSchema | undefined {
  return typeof value === 'object' ? value : undefined;
}

interface SampleInput {
  readonly call: ApiCall;
  readonly origin: string;
  readonly secret: string;
  /** JSON text of the body. */
  readonly body: string;
}

/** Quotes for a POSIX shell: within single quotes only the quote itself is special. */
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
