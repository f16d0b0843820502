export { writeStunAnswer } from './stun-answer.ts';
export { isProved, parseStunCheck, type StunCheck } from './stun-check.ts';
