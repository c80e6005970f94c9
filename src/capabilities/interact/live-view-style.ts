// The live view's style sheet.

const DARK =
  'color-scheme:dark;--paper:#121716;--card:#1a2120;--sunken:#0b0f0e;--ink:#e9eeec;--soft:#b4bfbc;--line:#2b3533;--accent:#5cc9bc;--on:#06201d;--warn:#f0b464'

export const VIEW_STYLE = `:root{color-scheme:light;--paper:#fbfaf8;--card:#fff;--sunken:#ecebe7;--ink:#1c2322;--soft:#4d5856;--line:#d9d6cf;--accent:#0f6b63;--on:#fff;--warn:#8a4b00}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${DARK}}}:root[data-theme=dark]{${DARK}}
*{box-sizing:border-box}html{font:15px ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body{margin:0;display:flex;flex-direction:column;height:100vh;height:100dvh;background:var(--sunken);color:var(--ink)}
header{display:flex;flex-wrap:wrap;gap:6px;align-items:center;padding:8px 10px;background:var(--card);border-bottom:1px solid var(--line)}
button,input{font:inherit;color:inherit}
button{min-height:34px;padding:4px 10px;background:none;border:1px solid transparent;border-radius:8px;cursor:pointer;color:var(--soft)}
button:hover:not(:disabled){background:var(--sunken);color:var(--ink)}button:disabled{cursor:default;opacity:.6}
button.icon{min-width:34px;padding:4px;font-size:17px;line-height:1}button.edge{border-color:var(--line);background:var(--card)}
button.main{background:var(--accent);color:var(--on)}button.main:hover:not(:disabled){background:var(--accent);color:var(--on);filter:brightness(1.1)}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
#bar{flex:1 1 200px;display:flex;min-width:0}
input{min-height:34px;width:100%;padding:4px 12px;background:var(--paper);border:1px solid var(--line);border-radius:17px;text-overflow:ellipsis}
#notice{margin:0;padding:10px 14px;background:var(--accent);color:var(--on,#fff)}#notice[hidden]{display:none}
#tabs{display:flex;gap:4px;overflow-x:auto;padding:6px 10px 0;background:var(--card);border-bottom:1px solid var(--line)}#tabs[hidden]{display:none}
#tabs button{flex:0 1 190px;min-width:90px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;text-align:left;border-radius:8px 8px 0 0;font-size:13px}
#tabs button[aria-current]{background:var(--sunken);color:var(--ink);font-weight:600;opacity:1}
main{flex:1;position:relative;display:flex;align-items:center;justify-content:center;min-height:0;padding:10px}
#picture{max-width:100%;max-height:100%;background:#fff;border-radius:6px;box-shadow:0 1px 3px rgb(0 0 0/18%),0 6px 24px rgb(0 0 0/12%);touch-action:none;visibility:hidden;user-select:none;-webkit-user-select:none}
[data-seen] #picture{visibility:visible}[data-over] #picture{opacity:.35;filter:grayscale(1)}
[data-pointing] #picture{cursor:crosshair;outline:2px solid var(--warn);outline-offset:2px}
#wait{position:absolute;color:var(--soft)}[data-seen] #wait{display:none}
main:focus-within #picture{outline:2px solid var(--accent);outline-offset:2px}
footer{display:flex;gap:8px;align-items:center;min-height:38px;padding:4px 12px;font-size:13px;color:var(--soft);background:var(--card);border-top:1px solid var(--line)}
#dot{flex:none;width:9px;height:9px;border-radius:50%;background:var(--line)}#dot[data-kind=drive]{background:var(--accent)}#dot[data-kind=watch]{background:#8b938f}#dot[data-kind=wait]{background:var(--warn)}
#who{flex:1;min-width:0}#keys{position:fixed;left:0;bottom:0;width:1px;height:1px;padding:0;border:0;opacity:0;resize:none;pointer-events:none;font-size:16px}
@media(max-width:40rem){main{align-items:flex-start}#bar{order:0;flex-basis:150px}}
dialog{width:min(26rem,calc(100vw - 2rem));padding:18px;border:1px solid var(--line);border-radius:12px;background:var(--card);color:var(--ink);box-shadow:0 1rem 4rem rgb(0 0 0/30%)}dialog::backdrop{background:rgb(10 16 15/45%)}
dialog h2{margin:0 0 6px;font-size:17px}dialog p{margin:0 0 12px;color:var(--soft);font-size:14px;overflow-wrap:anywhere;white-space:pre-wrap}dialog input{border-radius:8px;margin-bottom:12px}dialog input[hidden]{display:none}
.row{display:flex;gap:8px;justify-content:flex-end}#saved:empty{display:none}#saved{margin:12px 0 0}`
