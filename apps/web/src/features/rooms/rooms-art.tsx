import { artAccent, artLine, artPaper } from '../../components/ui/feedback/art-line.ts';

/** A door with its own key, and guests who talk behind it. */
export function RoomsArt() {
  return (
    <svg viewBox="0 0 260 120" aria-hidden="true" {...artLine}>
      <circle cx="30" cy="60" r="12" fill={artPaper} />
      <path d="M42 60h40M70 60v10M80 60v8" stroke={artAccent} />
      <circle cx="30" cy="60" r="3" fill={artAccent} stroke="none" />
      <rect x="98" y="16" width="60" height="92" rx="6" fill={artPaper} />
      <path d="M88 108h152" />
      <circle cx="110" cy="62" r="4" fill={artAccent} stroke="none" />
      <path d="M122 34h24M122 44h16" />
      <path
        d="M176 30h44a6 6 0 0 1 6 6v20a6 6 0 0 1-6 6h-30l-10 9v-9h-4a6 6 0 0 1-6-6V36a6 6 0 0 1 6-6z"
        fill={artPaper}
      />
      <path d="M184 42h28M184 51h18" stroke={artAccent} />
      <circle cx="214" cy="84" r="8" fill={artPaper} />
      <path d="M200 108c0-9 6-14 14-14s14 5 14 14" fill={artPaper} />
    </svg>
  );
}
