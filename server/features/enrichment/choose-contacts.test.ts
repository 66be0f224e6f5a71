import { expect, test } from 'vitest';
import type { DomainContact } from '#providers/provider.ts';
import { chooseEmail, chooseOwner } from './choose-contacts.ts';

const contact = (overrides: Partial<DomainContact>): DomainContact => ({
  email: 'someone@acme.example',
  type: 'personal',
  confidence: 80,
  ...overrides,
});
const emailOf = (...contacts: DomainContact[]) => chooseEmail(contacts)?.email;
const ownerOf = (...contacts: DomainContact[]) => chooseOwner(contacts)?.name;

test('verification comes first, invalid last', () => {
  const order = (['valid', 'accept_all', undefined, 'invalid'] as const).map((verification, index) =>
    contact({ email: `${index}@acme.example`, confidence: index * 30, ...(verification ? { verification } : {}) }),
  );
  while (order.length > 0) {
    expect(emailOf(...order.toReversed())).toBe(order[0]?.email);
    order.shift();
  }
});

test('then a person before a mailbox, then the owner, then confidence', () => {
  const info = contact({ email: 'info@acme.example', type: 'generic', confidence: 99 });
  const clerk = contact({ email: 'clerk@acme.example', confidence: 90 });
  const owner = contact({ email: 'owner@acme.example', position: 'Owner', confidence: 60 });
  const other = contact({ email: 'other@acme.example', confidence: 95 });
  expect(emailOf(info, clerk)).toBe(clerk.email);
  expect(emailOf(info, clerk, owner)).toBe(owner.email);
  expect(emailOf(clerk, other)).toBe(other.email);
});

test('a mailbox that no one reads is not chosen, however sure it is', () => {
  const deaf = ['noreply', 'No-Reply', 'donotreply', 'postmaster', 'abuse'].map((local) =>
    contact({ email: `${local}@acme.example`, confidence: 99, verification: 'valid' }),
  );
  const desk = contact({ email: 'desk@acme.example', type: 'generic', confidence: 40 });
  expect(emailOf(...deaf, desk)).toBe(desk.email);
  expect(emailOf(...deaf)).toBeUndefined();
});

test('verified says what was found out, and nothing else', () => {
  expect(chooseEmail([contact({ verification: 'valid' })])?.verified).toBe(true);
  expect(chooseEmail([contact({ verification: 'invalid' })])?.verified).toBe(false);
  expect(chooseEmail([contact({ verification: 'accept_all' })])?.verified).toBeNull();
  expect(chooseEmail([contact({})])?.verified).toBeNull();
  expect(chooseEmail([])).toBeUndefined();
});

const person = (firstName: string, position?: string, seniority?: string) =>
  contact({ firstName, lastName: 'Doe', ...(position ? { position } : {}), ...(seniority ? { seniority } : {}) });

test('the owner is who decides, in this order', () => {
  const ranks = [
    person('Ann', 'Co-Owner'),
    person('Ben', 'Founder'),
    person('Cid', 'Chief Executive Officer'),
    person('Dan', 'President'),
    person('Eve', 'Partner'),
    person('Fay', 'Vice President'),
    person('Guy', 'Head chef', 'executive'),
  ];
  expect(ownerOf(...ranks.toReversed())).toBe('Ann Doe');
  expect(ownerOf(person('Fay', 'Vice President'), person('Dan', 'President'))).toBe('Dan Doe');
  expect(ownerOf(person('Guy', 'Head chef', 'executive'), person('Fay', 'General Manager'))).toBe('Fay Doe');
});

test('no one rather than someone', () => {
  expect(ownerOf(person('Ida', 'Receptionist', 'junior'), person('Jo', 'Product Owner'))).toBeUndefined();
  expect(ownerOf(person('Kim', 'Assistant to the President'))).toBeUndefined();
  expect(ownerOf(contact({ position: 'Owner' }))).toBeUndefined();
  expect(chooseOwner([contact({ firstName: ' Lea ', position: 'Owner ' })])).toEqual({ name: 'Lea', title: 'Owner' });
});
