import { createGate, type Gate } from '#server/access/gate.ts';
import { createKeptLimits } from '#server/budgets/kept-limits.ts';
import { strangersMayCome } from '#server/config/env.ts';
import { createCrmAccess } from '#server/crm/crm-access.ts';
import type { Deps } from '#server/deps.ts';

/** Who gets in, by what the environment, the database and the CRM say. */
export const gateOf = ({ env, db, vault, log, crm }: Pick<Deps, 'env' | 'db' | 'vault' | 'log' | 'crm'>): Gate =>
  createGate({
    db,
    adminEmails: env.adminEmails,
    strangersMayCome: strangersMayCome(env),
    crm: createCrmAccess({ db, log, crm }),
    crmGraceHours: env.crmGraceHours,
    keptLimits: createKeptLimits(vault),
  });
