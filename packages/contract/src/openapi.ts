import * as z from 'zod';
import { type Locale, limits, product } from './constants.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './index.ts';
import { chineseSummaries } from './summaries-zh.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

export interface ApiOperation {
  summary: string;
  tags: string[];
  /** Absent for public calls. */
  security?: { bearer?: string[] }[];
  requestBody?: { content: JsonContent };
  responses: Record<'200' | 'default', { description: string; content: JsonContent }>;
}

interface JsonContent {
  'application/json': { schema: JsonSchema };
}

export type ApiDocument = ReturnType<typeof openApiDocument>;
export type ApiSchema = JsonSchema;

/** Generates the API reference from the endpoints, so that it always matches the server. Descriptions are in the given language. */
export function openApiDocument(version: string, locale: Locale = 'en') {
  const paths: Record<string, Record<string, ApiOperation>> = {};
  for (const endpoint of endpoints) {
    const item = paths[endpoint.path] ?? {};
    item[endpoint.method.toLowerCase()] = operation(endpoint, locale);
    paths[endpoint.path] = item;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${product.name} API`,
      version,
      description: introductions[locale],
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The API secret, or the bearer token of a session' },
      },
    },
    paths,
  };
}

const introductions: Readonly<Record<Locale, string>> = {
  en:
    'Every action of the console is a call of this API. Responses are {code, data, server}; code 0 means success. ' +
    `JSON bodies up to ${limits.bodyBytes} bytes; unknown fields are ignored.`,
  zh: `控制台的每个操作都是对此接口的一次调用。响应为 {code, data, server}，code 为 0 表示成功。JSON 正文最多 ${limits.bodyBytes} 字节；未知字段会被忽略。`,
};

function summaryIn(locale: Locale, { method, path, summary }: Endpoint): string {
  if (locale === 'en') return summary;
  // A convention test prevents that one is missing.
  return chineseSummaries[`${method} ${path.replace('/terraform/v1', '')}`] ?? summary;
}

function operation(endpoint: Endpoint, locale: Locale): ApiOperation {
  const { path, method, access, body, data } = endpoint;
  const request = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  const hasBody = method === 'POST' && Object.keys(request.properties ?? {}).length > 0;
  return {
    summary: summaryIn(locale, endpoint),
    tags: [path.split('/').slice(3, 4).join('/')],
    ...(access === 'public' ? {} : { security: access === 'room' ? [{ bearer: [] }, {}] : [{ bearer: [] }] }),
    ...(hasBody ? { requestBody: { content: json(request) } } : {}),
    responses: {
      200: { description: 'Success', content: json(envelope(z.toJSONSchema(data, { unrepresentable: 'any' }))) },
      default: { description: 'Failure', content: json(failure) },
    },
  };
}

const json = (schema: JsonSchema): JsonContent => ({ 'application/json': { schema } });

const envelope = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['code', 'data', 'server'],
  properties: { code: { const: 0 }, data, server: { type: 'integer' } },
});

const failure: JsonSchema = {
  type: 'object',
  required: ['code', 'data'],
  properties: {
    code: { type: 'integer' },
    data: {
      type: 'object',
      required: ['message'],
      properties: {
        message: { type: 'string' },
        why: {
          type: 'object',
          required: ['kind', 'fact'],
          properties: { kind: { type: 'string' }, fact: { type: 'string' } },
        },
      },
    },
  },
};
