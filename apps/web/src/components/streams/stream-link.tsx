import { Anchor } from '@mantine/core';
import { limits } from '@weir/contract';
import { defaultVhost, streamLabel, type WirePlace } from '@weir/dialect';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths, useLocalPath } from '../../lib/paths.ts';

/** Address of a stream's own page, without its language: `/routers-scenario?tab=live&stream=live/show`. */
export function streamPath({ vhost, app, stream }: WirePlace): string {
  // A slash has no meaning in a query, and an address that people send to each other should be readable.
  const written = (text: string) => encodeURIComponent(text).replaceAll('%2F', '/');
  const host = vhost === defaultVhost ? '' : `&vhost=${written(vhost)}`;
  return `${paths.scenario}?tab=live&stream=${written(`${app}/${stream}`)}${host}`;
}

/** The stream that an address names; undefined when it names none, or one that cannot be. */
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
  /** Its name unless told otherwise. */
  children?: ReactNode;
}

/** Leads to the page of a stream. */
export function StreamLink({ stream, className, children = streamLabel(stream) }: StreamLinkProps) {
  const localPath = useLocalPath();
  const { vhost, app, stream: name } = stream;
  return (
    <Anchor component={Link} to={localPath(streamPath({ vhost, app, stream: name }))} className={className} inherit>
      {children}
    </Anchor>
  );
}
