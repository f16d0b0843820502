import { artAccent, artLine, artPaper } from '../../components/ui/feedback/art-line.ts';

/** A film whose speech comes out in another language. */
export function DubbingArt() {
  return (
    <svg viewBox="0 0 260 120" aria-hidden="true" {...artLine}>
      <rect x="14" y="30" width="84" height="60" rx="6" fill={artPaper} />
      <path d="M14 42h84M14 78h84M30 30v12M48 30v12M66 30v12M84 30v12M30 78v12M48 78v12M66 78v12M84 78v12" />
      <path d="M112 60v0M120 52v16M128 44v32M136 54v12M144 36v48M152 50v20M160 58v4" stroke={artAccent} />
      <path
        d="M180 22h56a6 6 0 0 1 6 6v22a6 6 0 0 1-6 6h-36l-12 10V56h-8a6 6 0 0 1-6-6V28a6 6 0 0 1 6-6z"
        fill={artPaper}
      />
      <path d="M188 34h40M188 44h24" stroke={artAccent} />
      <path d="M196 78h40a6 6 0 0 1 6 6v14a6 6 0 0 1-6 6h-40a6 6 0 0 1-6-6V84a6 6 0 0 1 6-6z" fill={artPaper} />
      <path d="M200 91h28" />
    </svg>
  );
}
