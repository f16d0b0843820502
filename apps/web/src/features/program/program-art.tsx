/** Three inputs, one of them on air. */
export function ProgramArt() {
  return (
    <svg viewBox="0 0 160 80" width="160" height="80" fill="none" stroke="currentColor" strokeWidth="2">
      <title>Program</title>
      <rect x="4" y="4" width="36" height="20" rx="3" />
      <rect x="4" y="30" width="36" height="20" rx="3" />
      <rect x="4" y="56" width="36" height="20" rx="3" strokeDasharray="4 3" />
      <path d="M44 14h22l20 22h14M44 40h10M44 66h10" strokeLinecap="round" strokeLinejoin="round" />
      <rect x="104" y="20" width="52" height="36" rx="4" />
      <circle cx="130" cy="38" r="6" fill="currentColor" stroke="none" />
    </svg>
  );
}
