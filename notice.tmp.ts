import { harvestingNotice } from '#websites/extract/harvesting-notice.ts';
import { robotsRules } from '#websites/robots/robots-rules.ts';
const fill = (s: string, n = 500*1024) => s.repeat(Math.ceil(n / s.length)).slice(0, n);
for (const s of ['may not spider ', 'may not spider addresses robot collect ', 'automat copy ', 'spider e-mails ', 'robot copy addresses ', 'do not spam email ', 'never give addresses ', 'not sell may not robot copy ','harvest ', 'don’t x may not crawl ']) {
 const b = performance.now(); const r = harvestingNotice(fill(s)); console.log(s, (performance.now()-b).toFixed(0), r?.slice(0, 40)); }
const url = new URL('https://firm.example/' + 'a'.repeat(1900));
for (const [n, t] of Object.entries({ star: 'User-agent: *\n' + fill('Disallow: /*a*a*a*a*a*a*a*a*a*b\n'), onelong: 'User-agent: *\nDisallow: /' + fill('*a'), agents: fill(Array.from({length: 25000}, (_, i) => `User-agent: a${String.fromCharCode(97+i%26)}${String.fromCharCode(97+(i/26|0)%26)}${String.fromCharCode(97+(i/676|0)%26)}\n`).join(''), 250*1024)+fill('Disallow: /a\n', 250*1024), crlf: fill('\r\n'), many: 'User-agent: *\n'+fill('Disallow: /abc\n'), spaces: 'User-agent' + fill(' ') })) {
 let b = performance.now(); const r = robotsRules('https://firm.example','FairleadBot',{status:200,text:t}); const p = performance.now()-b; b = performance.now(); const a = r.allows(url); console.log(n, 'parse', p.toFixed(0), 'allows', (performance.now()-b).toFixed(0), a);
}
