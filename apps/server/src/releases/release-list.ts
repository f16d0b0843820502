import * as z from 'zod';
import { isVersion } from './release-version.ts';

const Version = z.string().refine(isVersion, 'is not a version');

/** `latest.json` of a place of releases: what the maintainers have signed as the newest. */
const ReleaseList = z.object({
  version: Version,
  /** Newest release that is no preview; empty if there was none yet. */
  stable: Version.or(z.literal('')).default(''),
  date: z.string().max(40).default(''),
  /** Page with what is new. */
  notes: z
    .string()
    .max(1024)
    .regex(/^https?:\/\/[^\s'"\\]+$/)
    .or(z.literal(''))
    .catch('')
    .default(''),
});
export type ReleaseList = z.output<typeof ReleaseList>;

/** Throws if the text is no list of releases. */
export function parseReleaseList(text: string): ReleaseList {
  return ReleaseList.parse(JSON.parse(text));
}

/** Kinds of installation that can replace their own files. */
export const packageKinds = ['tarball', 'deb'] as const;
export type PackageKind = (typeof packageKinds)[number];

const debianNames: Readonly<Record<string, string>> = { x64: 'amd64' };

/** Name of a release's file. `arch` is Node's name of the architecture. */
export function releaseFile(kind: PackageKind, version: string, arch: string): string {
  return kind === 'deb' ? `weir_${version}_${debianNames[arch] ?? arch}.deb` : `weir-${version}-linux-${arch}.tar.gz`;
}

/** SHA-256 of a file by the text of `SHA256SUMS`; undefined if the file is not in it. */
export function sumIn(sums: string, file: string): string | undefined {
  const line = sums.split('\n').find((text) => text.slice(64) === `  ${file}`);
  return line && /^[0-9a-f]{64} /.test(line) ? line.slice(0, 64) : undefined;
}
