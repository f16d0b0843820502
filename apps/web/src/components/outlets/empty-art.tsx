import { artAccent as accent, artLine as line, artPaper as paper } from '../ui/feedback/art-line.ts';

/** One stream that is sent to three screens. */
export function ForwardArt() {
  return (
    <svg viewBox="0 0 260 120" aria-hidden="true" {...line}>
      <path d="M92 60h22c18 0 14-36 34-36h14M92 60h70M92 60h22c18 0 14 36 34 36h14" stroke={accent} />
      <rect x="16" y="34" width="76" height="52" rx="8" fill={paper} />
      <path d="m48 50 16 10-16 10z" fill={accent} stroke="none" />
      {[10, 46, 82].map((y) => (
        <g key={y}>
          <rect x="168" y={y} width="60" height="28" rx="6" fill={paper} />
          <circle cx="182" cy={y + 14} r="5" fill="currentColor" stroke="none" />
          <path d={`M194 ${y + 14}h22`} />
        </g>
      ))}
    </svg>
  );
}

/** A strip of film that runs in a circle into a screen. */
export function VliveArt() {
  return (
    <svg viewBox="0 0 260 120" aria-hidden="true" {...line}>
      <rect x="20" y="38" width="92" height="44" rx="6" fill={paper} />
      <path d="M20 48h92M20 72h92M38 38v10M56 38v10M74 38v10M92 38v10M38 72v10M56 72v10M74 72v10M92 72v10" />
      <path d="M112 60h44" stroke={accent} />
      <path d="m148 52 8 8-8 8" stroke={accent} />
      <path d="M66 30c0-14 10-18 22-18h60c26 0 44 10 48 24" stroke={accent} strokeDasharray="2 7" />
      <rect x="164" y="36" width="76" height="48" rx="8" fill={paper} />
      <path d="m196 50 16 10-16 10z" fill={accent} stroke="none" />
      <path d="M190 94h24" />
    </svg>
  );
}

/** A camera on a wall and its picture. */
export function CameraArt() {
  return (
    <svg viewBox="0 0 260 120" aria-hidden="true" {...line}>
      <path d="M30 22v60M30 52h18" />
      <path d="m44 34 58 14-8 28-56-14z" fill={paper} />
      <circle cx="92" cy="62" r="6" fill={accent} stroke="none" />
      <path d="M106 58l46-16M104 70l48 18" stroke={accent} strokeDasharray="2 7" />
      <rect x="160" y="30" width="84" height="60" rx="8" fill={paper} />
      <path d="m160 80 24-22 18 16 12-10 30 26" />
      <circle cx="222" cy="48" r="6" fill={accent} stroke="none" />
    </svg>
  );
}

/** A reel that fills, and the files it became. */
export function RecordArt() {
  return (
    <svg viewBox="0 0 260 120" aria-hidden="true" {...line}>
      <rect x="20" y="30" width="92" height="60" rx="8" fill={paper} />
      <circle cx="50" cy="56" r="14" />
      <circle cx="82" cy="56" r="14" />
      <path d="M50 70h32M34 90l6-8h52l6 8" />
      <circle cx="98" cy="40" r="4" fill="var(--weir-dot-bad)" stroke="none" />
      <path d="M112 60h38" stroke={accent} />
      <path d="m142 52 8 8-8 8" stroke={accent} />
      <rect x="182" y="22" width="58" height="40" rx="6" fill={paper} />
      <rect x="172" y="36" width="58" height="40" rx="6" fill={paper} />
      <rect x="162" y="50" width="58" height="40" rx="6" fill={paper} />
      <path d="m185 62 14 8-14 8z" fill={accent} stroke="none" />
    </svg>
  );
}

/** A large picture and sound that leave smaller. */
export function TranscodeArt() {
  return (
    <svg viewBox="0 0 260 120" aria-hidden="true" {...line}>
      <rect x="14" y="26" width="96" height="66" rx="8" fill={paper} />
      <path d="m52 46 20 13-20 13z" fill={accent} stroke="none" />
      <path d="M110 59h18M158 59h22" stroke={accent} />
      <path d="m172 51 8 8-8 8" stroke={accent} />
      <circle cx="143" cy="59" r="15" fill={paper} />
      <path d="M136 62v-6M141 66V52M146 64v-10M151 61v-4" />
      <rect x="188" y="38" width="60" height="42" rx="6" fill={paper} />
      <path d="m212 51 13 8-13 8z" fill={accent} stroke="none" />
    </svg>
  );
}
