import { Fragment } from 'react';
import { Link } from 'react-router';

/** The part of the Settings page that messages send people to, by the name that they use for it. */
export const API_PROVIDERS = { title: 'API Providers', id: 'api-providers', path: '/settings#api-providers' } as const;

const PLACE = `Settings > ${API_PROVIDERS.title}`;

/** Whether a message sends its reader to the provider keys. */
export const namesApiProviders = (text: string): boolean => text.includes(PLACE);

/** A message as it is, in which the name of that place leads there. */
export function MessageText({ text }: { text: string }) {
  const parts = text.split(PLACE);
  if (parts.length === 1) return text;
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
    <Fragment key={index}>
      {index > 0 ? (
        <Link to={API_PROVIDERS.path} className="whitespace-nowrap underline underline-offset-4">
          {PLACE}
        </Link>
      ) : null}
      {part}
    </Fragment>
  ));
}
