/**
 * Why a run does not go on in this process:
 * - `cancelled`: by the user
 * - `bound_reached`: the next call would cost more than the run may spend
 * - `interrupted`: the process stops, and another one continues
 * - `lease_lost`: another process has taken it over
 */
export type StopReason = 'cancelled' | 'bound_reached' | 'interrupted' | 'lease_lost';

/** Thrown inside a run to leave it; never shown to anyone. */
export class RunStopped extends Error {
  override name = 'RunStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`The run was stopped: ${reason}.`);
    this.reason = reason;
  }
}
