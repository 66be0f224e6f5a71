/** The name of a firm, as its domain tells it: "copper-kettle.example" is "Copper Kettle". */
export const titleOf = (domain: string): string =>
  (domain.split('.')[0] ?? domain)
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
