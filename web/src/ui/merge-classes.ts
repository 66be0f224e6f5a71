import { createTailwindMerge, validators } from 'tailwind-merge';

const { isAny, isNumber } = validators;

/** Names whose classes `name-…` all set one property, and behind a colon the further ones that they set. */
const PROPERTIES =
  'm:mx,my,mt,mr,mb,ml mx:mr,ml my:mt,mb mt mr mb ml p:px,py,pt,pr,pb,pl px:pr,pl py:pt,pb pt pr pb pl gap:gap-x,gap-y gap-x gap-y ' +
  'size:w,h w h min-w min-h max-w max-h z top right bottom left inset:inset-x,inset-y,top,right,bottom,left inset-x:right,left ' +
  'inset-y:top,bottom basis grow shrink opacity items justify justify-items justify-self leading tracking cursor select ' +
  'whitespace transition rounded:rounded-t,rounded-r rounded-t rounded-r grid-cols col overflow:overflow-x,overflow-y overflow-x ' +
  'overflow-y scroll-mt scroll-py:scroll-pt scroll-pt scroll-pl stroke fill translate-x translate-y from line-clamp:display,overflow';
const properties = PROPERTIES.split(' ').map((one) => one.split(':'));

const any = (name: string) => [{ [name]: ['', isAny] }];
const isSize = (value: string) => /^(xs|sm|base|lg|xl|\dxl)$/.test(value);
const borders = ['', '-x', '-t', '-r', '-b', '-l'].map((side) => `border${side}`);

/** tailwind-merge with those of its groups in which the project has classes: what comes before a page is read. A test compares them. */
export const mergeClasses = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: {
    ...Object.fromEntries(properties.map(([name = '']) => [name, any(name)])),
    ...Object.fromEntries(borders.map((name) => [name, [{ [name]: ['', isNumber] }]])),
    display: ['block', 'inline', 'inline-block', 'flex', 'inline-flex', 'grid', 'table', 'contents', 'hidden'],
    position: ['static', 'relative', 'absolute', 'fixed', 'sticky'],
    flex: [{ flex: [isNumber, 'none'] }],
    wrap: [{ flex: ['wrap', 'nowrap'] }],
    direction: [{ flex: ['row', 'col'] }],
    break: [{ break: ['words', 'all'] }],
    decoration: ['underline', 'line-through'],
    content: [{ content: ['start', 'center'] }],
    align: [{ text: ['left', 'center', 'right'] }],
    balance: [{ text: ['balance'] }],
    text: [{ text: [isSize] }],
    color: any('text'),
    weight: [{ font: ['normal', 'medium', 'semibold'] }],
    family: [{ font: ['sans', 'mono'] }],
    ring: [{ ring: ['', isNumber] }],
    gradient: any('bg-linear-to'),
    background: any('bg'),
    collapse: [{ border: ['collapse', 'separate'] }],
    spacing: any('border-spacing'),
    dashed: [{ border: ['dashed'] }],
    'border-color': [{ border: [isAny] }],
  },
  conflictingClassGroups: {
    ...Object.fromEntries(properties.map(([name = '', also]) => [name, also?.split(',') ?? []])),
    border: borders.slice(1),
    'border-x': ['border-r', 'border-l'],
    flex: ['basis', 'grow', 'shrink'],
    text: ['leading'],
  },
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: [],
}));
