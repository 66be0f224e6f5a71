import { ProviderError } from '#providers/provider.ts';

/** A number that the provider does not accept, and what it said. */
export type Refused = { number: string; error: ProviderError };

/**
 * Checks numbers in one request. Where that is not accepted, it checks each half instead, down to the numbers that are refused alone.
 * - A refusal costs nothing, so every other number is paid for once. Returns the refused ones.
 * @throws what `check` throws for any other reason.
 */
export async function checkInParts(
  numbers: readonly string[],
  check: (part: readonly string[]) => Promise<void>,
): Promise<Refused[]> {
  try {
    await check(numbers);
    return [];
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [number, ...others] = numbers;
    if (number === undefined) throw error;
    if (others.length === 0) return [{ number, error }];
    const middle = Math.ceil(numbers.length / 2);
    const first = await checkInParts(numbers.slice(0, middle), check);
    return [...first, ...(await checkInParts(numbers.slice(middle), check))];
  }
}

const isRefusal = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.kind === 'bad_request' && error.charge === 'none';
