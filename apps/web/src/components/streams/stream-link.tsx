import { Anchor } from '@mantine/core';
import { defaultVhost, streamLabel, type WirePlace } from '@weir/dialect';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths, useLocalPath } from '../../lib/paths.ts';

/** Address of a stream's own page, without its language: `/routers-scenario?tab=live&stream=live/show`. */
export function streamPath({ vhost, app, stream }: WirePlace): string {
  // A slash has no meaning in a query, and an address that people send to each other should be readable.
  const readable = (text: string) => encodeURIComponent(text).replaceAll('%2F', '/');
  const host = vhost === defaultVhost ? '' : `&vhost=${readable(vhost)}`;
  return `${paths.scenario}?tab=live&stream=${readable(`${app}/${stream}`)}${host}`;
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
