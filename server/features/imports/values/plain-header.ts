/** A header in lower case, without accents, punctuation and the humps of programmers. */
export const plainHeader = (header: string): string =>
  header
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z\d]+/g, ' ')
    .trim();
