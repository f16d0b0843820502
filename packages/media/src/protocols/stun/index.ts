export { writeStunAnswer } from './stun-answer.ts';
export { isProved, parseStunCheck, type StunCheck, writeStun } from './stun-check.ts';
