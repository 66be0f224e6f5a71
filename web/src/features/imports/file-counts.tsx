import { Link } from 'react-router';
import { type ImportFile, SHOWN_PROBLEMS } from '#contract/imports/imports.ts';
import { formatCount, formatDate, plural } from '#web/lib/format/format.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { ErrorsButton } from './errors-button.tsx';
import { optOutColumns, sheetNames } from './import-words.ts';

/** Problems that are named on the page; the file to download has them all. */
const NAMED = 5;

/** What a file would bring: rows, duplicates, contacts that are held back, and what could not be read. */
export function FileCounts({ file }: { file: ImportFile }) {
  const facts = [
    { label: 'Rows', value: file.rows },
    { label: 'Twice in the file', value: file.inFile },
    { label: 'In your lists already', value: file.inLists },
    { label: 'Suppressed', value: file.suppressed },
    { label: 'With problems', value: file.errors },
  ];
  const { heeded, leave, others } = optOutColumns(file);
  return (
    <div className="grid gap-3">
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-border sm:grid-cols-5">
        {facts.map(({ label, value }) => (
          <div key={label} className="grid gap-0.5 bg-surface px-4 py-3 last:max-sm:col-span-2">
            <dt className="text-secondary text-sm">{label}</dt>
            <dd className="font-semibold text-lg tabular-nums">{formatCount(value)}</dd>
          </div>
        ))}
      </dl>
      {file.importedBefore ? (
        <Alert tone="warning" title="You imported this file before">
          It was imported on {formatDate(file.importedBefore)}. Its rows are already in your lists, unless you have
          deleted them.
        </Alert>
      ) : null}
      {file.otherSheets.length > 0 ? (
        <Alert tone="warning" title={`Nothing is read from ${plural(file.otherSheets.length, 'other sheet')}`}>
          Not read: {sheetNames(file.otherSheets)}. Save each as its own file, and import it too.
        </Alert>
      ) : null}
      {file.suppressed > 0 ? (
        <Alert tone="info" title={`${plural(file.suppressed, 'row')} of suppressed contacts`}>
          Fairlead stores new ones and holds them back from calls, emails, lookups and exports. They fill no lead that
          you have.
        </Alert>
      ) : null}
      {heeded.length > 0 ? <NoCalls where={`${inQuotes(heeded)} is not a clear no`} /> : null}
      {leave.length > 0 ? <NoCalls where={`${inQuotes(leave)} is a clear no`} /> : null}
      {others.length > 0 ? (
        <Alert tone="warning" title={`Fairlead does not act on ${inQuotes(others)}`}>
          It suppresses no one. Add those contacts to the <SuppressionList />, or take their rows out of the file.
        </Alert>
      ) : null}
      {file.errors > 0 ? (
        <Alert tone="warning" title={`${plural(file.errors, 'row')} with something that cannot be read`}>
          The rest of each row is imported, and what the file says is kept.
          <ul className="mt-1 mb-2 grid gap-0.5">
            {file.problems.slice(0, NAMED).map(({ row, column, value, why }) => (
              <li key={`${row} ${column}`} className="[overflow-wrap:anywhere]">
                Row {formatCount(row)}, {column}, <bdi>“{value}”</bdi>: {why}
              </li>
            ))}
            {file.problems.length > NAMED ? (
              <li>
                and{' '}
                {file.problems.length >= SHOWN_PROBLEMS ? 'more' : `${formatCount(file.problems.length - NAMED)} more`}
              </li>
            ) : null}
          </ul>
          <ErrorsButton id={file.importId} />
        </Alert>
      ) : null}
    </div>
  );
}

const inQuotes = (headers: readonly string[]): string => headers.map((header) => `“${header}”`).join(' or ');

const NoCalls = ({ where }: { where: string }) => (
  <Alert tone="info" title={`Fairlead does not let you call where ${where}`}>
    Those numbers are blocked for calls in all of your lists, and stay in emails and exports. The block ends when the
    leads that say so are deleted, by hand or with their list. Add them to the <SuppressionList /> to hold them back for
    good, for everyone.
  </Alert>
);

const SuppressionList = () => (
  <Link to="/suppressions" className="text-accent underline underline-offset-4">
    Suppression List
  </Link>
);
