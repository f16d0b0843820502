import type { ImportNote } from '@weir/contract';
import { argumentOf, type Directive, isOn, named, parseBraceConfig } from './brace-config.ts';
import { type ImportPart, left, row, taken } from './import-part.ts';
import { forwardPart, portNotes, pullPart, recordPart } from './import-rows.ts';

/** Directives of a vhost that need nothing here, or are read below. */
const known = new Set(['forward', 'dvr', 'hls', 'http_hooks', 'ingest', 'enabled']);
const needless = new Set([
  'tcp_nodelay',
  'min_latency',
  'play',
  'publish',
  'http_remux',
  'rtc',
  'srt',
  'chunk_size',
  'in_ack_size',
  'out_ack_size',
  'bandcheck',
  'http_static',
]);
const reasons: Readonly<Record<string, Exclude<ImportNote, ''>>> = {
  transcode: 'useTranscode',
  security: 'useAccess',
  refer: 'useWatchRules',
  cluster: 'useEdges',
  exec: 'noPrograms',
  dash: 'notServed',
  hds: 'notServed',
};

/** A configuration of SRS 4 to 6. */
export function importSrs(text: string, now: Date): ImportPart[] {
  const all = parseBraceConfig(text);
  const parts: ImportPart[] = portNotes([
    ['WEIR_RTMP_LISTEN', named(all, 'listen').at(-1)?.args[0] ?? listenOf(all, 'rtmp'), '1935'],
    ['WEIR_SRT_LISTEN', listenOf(all, 'srt_server'), '10080'],
    ['WEIR_RTC_LISTEN', listenOf(all, 'rtc_server'), '8000'],
    ['MGMT_LISTEN', listenOf(all, 'http_server'), '8080'],
  ]);
  const candidate = argumentOf(blockOf(all, 'rtc_server'), 'candidate');
  if (candidate && !/^[*$]/.test(candidate)) parts.push(left('candidate', 'setVariable', `CANDIDATE=${candidate}`));
  let number = 10;
  for (const vhost of named(all, 'vhost')) {
    if (vhost.children.some(({ name, args }) => name === 'enabled' && !isOn(args[0]))) continue;
    const [host = ''] = vhost.args;
    for (const { name, children, args } of vhost.children) {
      const isActive = argumentOf(children, 'enabled') === undefined || isOn(argumentOf(children, 'enabled'));
      if (!isActive || needless.has(name)) continue;
      if (name === 'forward') {
        if (named(children, 'backend').length > 0) parts.push(left('forwardByCallback', 'useForward'));
        for (const destination of named(children, 'destination').flatMap((each) => each.args))
          parts.push(forwardPart({ url: toUrl(destination), stream: '' }, number++));
      } else if (name === 'ingest') {
        const [input] = named(children, 'input');
        const url = argumentOf(input?.children ?? [], 'url') ?? '';
        parts.push(pullPart({ url, name: args[0] ?? 'ingest' }, number++, now));
      } else if (name === 'dvr') {
        const apply = named(children, 'dvr_apply').flatMap((each) => each.args);
        parts.push(
          recordPart(
            apply.length === 0 || apply.includes('all') ? 'all' : apply.map((each) => `/${each.replace(/^\//, '')}`),
          ),
        );
      } else if (name === 'hls') {
        const noHlsCtx = argumentOf(children, 'hls_ctx') === 'off';
        if (noHlsCtx) parts.push(taken('hls', [row('hls', 'hls', { noHlsCtx, hlsLowLatency: false })]));
        if (isOn(argumentOf(children, 'hls_keys'))) parts.push(left('hlsEncryption', 'useWatchRules'));
      } else if (name === 'http_hooks') parts.push(...hooksParts(children));
      else if (!known.has(name)) parts.push(left(['entry', `${host} ${name}`], reasons[name] ?? 'notUsed'));
    }
    if (host !== '__defaultVhost__') parts.push(left(['vhost', host], 'everyHost'));
  }
  return parts;
}

/** A host with or without a port is an RTMP server, which gets streams under their own names. */
function toUrl(destination: string): string {
  return /^[A-Za-z0-9][\w.-]*(?::\d+)?$/.test(destination) ? `rtmp://${destination}/live` : destination;
}

function blockOf(all: readonly Directive[], name: string): readonly Directive[] {
  return named(all, name).at(-1)?.children ?? [];
}

function listenOf(all: readonly Directive[], name: string): string | undefined {
  const block = blockOf(all, name);
  return block.length > 0 && (argumentOf(block, 'enabled') === undefined || isOn(argumentOf(block, 'enabled')))
    ? argumentOf(block, 'listen')
    : undefined;
}

/** The receiver of `on_publish` becomes that of all events: there is one here. */
function hooksParts(children: readonly Directive[]): ImportPart[] {
  const urls = new Map(
    children.filter(({ name }) => name.startsWith('on_')).map(({ name, args }) => [name, args[0] ?? '']),
  );
  const target = urls.get('on_publish') ?? [...urls.values()][0];
  if (!target) return [];
  if (!/^https?:\/\/[^\s]+$/.test(target) || target.length > 2048) return [left('hooks', 'badHookUrl')];
  const others = [...urls].filter(([, url]) => url !== target).map(([name]) => name);
  return [
    taken('hooks', [row('hooks', 'hooks', { target, opaque: '', all: true, host: '' })], 'hooksOneUrl'),
    ...others.map((name) => left(['hookOf', name], 'otherHookUrl')),
  ];
}
