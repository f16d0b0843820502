import { Anchor } from '@mantine/core';
import { limits } from '@weir/contract';
import { defaultVhost, streamLabel, type WirePlace } from '@weir/streams';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths, useLocalPath } from '../../lib/paths.ts';

/** Path of a stream's page, without language: `/routers-scenario?tab=live&stream=live/show`. */
export function streamPath({ vhost, app, stream }: WirePlace): string {
  // Slashes stay readable, since users share these addresses.
  const written = (text: string) => encodeURIComponent(text).replaceAll('%2F', '/');
  const host = vhost === defaultVhost ? '' : `&vhost=${written(vhost)}`;
  return `${paths.scenario}?tab=live&stream=${written(`${app}/${stream}`)}${host}`;
}

/** Stream named by an address; undefined if missing or invalid. */
export function parseStreamQuery(query: URLSearchParams): WirePlace | undefined {
  const path = query.get('stream') ?? '';
  const slash = path.lastIndexOf('/');
  const [app, stream, vhost] = [path.slice(0, Math.max(0, slash)), path.slice(slash + 1), query.get('vhost')];
  const isUsable = (name: string) => name !== '' && name.length <= limits.streamNameCharacters;
  if (!isUsable(app) || !isUsable(stream) || (vhost !== null && !isUsable(vhost))) return undefined;
  return { vhost: vhost ?? defaultVhost, app, stream };
}

interface StreamLinkProps {
  stream: WirePlace;
  className?: string | undefined;
  /** Stream name by default. */
  children?: ReactNode;
}

export function StreamLink({ stream, className, children = streamLabel(stream) }: StreamLinkProps) {
  const localPath = useLocalPath();
  const { vhost, app, stream: name } = stream;
  return (
    <Anchor component={Link} to={localPath(streamPath({ vhost, app, stream: name }))} className={className} inherit>
      {children}
    </Anchor>
  );
}
