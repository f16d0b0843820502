import { type Attributes, readAttributes, readLines } from './read-playlist.fixture.ts';

const once = new Set(['#EXT-X-VERSION', '#EXT-X-INDEPENDENT-SEGMENTS']);
const groupTypes = ['AUDIO', 'VIDEO', 'SUBTITLES'] as const;

/** Faults of a master playlist (RFC 8216, 4.3.4), in sentences. */
export function faultsOfMaster(text: string): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  const renditions: Attributes[] = [];
  const variants: Attributes[] = [];
  let expectsAddress = false;
  for (const { tag, value } of readLines(text, faults)) {
    if (expectsAddress !== (tag === ''))
      faults.push(expectsAddress ? 'a variant without an address' : `${value} is of no variant`);
    expectsAddress = tag === '#EXT-X-STREAM-INF';
    if (once.has(tag) && seen.has(tag)) faults.push(`${tag} stands twice`);
    seen.add(tag);
    if (tag === '#EXT-X-STREAM-INF') variants.push(readAttributes(value, faults));
    else if (tag === '#EXT-X-MEDIA') renditions.push(readAttributes(value, faults));
    else if (tag !== '' && !once.has(tag)) faults.push(`${tag} is no tag of a master playlist`);
  }
  if (expectsAddress) faults.push('a variant without an address');
  if (variants.length === 0) faults.push('no variant');
  for (const variant of variants) faults.push(...variantFaults(variant, renditions));
  for (const rendition of renditions) faults.push(...renditionFaults(rendition, renditions));
  return faults;
}

function variantFaults(variant: Attributes, renditions: readonly Attributes[]): string[] {
  const faults: string[] = [];
  const bandwidth = variant.get('BANDWIDTH') ?? '';
  if (!/^[1-9]\d*$/.test(bandwidth)) faults.push('a variant without a bandwidth');
  const forms: [string, RegExp][] = [
    ['AVERAGE-BANDWIDTH', /^[1-9]\d*$/],
    ['RESOLUTION', /^[1-9]\d*x[1-9]\d*$/],
    ['FRAME-RATE', /^\d+\.\d{3}$/],
    ['CODECS', /^[\w.-]+(?:,[\w.-]+)*$/],
  ];
  for (const [name, form] of forms) {
    const value = variant.get(name);
    if (value !== undefined && !form.test(value)) faults.push(`${name} is written as ${value}`);
  }
  if (Number(variant.get('AVERAGE-BANDWIDTH') ?? 0) > Number(bandwidth))
    faults.push('the average bandwidth is above the peak');
  for (const type of groupTypes) {
    const group = variant.get(type);
    const isThere = renditions.some((each) => each.get('TYPE') === type && each.get('GROUP-ID') === group);
    if (group !== undefined && !isThere) faults.push(`there is no group ${group} of ${type}`);
  }
  return faults;
}

function renditionFaults(rendition: Attributes, all: readonly Attributes[]): string[] {
  const faults: string[] = [];
  const [type, name] = [rendition.get('TYPE'), rendition.get('NAME')];
  for (const attribute of ['TYPE', 'GROUP-ID', 'NAME'])
    if (!rendition.get(attribute)) faults.push(`a rendition without ${attribute}`);
  if (type === 'SUBTITLES' && !rendition.get('URI')) faults.push(`the subtitles ${name} have no address`);
  if (type !== 'SUBTITLES' && rendition.has('FORCED')) faults.push(`${name} is forced and no subtitle`);
  if (rendition.get('DEFAULT') === 'YES' && rendition.get('AUTOSELECT') === 'NO')
    faults.push(`${name} is the default and is not to be selected`);
  const group = all.filter((each) => each.get('TYPE') === type && each.get('GROUP-ID') === rendition.get('GROUP-ID'));
  if (group.filter((each) => each.get('NAME') === name).length > 1) faults.push(`two renditions are called ${name}`);
  if (group.filter((each) => each.get('DEFAULT') === 'YES').length > 1) faults.push('a group has two defaults');
  return faults;
}
