import { AppError } from '#server/lib/app-error.ts';

export const notConnected = (): AppError => new AppError('CONFLICT', 'Keap is not connected. Connect it first.');

export const connectionExpired = (): AppError =>
  new AppError('PROVIDER_BAD_CREDENTIALS', 'The connection to Keap has expired. Connect Keap again.');

export const askedTooOften = (): AppError =>
  new AppError('PROVIDER_RATE_LIMITED', 'Keap is getting too many requests right now. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  });
