/** Whether shortcuts are made with Command instead of Ctrl here. */
const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** The modifier key of shortcuts, as this machine's keyboard names it. */
export const MOD_KEY = isApple ? '⌘' : 'Ctrl';
