import { variables } from '@weir/plane/config';
import { describe, expect, it } from 'vitest';
import { filesBelow, read } from './source.fixture.ts';

/** Variables in the templates of edges; Weir itself reads none of them. */
const ofEdges = [
  'WEIR_ORIGIN',
  'WEIR_ORIGIN_RTMP',
  'WEIR_EDGE_TOKEN',
  'WEIR_EDGE_LISTEN',
  'WEIR_EDGE_RTMP_LISTEN',
  'WEIR_EDGE_CACHE',
];
const ports = {
  MGMT_LISTEN: '2022',
  HTTPS_LISTEN: '2443',
  WEIR_RTMP_LISTEN: '1935',
  WEIR_RTC_LISTEN: '8000',
  WEIR_SRT_LISTEN: '10080',
} as const;

describe('the deployment files', () => {
  const files = filesBelow('deploy', ['']);

  it('name no unknown variable', () => {
    const known = new Set([...Object.keys(variables), ...ofEdges, 'WEIR_ENV_FILE']);
    const names = /\b(?:WEIR|MGMT|SRS|PLATFORM|HTTPS?|RTMP|SRT|RTC)_[A-Z_]*[A-Z]\b/g;
    const unknown = files.flatMap((file) =>
      Array.from(read(file).matchAll(names), ([name]) => name)
        .filter((name) => !known.has(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('fill in every value of an edge, and no other', () => {
    const template = read('deploy/edge-nginx/weir-edge.conf.template');
    const wanted = new Set(Array.from(template.matchAll(/\$\{(\w+)\}/g), ([, name]) => name));
    expect([...wanted].filter((name) => !ofEdges.includes(name ?? ''))).toEqual([]);
    for (const file of ['edge-nginx/README.md', 'compose/edges.yml', 'helm/weir/templates/edges.yaml'])
      for (const name of wanted) expect(`${file}: ${read(`deploy/${file}`)}`).toContain(name);
    // The chart carries the file itself, by a link.
    expect(read('deploy/helm/weir/files/weir-edge.conf.template')).toBe(template);
  });

  it('open the ports of a new installation', () => {
    for (const [name, port] of Object.entries(ports)) {
      expect(variables[name as keyof typeof ports].fallback).toMatch(new RegExp(`\\b${port}$`));
      for (const file of [
        'docker/Dockerfile',
        'compose/single.yml',
        'proxy/nftables.conf',
        'helm/weir/templates/weir.yaml',
      ])
        expect(`${file}: ${read(`deploy/${file}`)}`).toMatch(new RegExp(`\\b${port}\\b`));
    }
  });
});
