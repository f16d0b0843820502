import type { ReactNode } from 'react';
import classes from './platform-logo.module.css';
import type { Preset } from './presets.ts';

/** Drawn by us: a plain sign on the platform's colour. */
const signs: Readonly<Record<Preset, { readonly colour: string; readonly sign: ReactNode }>> = {
  youtube: { colour: '#d9302a', sign: <path d="M11.5 9v10l8.5-5z" fill="#fff" stroke="none" /> },
  twitch: {
    colour: '#7b4bd6',
    sign: <path d="M8.5 8h11.500v8l-4 4h-3l-2.5 2v-2h-2zM13.5 11.500v3.500M17 11.500v3.5" />,
  },
  facebook: { colour: '#2b66c9', sign: <path d="M14.5 22V12.500q0-4 4-4M11 14.500h7" strokeWidth="2.4" /> },
  weixin: {
    colour: '#1f8f4f',
    sign: (
      <path d="M6.5 12q0-4 5.5-4t5.5 4-5.5 4l-3.5 2 .5-2.500q-2.5-1-2.5-3.500M14 18.500q1.5 2 4 2l3 1-.5-2q1.5-1.3 1.5-3 0-2.2-2-3.2" />
    ),
  },
  bilibili: {
    colour: '#d0507c',
    sign: <path d="M7.5 11h13v9.500h-13zM10.5 7.500l2.5 3.500M17.5 7.500L15 11M11.5 14.500v2M16.5 14.500v2" />,
  },
  kuaishou: {
    colour: '#cf5f1c',
    sign: (
      <>
        <circle cx="10.5" cy="9.5" r="1.8" />
        <circle cx="15.5" cy="9.5" r="1.8" />
        <path d="M7.5 13.500h9.500v7H7.500zM17 16.500l4-2v5l-4-2" />
      </>
    ),
  },
  own: { colour: '#147083', sign: <path d="M6 10.500h7q3 0 3.5 3t3.5 4h2.500M6 16h4q2.5 0 2.5 2.500V22" /> },
  server: { colour: '#51636b', sign: <path d="M8 8h12v5H8zM8 15h12v5H8zM11 10.500h.01M11 17.500h.01" /> },
};

/** Logo of a platform, next to its name. */
export function PlatformLogo({ preset, size = 20 }: { preset: Preset; size?: number }) {
  const { colour, sign } = signs[preset];
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" aria-hidden="true" className={classes.logo}>
      <rect width="28" height="28" rx="7" fill={colour} />
      <g fill="none" stroke="#fff" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round">
        {sign}
      </g>
    </svg>
  );
}
