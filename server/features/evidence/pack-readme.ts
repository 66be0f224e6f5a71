/** Explains a pack to the person who opens it years later. */
export const README = `Evidence pack of Fairlead
=========================

summary.html   For reading: what the entries come to, and the first of them.
entries.csv    Every entry, for a spreadsheet.
entries.json   Every entry, to the letter.
proof.json     The head of the chain, and the links that lead from there to each entry.
verify.mjs     The program that checks all this. Read it: it has no dependencies.

To check the pack, install Node 22 or newer, and type in the folder of this file:

  node verify.mjs .

or, for the ZIP as it is:

  node verify.mjs PACK.zip

To check as well that the pack belongs to a hash that you got earlier, by mail or beside an export:

  node verify.mjs PACK.zip --head HASH

The pack must lead to the entry of that hash. If the check says that none has it, have a pack made
that does: the mail names the number of the entry, and so does the file beside an export. Type it
under "Prove entry" where packs are made. If such a pack has no entry with that hash either, the
chain was written again.

What it proves: none of these entries, in entries.json and entries.csv, was changed, added or left
out of the chain after a later hash of the chain was known to someone else. Each export's companion
file and each daily mail has such a hash.

What it does not prove: summary.html, this file, the question and the time in proof.json. They are
only as trustworthy as who gave you the pack: compare them with the entries. A changed verify.mjs can
say anything. "npm run verify-evidence -- PACK.zip" on the server checks a pack with its own.

Nor does it prove that what was written down at the time was true, or that the pack holds every
entry about a number. "npm run verify-evidence" on the server shows that none is hidden there. Times
are those of the server's clock. A part that was erased is gone, and only its hash is left. Nothing
here says that a call was lawful. Ask a lawyer before you rely on it.
`;
