/** The body that Storage gives with every failure. supabase-js knows a missing object by `code`. */
export type StorageErrorBody = { statusCode: string; error: string; code: string; message: string };

/** Refusals whose HTTP status is that of the body. */
const OWN_STATUS = ['FeatureNotEnabled', 'InvalidRange', 'SlowDown'];

/** A refusal in Storage's words. `status` is told in the body; the HTTP status is 400 but for failures of ours and those in `OWN_STATUS`. */
export class StorageError extends Error {
  override name = 'StorageError';
  readonly status: number;
  readonly code: string;
  readonly error: string;

  /** `error` is the older name of a refusal, which clients compare as well. */
  constructor(status: number, code: string, message: string, error = code) {
    super(message);
    this.status = status;
    this.code = code;
    this.error = error;
  }

  get httpStatus(): number {
    return this.status >= 500 || OWN_STATUS.includes(this.code) ? this.status : 400;
  }

  body(): StorageErrorBody {
    const { status, error, code, message } = this;
    return { statusCode: String(status), error, code, message };
  }
}

export const noSuchBucket = () => new StorageError(404, 'NoSuchBucket', 'Bucket not found', 'Bucket not found');
export const noSuchKey = () => new StorageError(404, 'NoSuchKey', 'Object not found', 'not_found');
export const invalidKey = (name: string) => new StorageError(400, 'InvalidKey', `Invalid key: ${name.slice(0, 200)}`);
export const invalidBucketName = () =>
  new StorageError(400, 'InvalidBucketName', 'Bucket name invalid', 'Invalid Input');
export const invalidRequest = (message: string) => new StorageError(400, 'InvalidRequest', message);
export const alreadyExists = (what: 'Key' | 'Bucket') =>
  new StorageError(409, `${what}AlreadyExists`, 'The resource already exists', 'Duplicate');
export const bucketNotEmpty = () =>
  new StorageError(409, 'InvalidRequest', 'The bucket you tried to delete is not empty');
export const accessDenied = (message: string) => new StorageError(403, 'AccessDenied', message, 'Unauthorized');
export const tooLarge = () =>
  new StorageError(413, 'EntityTooLarge', 'The object exceeded the maximum allowed size', 'Payload too large');
export const invalidMimeType = (type: string) =>
  new StorageError(415, 'InvalidMimeType', `mime type ${type.slice(0, 100)} is not supported`, 'invalid_mime_type');
export const invalidRange = () => new StorageError(416, 'InvalidRange', 'invalid range provided', 'invalid_range');
export const invalidToken = (message: string) => new StorageError(400, 'InvalidJWT', message);
export const invalidSignature = () => new StorageError(400, 'InvalidSignature', 'Invalid signature');
export const slowDown = () => new StorageError(429, 'SlowDown', 'Too many uploads. Try again in a minute.');
export const notOffered = () => new StorageError(404, 'NotFound', 'Storage does not offer this here', 'not_found');
/** For what hosted Storage lets a project switch on. */
export const featureNotEnabled = () => new StorageError(403, 'FeatureNotEnabled', 'feature not enabled here');
