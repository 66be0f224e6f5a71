/** The colors of the page that a map needs, each as a color that a canvas knows. */
export type MapColors = Readonly<Record<(typeof ROLES)[number], string>>;

const ROLES = [
  'background',
  'surface',
  'muted',
  'border',
  'control',
  'foreground',
  'secondary',
  'accent',
  'success',
  'warning',
  'danger',
] as const;

/** Reads the colors of the theme that is shown. */
export function readColors(): MapColors {
  const styles = getComputedStyle(document.documentElement);
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  // The map library reads colors itself and does not know all of the ways in which CSS writes them.
  const colorOf = (role: string): string => {
    if (!context) return 'rgb(128, 128, 128)';
    context.fillStyle = styles.getPropertyValue(`--${role}`);
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `rgb(${red}, ${green}, ${blue})`;
  };
  return Object.fromEntries(ROLES.map((role) => [role, colorOf(role)])) as MapColors;
}

/** Calls back when the theme changes. Returns what ends that. */
export function onThemeChange(then: () => void): () => void {
  const observer = new MutationObserver(then);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
  return () => observer.disconnect();
}

/** `rgb(…)` with an opacity from 0 to 1. */
export const faded = (color: string, opacity: number): string =>
  color.replace('rgb(', 'rgba(').replace(')', `, ${opacity})`);
