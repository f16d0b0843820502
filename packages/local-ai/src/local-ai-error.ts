/** Reasons of a failed install that an owner can act on. */
type LocalAiFault =
  | 'busy'
  | 'unsupported-platform'
  | 'npm-missing'
  | 'registry-unreachable'
  | 'wrong-sum'
  | 'no-room'
  | 'not-writable'
  | 'cancelled';

export class LocalAiError extends Error {
  override readonly name = 'LocalAiError';
  readonly fault: LocalAiFault;

  constructor(fault: LocalAiFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
