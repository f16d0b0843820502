// npm run api-reference: docs/protocols/api.md, every call with its fields, from the contract. A convention test compares the two.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiOperation, type ApiSchema, openApiDocument } from '@weir/contract/openapi';

const prefix = '/terraform/v1/';
const intro = `# API reference

Generated from the contract by \`npm run api-reference\`; don't edit it by hand. A running server offers the same as OpenAPI at \`/terraform/v1/openapi.json\`, and the console explains and tries each
call under **System → OpenAPI**.

Paths begin with \`${prefix}\`. Any method works; POST with a JSON body is what the console uses. Calls need \`Authorization: Bearer <API secret>\` unless they are marked *public*; calls marked *room token* accept a room's guest token (\`roomToken\`) instead. Responses are
\`{"code": 0, "data": …, "server": …}\`, failures are listed in [errors](errors.md). A question mark marks an optional field.
`;

export function apiReference(): string {
  const groups = new Map<string, string[]>();
  for (const [path, item] of Object.entries(openApiDocument('').paths)) {
    for (const operation of Object.values(item)) {
      const [first = '', second = ''] = path.replace(prefix, '').split('/');
      const name = second === '' || first === 'mgmt' ? first : `${first}/${second}`;
      groups.set(name, [...(groups.get(name) ?? []), row(path.replace(prefix, ''), operation)]);
    }
  }
  const sections = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, rows]) => section(name, rows));
  return [intro, ...sections].join('\n');
}

const section = (name: string, rows: readonly string[]) =>
  [`## ${name}\n`, '| call | does | fields | data |', '|---|---|---|---|', ...rows, ''].join('\n');

function row(path: string, { summary, security, requestBody, responses }: ApiOperation): string {
  const fields = requestBody ? shape(requestBody.content['application/json'].schema) : '–';
  const data = shape(asSchema(responses[200].content['application/json'].schema.properties?.data));
  return `| \`${path}\`${security ? (security.length > 1 ? ' *room token*' : '') : ' *public*'} | ${cell(summary)} | ${cell(fields)} | ${cell(data)} |`;
}

const cell = (text: string) => text.replaceAll('|', '\\|');

/** A schema in few words: names of fields two levels deep, kinds for the rest. */
function shape(schema: ApiSchema, depth = 0): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => shape(asSchema(one), depth)))].join(' or ');
  if (schema.type === 'array') return `list of ${shape(itemsOf(schema), depth)}`;
  if (schema.properties) return fields(schema, depth);
  const named = asSchema(schema.additionalProperties);
  if (named.type) return `by name: ${shape(named, depth)}`;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(' ');
  return [schema.type ?? 'anything'].flat().join(' or ');
}

function fields({ properties = {}, required = [] }: ApiSchema, depth: number): string {
  const names = Object.entries(properties).map(([name, field]) => {
    const schema = asSchema(field);
    const inner = depth < 1 && isNested(schema) ? `: ${shape(schema, depth + 1)}` : '';
    return `\`${name}\`${required.includes(name) ? '' : '?'}${inner}`;
  });
  return depth === 0 ? names.join(', ') : `(${names.join(', ')})`;
}

const isNested = (schema: ApiSchema) => Boolean(schema.properties ?? itemsOf(schema).properties);
const itemsOf = (schema: ApiSchema) => asSchema(Array.isArray(schema.items) ? schema.items[0] : schema.items);
/** JSON schema allows `true` and `false` where a schema may stand. */
const asSchema = (one: ApiSchema | boolean | undefined): ApiSchema => (typeof one === 'object' ? one : {});

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(import.meta.dirname, '../docs/protocols/api.md'), apiReference());
}
