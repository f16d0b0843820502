import * as z from 'zod';
import { post } from '../endpoint.ts';

/** Other servers whose configuration file can be read. */
export const importFormats = ['srs', 'mediamtx', 'nginx-rtmp', 'restreamer'] as const;
export type ImportFormat = (typeof importFormats)[number];

export const importLimits = {
  /** Larger files, such as long lists of Restreamer, are for the command. */
  fileCharacters: 500_000,
} as const;

/** Reasons to refuse a file; the console has a sentence for each. */
export const importFaults = ['unreadable', 'empty', 'pair'] as const;
export type ImportFault = (typeof importFaults)[number];

/** Items of another server's configuration. Console and command have a name for each, most with the item's own name. */
const importSubjects = [
  'entry',
  'forward',
  'vlive',
  'camera',
  'source',
  'output',
  'record',
  'recordOf',
  'hooks',
  'hookOf',
  'hls',
  'hlsEncryption',
  'port',
  'candidate',
  'vhost',
  'application',
  'users',
  'httpAuth',
  'forwardByCallback',
  'apiSecret',
  'publishSecret',
  'publishMode',
  'site',
  'limits',
  'llm',
  'transcode',
  'transcript',
  'ocr',
  'room',
  'https',
] as const;
export type ImportSubject = (typeof importSubjects)[number];

/** Remaining work for an item that is taken over, or the reason for leaving it. */
const importNotes = [
  '',
  'isSet',
  'off',
  'offWithoutKey',
  'cameraOff',
  'recordFolder',
  'hooksOneUrl',
  'hooksOwnNetwork',
  'filesElsewhere',
  'copyCertificate',
  'badDestination',
  'badSource',
  'badStreams',
  'badFields',
  'badHookUrl',
  'badPlatform',
  'damaged',
  'setVariable',
  'useTranscode',
  'useAccess',
  'useWatchRules',
  'useLadders',
  'useVlive',
  'useEdges',
  'useForward',
  'noPrograms',
  'noPasswords',
  'noPattern',
  'notServed',
  'notUsed',
  'needless',
  'otherCallbacks',
  'otherHookUrl',
  'everyHost',
  'everyApplication',
  'running',
  'recordingsStay',
  'projectsStay',
  'cloudAgain',
  'secondCopy',
  'cache',
  'olderRelease',
  'withCertificate',
] as const;
export type ImportNote = (typeof importNotes)[number];

export const ImportItem = z.object({
  subject: z.enum(importSubjects),
  /** Name in the other server's configuration; empty for what is there once. */
  name: z.string(),
  note: z.enum(importNotes),
  /** Value in the sentence of the note. */
  fact: z.string(),
});
export type ImportItem = z.infer<typeof ImportItem>;

export const ImportReport = z.object({
  taken: z.array(ImportItem),
  left: z.array(ImportItem),
});
export type ImportReport = z.infer<typeof ImportReport>;

const Wish = z.object({
  format: z.enum(importFormats),
  /** Content of the configuration file. */
  text: z.string().max(importLimits.fileCharacters),
  /** Imported values overwrite those that are set here. */
  replaces: z.boolean().default(false),
});

export const importsApi = {
  inspect: post('/terraform/v1/mgmt/imports/inspect', {
    summary: "List what an import of another server's configuration file takes over and what not; nothing is changed",
    body: Wish,
    data: ImportReport,
  }),
  apply: post('/terraform/v1/mgmt/imports/apply', {
    summary: "Import another server's configuration file and restart the control server; streams continue",
    body: Wish,
    data: ImportReport,
  }),
} as const;
