-- Erasing a contact is an entry by itself, found by the hash that is left. The index holds writers up for one look at the chain.

create index evidence_contact_erased_idx on app.evidence ((facts ->> 'hash')) where kind = 'contact.erased';
