import type { ImportNote } from '@weir/contract';
import { argumentOf, isOn, named, parseBraceConfig } from './brace-config.ts';
import { type ImportPart, left } from './import-part.ts';
import { forwardPart, portNotes, pullPart, recordPart } from './import-rows.ts';

const reasons: readonly (readonly [RegExp, Exclude<ImportNote, ''>])[] = [
  [/^exec/, 'noPrograms'],
  [/^on_/, 'otherCallbacks'],
  [/^(?:allow|deny)$/, 'useAccess'],
  [/^dash/, 'notServed'],
  [/^hls_(?:keys|variant)/, 'useLadders'],
  [/^(?:play|vod)$/, 'useVlive'],
];
/** Works here without a setting, or is read below. */
const needless =
  /^(?:live|push|pull|record|record_\w+|hls|hls_(?:path|fragment|playlist_length|cleanup|nested)|meta|wait_\w+|interleave|idle_streams|drop_idle_publisher|sync|buflen|gop_cache)$/;

/** The block `rtmp` of nginx with its RTMP module. */
export function importNginxRtmp(text: string, now: Date): ImportPart[] {
  const servers = named(parseBraceConfig(text), 'rtmp').flatMap(({ children }) => named(children, 'server'));
  const parts: ImportPart[] = [];
  const globs: string[] = [];
  let number = 10;
  for (const server of servers) {
    parts.push(...portNotes([['WEIR_RTMP_LISTEN', argumentOf(server.children, 'listen'), '1935']]));
    for (const { args, children } of named(server.children, 'application')) {
      const [app = 'live'] = args;
      for (const { args: push } of named(children, 'push'))
        parts.push(forwardPart({ url: fullUrl(push[0] ?? ''), stream: '' }, number++));
      for (const { args: pull } of named(children, 'pull')) {
        const name = pull.find((each) => each.startsWith('name='))?.slice(5) ?? app;
        parts.push(pullPart({ url: fullUrl(pull[0] ?? ''), name: `${app}/${name}` }, number++, now));
      }
      const record = named(children, 'record').flatMap((each) => each.args);
      if (record.length > 0 && !record.includes('off') && !record.includes('manual')) globs.push(`/${app}/*`);
      const others = new Set(children.map(({ name }) => name).filter((name) => !needless.test(name)));
      for (const name of others)
        parts.push(left(['entry', `${app} ${name}`], reasons.find(([form]) => form.test(name))?.[1] ?? 'notUsed'));
      if (!isOn(argumentOf(children, 'live'))) parts.push(left(['application', app], 'everyApplication'));
    }
  }
  return globs.length > 0 ? [recordPart(globs), ...parts] : parts;
}

/** Without a scheme it is RTMP. */
function fullUrl(text: string): string {
  return /^\w+:\/\//.test(text) ? text : `rtmp://${text}`;
}
