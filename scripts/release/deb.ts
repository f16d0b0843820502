import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { outputOf, run } from './command.ts';
import type { Architecture, Release } from './tree.ts';

const debianNames: Record<Architecture, string> = { x64: 'amd64', arm64: 'arm64' };
const program = '/usr/lib/weir/bin/weir';

/** Name of the package's file: what `apt install ./weir_…` takes. */
export function debName({ version }: Release, arch: Architecture): string {
  return `weir_${version}_${debianNames[arch]}.deb`;
}

/** Makes a Debian package of a tree. Equal trees give equal bytes. */
export function makeDeb(source: string, tree: string, file: string, release: Release, arch: Architecture): void {
  const root = `${tree}.deb`;
  rmSync(root, { recursive: true, force: true });
  cpSync(tree, join(root, 'usr/lib/weir'), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const place = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode });
    chmodSync(join(root, path), mode);
  };
  const template = (name: string) =>
    readFileSync(join(source, 'deploy/release', name), 'utf8')
      .replaceAll('@PROGRAM@', program)
      .replaceAll('@KIND@', 'deb');
  place('usr/bin/weir', template('weir-command'), 0o755);
  for (const unit of ['weir.service', 'weir-update.service', 'weir-update.path'])
    place(`lib/systemd/system/${unit}`, template(unit));
  place('etc/weir.env', template('weir.env'), 0o640);
  place('usr/share/doc/weir/copyright', copyright(readFileSync(join(source, 'LICENSE'), 'utf8')));
  symlinkSync('../../../lib/weir/CHANGELOG.md', join(root, 'usr/share/doc/weir/CHANGELOG.md'));
  writeFileSync(join(root, 'usr/share/doc/weir/changelog.gz'), gzipSync(debChangelog(release), { level: 9 }));
  const kilobytes = outputOf('du', ['-sk', '--apparent-size', root]).split('\t')[0] ?? '0';
  place('DEBIAN/control', control(release, debianNames[arch], kilobytes));
  place('DEBIAN/conffiles', '/etc/weir.env\n');
  for (const script of ['postinst', 'prerm', 'postrm']) {
    place(`DEBIAN/${script}`, readFileSync(join(source, 'deploy/release/debian', script), 'utf8'), 0o755);
  }
  run('find', [root, '-type', 'd', '-exec', 'chmod', '755', '{}', '+']);
  run('find', [root, '-exec', 'touch', '-h', '-d', `@${release.seconds}`, '{}', '+']);
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(release.seconds) };
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '--threads-max=1', '--build', root, file], { env });
  rmSync(root, { recursive: true });
}

const maintainer = 'The Weir maintainers <maintainers@weir.invalid>';

/** What Debian's tools read; the text for people is CHANGELOG.md beside it. */
function debChangelog({ version, seconds }: Release): string {
  const date = new Date(seconds * 1000).toUTCString().replace('GMT', '+0000');
  return `weir (${debVersionOf(version)}) stable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- ${maintainer}  ${date}\n`;
}

/** Previews come before their release there too. */
const debVersionOf = (version: string) => version.replace('-', '~');

const control = ({ version }: Release, architecture: string, kilobytes: string) => `Package: weir
Version: ${debVersionOf(version)}
Section: video
Priority: optional
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.34), libstdc++6, adduser, ca-certificates, ffmpeg, libsrt1.5-gnutls | libsrt1.5-openssl
Description: live-streaming server with a web console
 Publish with RTMP, SRT or WebRTC and watch with HTTP-FLV, HLS, WebRTC,
 SRT or RTMP. Forward to other platforms, record, loop files, pull cameras
 and transcode, all from one page in the browser.
`;

const copyright = (license: string) => `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Weir

Files: *
Copyright: The Weir authors
License: MIT
${license.replace(/^(.*)$/gm, (line) => ` ${line.trim() === '' ? '.' : line}`)}

Files: usr/lib/weir/node/*
Copyright: Node.js contributors and others
License: other
 The full text is in /usr/lib/weir/node/LICENSE.

Files: usr/lib/weir/node_modules/*
Copyright: the authors of each package
License: other
 Each package has its license in its folder.
`;
