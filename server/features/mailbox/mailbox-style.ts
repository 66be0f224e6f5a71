import { raw } from 'hono/html';

/** The page's own stylesheet: it must look right before the browser app was ever built. */
export const MAILBOX_STYLE = raw(`<style>
:root { --page: #0e1317; --card: #151c21; --line: #28333b; --text: #e4eaee; --quiet: #97a6b0; --accent: #5cc8db; }
@media (prefers-color-scheme: light) {
  :root { --page: #f6f8f9; --card: #ffffff; --line: #dbe2e6; --text: #17222a; --quiet: #566671; --accent: #0b6b80; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 32px 16px 64px; max-width: 760px; background: var(--page); color: var(--text);
  font: 15px/1.5 Inter, "Inter Variable", system-ui, sans-serif; }
header { margin-bottom: 24px; }
h1 { margin: 0 0 4px; font-size: 22px; font-weight: 600; }
h2 { margin: 0; font-size: 16px; font-weight: 600; overflow-wrap: anywhere; }
p { margin: 0; }
header p, .meta, .empty { color: var(--quiet); }
.meta { font-size: 13px; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 3px; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
article, .empty { padding: 20px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
article + article { margin-top: 12px; }
ul { margin: 12px 0 0; padding: 0; list-style: none; }
li { padding: 2px 0; overflow-wrap: anywhere; }
pre { margin: 16px 0 0; padding-top: 16px; border-top: 1px solid var(--line); font: inherit; font-size: 14px;
  white-space: pre-wrap; overflow-wrap: anywhere; }
</style>`);
