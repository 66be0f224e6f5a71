import type { Db } from '#db/connection/client.ts';
import type { Env } from '#server/config/env.ts';
import { isSuppressedHost } from '#server/leads/suppressed.ts';
import { AppError } from '#server/lib/app-error.ts';
import type { KnownBusiness } from '#websites/extract/names-business.ts';
import { nameServers } from '#websites/fetch/resolve-name.ts';
import { type MailState, mailState } from '#websites/mail-exchange.ts';
import type { SiteVisit } from '#websites/site-visit.ts';
import { PRODUCT, visitSite } from '#websites/visit-site.ts';
import { hostPace, type Lanes } from './host-pace.ts';
import { isSharedHost } from './website-domain.ts';

/**
 * The websites of businesses. `sandbox` says which: those of invented businesses, or those of the world. Neither leads to the other.
 * @throws CONFLICT for the sandbox's where that is off.
 */
export type Websites = {
  /** Visits one of these businesses, in its turn. `notice`: the one that it had. `db`: holds the turns of all processes, and the suppression list. Rejects with the signal's reason. */
  visit(
    db: Db,
    sandbox: boolean,
    site: { website: string; businesses: readonly KnownBusiness[]; notice: SiteVisit['notice'] },
    signal: AbortSignal,
  ): Promise<SiteVisit>;
  /** Whether a domain takes mail. */
  mailState(sandbox: boolean, domain: string): Promise<MailState>;
};

type WebsitesOptions = {
  env: Pick<Env, 'websitesUrl' | 'dnsServer'>;
  /** The address of this installation, by which it introduces itself. */
  siteUrl: string;
  sandbox: { url: string; dnsServer: string } | undefined;
};

export function createWebsites({ env, siteUrl, sandbox }: WebsitesOptions): Websites {
  const lanes: Lanes = new Map();
  const userAgent = `${PRODUCT}/1.0 (+${siteUrl}/crawler.txt)`;
  const world = {
    standIn: env.websitesUrl === undefined ? undefined : new URL(env.websitesUrl),
    // Where something stands in for all websites, their names need not exist; where a name server is given, they are judged.
    names: env.websitesUrl === undefined || env.dnsServer !== undefined ? nameServers(env.dnsServer) : undefined,
    mail: nameServers(env.dnsServer),
  };
  const sandboxNames = sandbox && nameServers(sandbox.dnsServer);
  const invented = sandbox &&
    sandboxNames && { standIn: new URL(sandbox.url), names: sandboxNames, mail: sandboxNames };
  const ofKind = (isSandbox: boolean) => {
    const one = isSandbox ? invented : world;
    if (!one)
      throw new AppError(
        'CONFLICT',
        'This list holds sandbox data, and the sandbox is off here. Start a list with real data.',
      );
    return one;
  };
  return {
    async visit(db, isSandbox, { website, businesses, notice }, signal) {
      const { standIn, names } = ofKind(isSandbox);
      const pace = hostPace(db, lanes, isSandbox ? 'sandbox' : 'real');
      const isHeld = (host: string) => isSuppressedHost(db, host);
      return visitSite(
        { standIn, names, userAgent, pace, signal, isShared: isSharedHost, isHeld },
        website,
        businesses,
        notice,
      );
    },
    mailState: async (isSandbox, domain) => mailState(ofKind(isSandbox).mail, domain),
  };
}
