import * as z from 'zod';
import { post } from '../endpoint.ts';
import { AiAnswerer, AiCapability, AiCause, AiFeature, AiFoundProvider, AiLimits, AiModels, AiUsage } from './ai.ts';
import { LocalAi, LocalAiSet } from './local-ai.ts';

const longest = 512;

/** Provider fields of a form, saved or not; an empty base URL means the saved global provider. */
const ProviderFields = z.object({
  secretKey: z.string().max(longest).default(''),
  baseURL: z.string().max(longest).default(''),
  organization: z.string().max(longest).default(''),
});

/** Test result of one capability. */
export const AiTestResult = z.object({
  need: AiCapability,
  works: z.boolean(),
  by: AiAnswerer.shape.by,
  model: z.string(),
  cause: AiCause.nullable(),
  delayMs: z.int(),
});
export type AiTestResult = z.infer<typeof AiTestResult>;

/** `kind` and `languages` are known for built-in AI only. */
const AiModel = z.object({ id: z.string(), name: z.string(), kind: z.string(), languages: z.array(z.string()) });

/** Usage of today by feature and host, and daily totals of up to a month. */
const AiUsageReport = z.object({
  /** UTC, `2026-03-01`. */
  day: z.string(),
  today: z.array(AiUsage.extend({ feature: AiFeature })),
  days: z.array(
    z.object({ day: z.string(), calls: z.int(), errors: z.int(), audioSeconds: z.number(), tokens: z.int() }),
  ),
  limits: AiLimits,
  /** Features paused until midnight UTC by their limit. */
  paused: z.array(AiFeature),
});
export type AiUsageReport = z.infer<typeof AiUsageReport>;

export const aiApi = {
  test: post('/terraform/v1/ai/provider/test', {
    summary: 'Test speech, chat, vision and voice of the given or saved AI provider; nothing is saved',
    body: ProviderFields,
    data: z.object({ host: z.string(), results: z.array(AiTestResult) }),
  }),
  findProviders: post('/terraform/v1/ai/provider/find', {
    summary: 'Look for AI servers at the usual addresses of this machine, with their models; nothing is saved',
    data: z.object({ found: z.array(AiFoundProvider) }),
  }),
  providerModels: post('/terraform/v1/ai/provider/models', {
    summary: 'List the models of the given or saved AI provider',
    body: ProviderFields,
    data: z.object({ models: z.array(AiModel) }),
  }),
  providerVoices: post('/terraform/v1/ai/provider/voices', {
    summary: 'List the voices of the given or saved AI provider; empty if the provider does not list them',
    body: ProviderFields,
    data: z.object({ voices: z.array(AiModel.pick({ id: true, name: true })) }),
  }),
  voiceSample: post('/terraform/v1/ai/provider/voice-sample', {
    summary: 'Speak a short sentence with a voice of the given or saved AI provider',
    body: ProviderFields.extend({
      voice: z.string().min(1).max(longest),
      language: z.string().max(32).default(''),
    }),
    /** Base64. */
    data: z.object({ audio: z.string(), type: z.string() }),
  }),
  answerers: post('/terraform/v1/ai/provider/answerers', {
    summary: 'Get which provider answers with these settings, and the host that receives the data',
    body: ProviderFields.extend({ language: z.string().max(32).default('') }),
    data: z.object({ transcribe: AiAnswerer, chat: AiAnswerer, see: AiAnswerer, speak: AiAnswerer }),
  }),
  models: post('/terraform/v1/ai/models/query', {
    summary: 'Get the models of the global AI provider; empty means default',
    data: AiModels,
  }),
  updateModels: post('/terraform/v1/ai/models/update', {
    summary: 'Set the models of the global AI provider',
    body: AiModels,
    data: z.null(),
  }),
  usage: post('/terraform/v1/ai/usage/query', {
    summary: 'Get the usage of AI features today and in the last 31 days, with their limits',
    data: AiUsageReport,
  }),
  limits: post('/terraform/v1/ai/limits/query', { summary: 'Get the daily limits of AI features', data: AiLimits }),
  updateLimits: post('/terraform/v1/ai/limits/update', {
    summary: 'Set the daily limits of AI features; 0 means no limit',
    body: AiLimits,
    data: z.null(),
  }),
  local: post('/terraform/v1/ai/local/query', {
    summary: 'Get the state of built-in AI: files, installation, process and models',
    data: LocalAi,
  }),
  installLocal: post('/terraform/v1/ai/local/install', {
    summary: 'Install built-in AI, or further models for it; returns at once, the state shows the progress',
    body: z.object({ set: LocalAiSet.default('basic') }),
    data: z.null(),
  }),
  cancelInstall: post('/terraform/v1/ai/local/cancel', {
    summary: 'Cancel the installation of built-in AI; downloaded files are kept',
    data: z.null(),
  }),
  removeLocal: post('/terraform/v1/ai/local/remove', {
    summary: 'Remove built-in AI, or one set of its models; models added by hand are kept',
    body: z.object({ set: LocalAiSet.optional() }),
    data: z.null(),
  }),
} as const;
