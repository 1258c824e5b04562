/**
 * Colours, type and shapes of the page and of the report: one design, so that they are known again. Plain CSS, without a build, because a
 * report is one file. Every pair of text and ground has a contrast of at least 4.5 : 1 in both themes.
 */
const LIGHT = `color-scheme:light;
--ground:#f6f5f1;--surface:#fff;--sunken:#efede7;--line:#dedad1;--strong-line:#8d877b;
--text:#1c1b19;--muted:#5f5b54;--accent:#2a55c4;--on-accent:#fff;--accent-soft:#e7edfb;
--good:#17663a;--good-soft:#e0f2e6;--bad:#ad2118;--bad-soft:#fbe7e4;--warn:#7d4b00;--warn-soft:#faeed6;
--doubt:#6a38ab;--doubt-soft:#f0e8fa;--idle:#55524c;--idle-soft:#ebe8e1;
--shadow:0 1px 2px #1c1b190d,0 4px 16px #1c1b190a;`;
const DARK = `color-scheme:dark;
--ground:#121316;--surface:#1a1c20;--sunken:#0d0e10;--line:#2d3037;--strong-line:#7d828d;
--text:#e9e9ec;--muted:#a6aab4;--accent:#9ab6ff;--on-accent:#0d1530;--accent-soft:#1f2a47;
--good:#74d394;--good-soft:#14301f;--bad:#ff958c;--bad-soft:#3a1a18;--warn:#f2bd63;--warn-soft:#37290f;
--doubt:#cbabff;--doubt-soft:#2b2040;--idle:#b3b6be;--idle-soft:#272a30;
--shadow:0 1px 2px #0006,0 4px 16px #0004;`;

export const DESIGN = `:root{${LIGHT}
--sans:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--mono:ui-monospace,"SF Mono","Cascadia Mono","JetBrains Mono","DejaVu Sans Mono",Menlo,Consolas,monospace;
--radius:10px}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${DARK}}}
:root[data-theme=dark]{${DARK}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.55 var(--sans);overflow-wrap:anywhere}
h1,h2,h3{line-height:1.25;margin:0;letter-spacing:-.011em;text-wrap:pretty}
h1{font-size:1.5rem;font-weight:680}h2{font-size:1.02rem;font-weight:650}h3{font-size:.95rem;font-weight:600}
p{margin:0}a{color:var(--accent)}
code,pre,.mono{font-family:var(--mono);font-size:.86em;font-variant-ligatures:none}
pre>code{font-size:1em}pre{margin:0;font-size:.86rem;white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4}
.muted{color:var(--muted)}.small{font-size:.87rem}.num{font-variant-numeric:tabular-nums}
.card{background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--shadow)}
.code{background:var(--sunken);border:1px solid var(--line);border-radius:8px;padding:.7rem .85rem;max-width:100%}
.badge{display:inline-flex;align-items:center;gap:.35em;border-radius:999px;padding:.12rem .6rem;font-size:.8rem;font-weight:600;white-space:nowrap;background:var(--idle-soft);color:var(--idle)}
.badge.good,.badge.proven,.badge.done,.badge.passed{background:var(--good-soft);color:var(--good)}
.badge.bad,.badge.failed,.badge.abandoned{background:var(--bad-soft);color:var(--bad)}
.badge.attention,.badge.needs_you,.badge.blocked{background:var(--warn-soft);color:var(--warn)}
.badge.suspect{background:var(--doubt-soft);color:var(--doubt)}
.badge.claimed,.badge.working,.badge.running{background:var(--accent-soft);color:var(--accent)}
.t-good,.t-proven{color:var(--good)}.t-bad,.t-failed,.t-abandoned{color:var(--bad)}.t-warn,.t-blocked{color:var(--warn)}
.t-suspect{color:var(--doubt)}.t-claimed,.t-working{color:var(--accent)}.t-open{color:var(--muted)}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th{font-weight:600;color:var(--muted);font-size:.8rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .7rem .4rem 0;border-bottom:1px solid var(--line)}
tr:last-child>td{border-bottom:0}
.scroll{overflow-x:auto}.scroll>table{overflow-wrap:break-word}td.num{white-space:nowrap}
.timeline{width:100%;height:auto;display:block}.scroll>.timeline{min-width:34rem}
.timeline text{font:11px var(--sans);fill:var(--muted)}.timeline .lane{stroke:var(--line)}
.timeline .good,.timeline .continue,.timeline .done{fill:var(--good)}.timeline .bad,.timeline .failed{fill:var(--bad)}
.timeline .open,.timeline .wait,.timeline .needs_you{fill:var(--warn)}.timeline .human{fill:var(--accent)}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 1rem;font-size:.82rem;color:var(--muted);list-style:none;padding:0;margin:.5rem 0 0}
.legend i{display:inline-block;width:.7em;height:.7em;border-radius:3px;margin-right:.4em;background:var(--idle)}
.legend i.dot{border-radius:50%}.legend i.good{background:var(--good)}.legend i.bad{background:var(--bad)}.legend i.warn{background:var(--warn)}.legend i.human{background:var(--accent)}
.diff{display:block}.diff .add{background:var(--good-soft);color:var(--good)}.diff .del{background:var(--bad-soft);color:var(--bad)}
.diff .hunk{color:var(--accent)}.diff .head{color:var(--muted)}.diff span{display:block;padding:0 .85rem;min-height:1.55em}
@media (max-width:40rem){.scroll>.timeline{min-width:44rem}}
details>summary{cursor:pointer;color:var(--accent);font-size:.9rem}
@media (prefers-reduced-motion:reduce){*,::before,::after{animation-duration:.01ms!important;animation-iteration-count:1!important;transition-duration:.01ms!important;scroll-behavior:auto!important}}
`;

/** What only the report has. */
export const REPORT_DESIGN = `main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 4rem;display:grid;gap:1rem;grid-template-columns:minmax(0,1fr)}
header{display:grid;gap:.5rem;margin-bottom:.25rem}h1.long{font-size:1.15rem;line-height:1.4;font-weight:600}.verdict{display:flex;flex-wrap:wrap;gap:.5rem;align-items:baseline}
section{padding:1.1rem 1.25rem;display:grid;gap:.6rem;grid-template-columns:minmax(0,1fr)}
.numbers{display:flex;flex-wrap:wrap;gap:.75rem;margin:0;padding:0;list-style:none}
.numbers li{flex:1 1 7.5rem;padding:.7rem .9rem}.numbers b{display:block;font-size:1.3rem;font-weight:680;letter-spacing:-.02em}
ul,ol{margin:0;padding-left:1.2rem}.todos{list-style:none;padding:0}.todos>li{display:grid;gap:.3rem;padding:.6rem 0;border-bottom:1px solid var(--line)}
.todos>li:last-child{border-bottom:0}.facts{display:flex;flex-wrap:wrap;gap:.25rem .7rem;align-items:baseline}
.check{display:grid;gap:.3rem;grid-template-columns:minmax(0,1fr)}pre.code{overflow:auto;max-height:24rem}
@media (max-width:36rem){.scroll>table{min-width:34rem}main{padding:1.2rem .9rem 3rem}section{padding:.95rem 1rem}}
@media print{.card{box-shadow:none;break-inside:avoid}}`;
