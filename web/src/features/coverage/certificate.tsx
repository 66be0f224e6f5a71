import { type ReactNode, useState } from 'react';
import type { Coverage, Leaf } from '#contract/work/search/coverage.ts';
import { LEAF_WORDS } from '#web/lib/areas/leaf-layers.ts';
import { formatCount, formatMoment, plural } from '#web/lib/format/format.ts';
import { cn } from '#web/ui/cn.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { usePrinting } from '#web/ui/layout/use-printing.ts';
import { Pagination } from '#web/ui/table/pagination.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#web/ui/table/table.tsx';
import { CoverageMap } from './coverage-map.tsx';
import {
  countStates,
  degrees,
  foundText,
  gapsText,
  inListText,
  isSilent,
  type ListOfCertificate,
  laterText,
  listText,
  missedText,
  proofText,
} from './coverage-text.ts';
import { GoogleCount } from './google-count.tsx';

/** What a survey covered, what it may have missed, and every part of the area. `finish` stands with gaps that another search can close. */
export function Certificate({
  listId,
  list,
  coverage,
  finish,
}: {
  listId: string;
  /** What it is about, for paper. Undefined until the lists are read. */
  list: ListOfCertificate | undefined;
  coverage: Coverage;
  finish: ReactNode;
}) {
  const { area, queries, language, startedAt, finishedAt, passes, freeCalls, leaves, gaps } = coverage;
  const { partition, reprobe } = coverage;
  return (
    <div className="grid grid-cols-1 gap-5">
      {gaps.length > 0 ? (
        <Alert
          tone="warning"
          title={`${plural(gaps.length, 'gap')} in this area`}
          action={gaps.some(isSilent) ? finish : null}
        >
          {gapsText(gaps)}
        </Alert>
      ) : null}
      <Card>
        <CardHeader>
          <CardTitle>What was covered</CardTitle>
        </CardHeader>
        <CardContent>
          <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[10rem_1fr] [&_dt]:text-secondary max-sm:[&_dt]:-mb-1.5">
            {list ? <Row term="List">{listText(list)}</Row> : null}
            <Row term="Area">{area.label}</Row>
            <Row term="Business types">{queries.join(', ')}</Row>
            <Row term="Places found">{foundText(coverage)}</Row>
            {coverage.inList === undefined ? null : <Row term="In this list">{inListText(coverage)}</Row>}
            <Row term="Google’s own count">
              <GoogleCount listId={listId} coverage={coverage} />
            </Row>
            <Row term="May be missing">{missedText(reprobe)}</Row>
            <Row term="Counted">
              {`${formatMoment(startedAt)} to ${finishedAt ? formatMoment(finishedAt) : 'now (not finished)'} · ${plural(passes, 'pass', 'passes')} · ${plural(freeCalls, 'free request')} · language “${language}”`}
            </Row>
            {coverage.later ? <Row term="Counted later">{laterText(coverage.later)}</Row> : null}
            <Row term="Proof">
              <span className={partition.exact ? undefined : 'text-danger'}>{proofText(coverage)}</span>
            </Row>
          </dl>
        </CardContent>
      </Card>
      <section className="grid grid-cols-1 gap-3">
        <h2 className="font-semibold text-base">Parts of the area</h2>
        <States leaves={leaves} />
        <CoverageMap coverage={coverage} className="h-96" />
        <Parts leaves={leaves} />
        <p className="text-faint text-sm">
          South and west edges belong to a part, north and east edges do not. A place that a count did not see again has
          not necessarily closed.
        </p>
      </section>
    </div>
  );
}

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd className="min-w-0 break-words tabular-nums max-sm:mb-2">{children}</dd>
    </>
  );
}

function States({ leaves }: { leaves: readonly Leaf[] }) {
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-1 text-secondary text-sm tabular-nums">
      {countStates(leaves).map(({ state, parts, places }) => (
        <li key={state}>{`${LEAF_WORDS[state]}: ${plural(parts, 'part')}, ${plural(places, 'place')}`}</li>
      ))}
    </ul>
  );
}

const PAGE_SIZE = 25;

function Parts({ leaves }: { leaves: readonly Leaf[] }) {
  const [page, setPage] = useState(1);
  const printing = usePrinting();
  // What is open comes first.
  const sorted = [...leaves].toSorted((a, b) => Number(a.state === 'complete') - Number(b.state === 'complete'));
  const shown = printing ? sorted : sorted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <>
      <Table label="Parts of the area">
        <TableHeader>
          <tr>
            <TableHead>Business type</TableHead>
            <TableHead>Latitude</TableHead>
            <TableHead>Longitude</TableHead>
            <TableHead>State</TableHead>
            <TableHead className="text-right">Places</TableHead>
            <TableHead className="text-right">Pages</TableHead>
          </tr>
        </TableHeader>
        <TableBody>
          {shown.map((leaf) => (
            <TableRow key={`${leaf.query} ${leaf.south} ${leaf.west}`}>
              <TableCell>{leaf.query}</TableCell>
              <TableCell className="whitespace-nowrap tabular-nums">{degrees(leaf.south, leaf.north)}</TableCell>
              <TableCell className="whitespace-nowrap tabular-nums">{degrees(leaf.west, leaf.east)}</TableCell>
              <TableCell className={cn('whitespace-nowrap', leaf.state !== 'complete' && 'text-warning')}>
                {LEAF_WORDS[leaf.state]}
              </TableCell>
              <TableCell className="text-right tabular-nums">{formatCount(leaf.ids.length)}</TableCell>
              <TableCell className="text-right tabular-nums">{formatCount(leaf.pages)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <Pagination page={page} pageSize={PAGE_SIZE} total={leaves.length} noun="parts" onPageChange={setPage} />
    </>
  );
}
