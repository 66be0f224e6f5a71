import type { DataOf } from '#contract/endpoint.ts';
import { FIELD_LABELS } from '#contract/imports/fields.ts';
import type { Lead } from '#contract/work/leads.ts';
import type { OpenOrigin } from '#contract/work/open-origins.ts';
import type { getProvenanceEndpoint } from '#contract/work/provenance.ts';
import { certainty } from '#web/features/leads/open-words.ts';
import { fieldText } from './file-origin.tsx';

type Data = DataOf<typeof getProvenanceEndpoint>;

/** What `sources` calls a value of someone's file that Google had told them before. */
export const FROM_GOOGLE = 'file:google';
export const GOOGLES_WORDS = 'Google also gave you this value, so it is left out of export-safe files.';

/** Which source and release of open data a value comes from, and how sure that is. */
export function FromOpenData({ release: one }: { release: OpenOrigin }) {
  return (
    <>
      <p className="break-words">{`${one.title}, release ${one.release} (${one.license}), free of charge`}</p>
      <p>{certainty(one)}</p>
    </>
  );
}

const OTHERS = [
  ['phone', 'phone'],
  ['address', 'address'],
  ['website', 'website'],
] as const;

/** Values of the business that come from elsewhere than its name. */
export function OtherSources({ lead, data }: { lead: Lead; data: Data }) {
  const name = data.sources.business_name;
  const others = OTHERS.flatMap(([column, field]) =>
    lead[column] && (data.sources[column] !== name || isFilled(data, column))
      ? [{ field, text: shortText(data, column) }]
      : [],
  );
  return others.map(({ field, text }) => <p key={field}>{`${FIELD_LABELS[field]}: ${text}`}</p>);
}

const isFilled = ({ file, sources }: Data, column: string): boolean =>
  sources[column] === 'file' && file !== null && file.filled.some(({ fields }) => fields.includes(column));

function shortText({ open, provenance, file, sources }: Data, column: string): string {
  const source = sources[column];
  if (source === undefined) return provenance.some(({ part }) => part === 'business') ? 'Google' : 'not known';
  if (source === FROM_GOOGLE) return `your file. ${GOOGLES_WORDS}`;
  if (source === 'website') return 'the business’s own website';
  const release = open.find(({ name }) => name === source || `file:${name}` === source);
  if (!release) return file ? fieldText(file, column) : 'your file';
  const told = `${release.title}, release ${release.release}`;
  return source.startsWith('file:') ? `your file (same as in ${told})` : told;
}
