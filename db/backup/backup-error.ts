/** A backup or restore that cannot be done. The message says to the person at the terminal what to do. */
export class BackupError extends Error {
  override name = 'BackupError';
}
