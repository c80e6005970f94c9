// Ordinary small pages for prompts without a model. Each keeps what visitors did in `window.state`, which only the
// scorer reads.

const page = (title: string, body: string, script: string, css = ''): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">
<style>body{font:16px/1.5 sans-serif;margin:0}header,main,footer{max-width:820px;margin:auto;padding:12px}button{cursor:pointer}
[hidden]{display:none!important}.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}${css}</style></head>
<body><header><a href="#home">Home</a> <a href="#contact">Contact</a></header><main>${body}</main><footer><a href="#imprint">Imprint</a></footer>
<script>const $=(s,r=document)=>r.querySelector(s),$$=(s,r=document)=>[...r.querySelectorAll(s)];window.state={};const state=window.state;${script}</script></body></html>`

const shop = page(
  'Merino jumper – Knitwell',
  `<h1>Merino jumper</h1><p>€ 89.00</p>
<fieldset><legend>Colour</legend>${['Charcoal', 'Turquoise', 'Mustard'].map((c) => `<label class="sw"><input class="sr" type="radio" name="colour" value="${c}"><span style="padding:4px 10px;border:1px solid #888">${c}</span></label>`).join(' ')}</fieldset>
<p><label for="size">Size</label> <select id="size"><option value="">Choose a size</option><option>Small</option><option>Medium</option><option>Large</option></select></p>
<p><label>Quantity <input id="qty" type="number" min="1" max="9" value="1"></label></p>
<p><label><input type="checkbox" id="gift"> Gift wrapping (+ € 4)</label></p>
<p><button id="add">Add to bag</button> <button id="wish">Save to wish list</button></p><p role="status" id="msg"></p>
<aside><a href="#bag">Bag (<span id="count">0</span>)</a> <button id="pay">Proceed to payment</button></aside>
<h2>Details</h2><details><summary>Care</summary><p>Wash cold, dry flat.</p></details>`,
  `state.bag=[];state.paid=0;
$('#add').onclick=()=>{const c=$('[name=colour]:checked'),s=$('#size').value;if(!c||!s){$('#msg').textContent='Please choose a colour and a size.';return}
state.bag.push([c.value,s,+$('#qty').value,$('#gift').checked].join('/'));$('#count').textContent=state.bag.length;$('#msg').textContent='Added to your bag.'};
$('#wish').onclick=()=>{state.wish=1;$('#msg').textContent='Saved.'};
$('#pay').onclick=()=>{state.paid++;$('main').innerHTML='<h1>Payment</h1>'}`,
)

const booking = page(
  'Book a table – Osteria Lume',
  `<h1>Book a table</h1><form id="f"><p><label for="d">Date</label><br><input id="d" type="date"></p>
<p><label for="t">Time</label><br><select id="t"><option>18:00</option><option>18:30</option><option>19:00</option><option>19:30</option><option>20:00</option></select></p>
<p><label for="p">Party size</label><br><select id="p"><option value="1">1 person</option>${[2, 3, 4, 5, 6].map((n) => `<option value="${n}">${n} people</option>`).join('')}</select></p>
<fieldset><legend>Seating</legend><label><input type="radio" name="s" value="inside" checked> Inside</label> <label><input type="radio" name="s" value="terrace"> Terrace</label></fieldset>
<p><label for="n">Your name</label><br><input id="n"></p><p><label for="m">Mobile</label><br><input id="m" type="tel"></p>
<p><label for="r">Special requests</label><br><textarea id="r"></textarea></p>
<p><label><input type="checkbox" id="nl"> Send me offers</label></p><button>Book table</button></form><p role="status" id="msg"></p>`,
  `$('#f').onsubmit=e=>{e.preventDefault();if(!$('#n').value||!$('#d').value){$('#msg').textContent='Please fill in your name and a date.';return}
state.got=[$('#d').value,$('#t').value,$('#p').value,$('[name=s]:checked').value,$('#n').value,$('#m').value,$('#r').value,$('#nl').checked].join('|');$('#f').hidden=true;$('#msg').textContent='Thank you, your table is booked.'}`,
)

const orders = page(
  'Orders – Backoffice',
  `<h1>Orders</h1><div><label>Status <select id="st"><option>All</option><option>Open</option><option>Shipped</option><option>Returned</option></select></label>
<label>Customer <input id="cu" type="search" placeholder="Filter by customer"></label> <label><input id="od" type="checkbox"> Overdue only</label>
<label>Sort by <select id="so"><option>Newest first</option><option>Oldest first</option><option>Amount: high to low</option><option>Amount: low to high</option></select></label></div>
<table><thead><tr><th>Order</th><th>Customer</th><th>Status</th><th>Amount</th><th></th></tr></thead><tbody></tbody></table><p role="status" id="msg"></p>
<div role="dialog" aria-modal="true" aria-label="Cancel order" id="dlg" hidden style="position:fixed;top:30%;left:30%;background:#fff;border:1px solid;padding:20px"><p>Cancel this order?</p><button id="no">Keep it</button> <button id="yes">Yes, cancel</button></div>`,
  `const rows=[['4101','Hollis Ward','Open',120,1],['4102','Mira Sand','Shipped',75,0],['4103','Otto Brandt','Open',310,0],['4104','Mira Sand','Returned',42,0],['4105','Ines Roche','Shipped',560,1]];
state.cancelled=[];state.viewed='';let ask;
const draw=()=>{let l=rows.filter(r=>($('#st').value==='All'||r[2]===$('#st').value)&&r[1].toLowerCase().includes($('#cu').value.toLowerCase())&&(!$('#od').checked||r[4]));
const s=$('#so').value;l=[...l].sort((a,b)=>s==='Newest first'?b[0]-a[0]:s==='Oldest first'?a[0]-b[0]:s.endsWith('high')?a[3]-b[3]:b[3]-a[3]);
state.rows=l.map(r=>r[0]).join();$('tbody').innerHTML=l.map(r=>'<tr><td>'+r[0]+'</td><td>'+r[1]+'</td><td>'+r[2]+'</td><td>€ '+r[3]+'</td><td><button class="v">View</button> <button class="c">Cancel order</button></td></tr>').join('');
$$('tbody tr').forEach((tr,i)=>{$('.v',tr).onclick=()=>{state.viewed=l[i][0];$('#msg').textContent='Order '+l[i][0]+' opened.'};$('.c',tr).onclick=()=>{ask=l[i][0];$('#dlg').hidden=false}})};
for(const i of ['st','cu','od','so'])$('#'+i).oninput=draw;$('#no').onclick=()=>$('#dlg').hidden=true;
$('#yes').onclick=()=>{state.cancelled.push(ask);$('#dlg').hidden=true;$('#msg').textContent='Order '+ask+' was cancelled.'};draw()`,
)

const login = page(
  'Sign in – Ledgerly',
  `<div id="box"><h1>Welcome back</h1><form id="f"><p><label for="u">Username or e-mail</label><br><input id="u" autocomplete="username"></p>
<p><label for="p">Password</label><br><input id="p" type="password"></p><p><label><input id="k" type="checkbox"> Keep me signed in</label></p><button>Log in</button> <a href="#forgot">Forgot your password?</a></form><p class="err" role="alert" id="e"></p></div>`,
  `$('#f').onsubmit=e=>{e.preventDefault();if($('#u').value==='rhea@ledgerly.test'&&$('#p').value==='blue-Kite-52'){state.in=$('#k').checked?'kept':'yes';
$('#box').innerHTML='<h1>Accounts</h1><table><tr><th>Account</th><th>Balance</th></tr><tr><td>Savings</td><td>€ 8,120.50</td></tr><tr><td>Current</td><td>€ 431.07</td></tr></table><button id="x">Log out</button>';$('#x').onclick=()=>{state.in='out';$('#box').innerHTML='<h1>Goodbye</h1>'}}
else{state.bad=1;$('#e').textContent='The username or password is incorrect.'}}`,
)

const jobs = page(
  'Vacancies – Workpath',
  `<h1>Vacancies</h1><form role="search" id="f"><label>Keyword <input id="q" type="search"></label> <button>Search</button></form><ul id="l"></ul><nav aria-label="Pagination"><button id="pv">Previous page</button> <span id="pg"></span> <button id="nx">Next page</button></nav>`,
  `const all=['Baker','Tram driver','Gardener','Nurse','Welder','Bookkeeper','Teacher','Plumber','Tailor','Librarian','Electrician','Cook'].map((t,i)=>[t,['Lyon','Graz','Bruges'][i%3]]);
let p=0,list=all;state.saved=[];const draw=()=>{const n=Math.ceil(list.length/4);state.page=p+1;$('#pg').textContent='Page '+(p+1)+' of '+n;
$('#l').innerHTML=list.slice(p*4,p*4+4).map(([t,c])=>'<li><h3><a href="#'+t+'">'+t+'</a></h3><p>'+c+'</p><button aria-pressed="'+state.saved.includes(t)+'">Save</button></li>').join('');
$$('#l li').forEach((li)=>{const t=$('a',li).textContent;$('a',li).onclick=()=>{state.open=t;$('main').innerHTML='<h1>'+t+'</h1><p>Apply by post.</p><button id="ap">Apply</button>';$('#ap').onclick=()=>{state.applied=t;$('main').innerHTML='<p>Application sent.</p>'}};
$('button',li).onclick=()=>{state.saved=state.saved.includes(t)?state.saved.filter(x=>x!==t):[...state.saved,t];draw()}});
$('#pv').disabled=p===0;$('#nx').disabled=p>=n-1};$('#nx').onclick=()=>{p++;draw()};$('#pv').onclick=()=>{p--;draw()};
$('#f').onsubmit=e=>{e.preventDefault();const q=$('#q').value.toLowerCase();state.query=q;list=all.filter(([t,c])=>(t+' '+c).toLowerCase().includes(q));p=0;draw()};draw()`,
)

const article = page(
  'Tides – The Quay',
  `<h1>How tides work</h1><p>The moon pulls the sea. Read for 4 minutes.</p><button id="sub">Get the weekly letter</button><p role="status" id="msg"></p>
<dialog id="dlg"><h2>Join our readers</h2><label>E-mail <input id="e" type="email"></label> <button id="ok">Subscribe</button> <button id="x" aria-label="Close">×</button></dialog>
<div id="ck" role="region" aria-label="Cookie notice" style="position:fixed;bottom:0;left:0;right:0;background:#eee;padding:16px"><p>We use cookies to measure visits.</p><button id="all">Accept all</button> <button id="min">Only necessary</button> <button id="set">Cookie settings</button></div>`,
  `$('#all').onclick=()=>{state.cookies='all';$('#ck').remove()};$('#min').onclick=()=>{state.cookies='min';$('#ck').remove()};$('#set').onclick=()=>{state.cookies='settings'};
const d=$('#dlg');$('#sub').onclick=()=>d.showModal();$('#x').onclick=()=>{state.closed=1;d.close()};$('#ok').onclick=()=>{state.mail=$('#e').value;d.close();$('#msg').textContent='Please confirm by e-mail.'};if(location.search.includes('open'))d.showModal()`,
)

const stays = page(
  'Find a stay – Harbourlight',
  `<h1>Find a stay</h1><p><label for="w">Where</label> <input id="w" autocomplete="off" role="combobox" aria-autocomplete="list" aria-expanded="false"><ul id="sg" role="listbox" style="list-style:none;border:1px solid #999" hidden></ul></p>
<p><label for="i">Check-in</label> <input id="i" readonly placeholder="Add date"> <label for="o">Check-out</label> <input id="o" readonly placeholder="Add date"></p>
<div id="cal" role="dialog" aria-label="Calendar" hidden style="border:1px solid;width:280px;padding:8px"></div>
<div>Adults <button aria-label="Remove adult" id="am">−</button> <span id="ad">1</span> <button aria-label="Add adult" id="ap">+</button></div>
<div>Children <button aria-label="Remove child" id="cm">−</button> <span id="ch">0</span> <button aria-label="Add child" id="cp">+</button></div>
<p><button id="go">Search stays</button></p><p role="status" id="msg"></p>`,
  `const towns=['Lisbon','Lisburn','Lismore','Ljubljana','Dublin'],M='January February March April May June July August September October November December'.split(' ');let town='',field,y=2027,m=2;const date={};
$('#w').oninput=()=>{town='';const v=$('#w').value.toLowerCase(),l=v.length<2?[]:towns.filter(t=>t.toLowerCase().startsWith(v));$('#sg').hidden=!l.length;$('#w').setAttribute('aria-expanded',!!l.length);$('#sg').innerHTML=l.map(t=>'<li role="option">'+t+'</li>').join('');$$('#sg li').forEach(li=>li.onclick=()=>{town=li.textContent;$('#w').value=town;$('#sg').hidden=true})};
const draw=()=>{const n=new Date(y,m+1,0).getDate(),f=(new Date(y,m,1).getDay()+6)%7;let h='<div><button aria-label="Previous month">‹</button> <strong>'+M[m]+' '+y+'</strong> <button aria-label="Next month">›</button></div><table role="grid"><tr>'+'<td></td>'.repeat(f);for(let d=1;d<=n;d++)h+='<td><button data-d="'+d+'">'+d+'</button></td>'+((f+d)%7?'':'</tr><tr>');$('#cal').innerHTML=h+'</tr></table>';
const [a,b]=$$('#cal div button');a.onclick=()=>{m--;if(m<0){m=11;y--}draw()};b.onclick=()=>{m++;if(m>11){m=0;y++}draw()};$$('[data-d]').forEach(c=>c.onclick=()=>{date[field]=y+'-'+(m+1)+'-'+c.dataset.d;$('#'+field).value=c.dataset.d+' '+M[m].slice(0,3)+' '+y;$('#cal').hidden=true})};
for(const f of ['i','o'])$('#'+f).onclick=()=>{field=f;$('#cal').hidden=false;draw()};
const step=(id,by,min)=>()=>{$('#'+id).textContent=Math.max(min,+$('#'+id).textContent+by)};$('#am').onclick=step('ad',-1,1);$('#ap').onclick=step('ad',1,1);$('#cm').onclick=step('ch',-1,0);$('#cp').onclick=step('ch',1,0);
$('#go').onclick=()=>{if(!town||!date.i){$('#msg').textContent='Please choose where and when.';return}state.got=[town,date.i,date.o,$('#ad').textContent,$('#ch').textContent].join('|');$('#msg').textContent='12 stays found.'}`,
)

const files = page(
  'Documents – Filebox',
  `<h1>Documents</h1><table><tr><th>Name</th><th>Changed</th><th></th></tr>${['Lease 2026', 'Insurance', 'Payslip May'].map((n, i) => `<tr><td>${n}</td><td>${i + 3} June</td><td><a download="${n}.txt" href="data:text/plain,${i}">Download</a> <button class="rn">Rename</button> <button class="rm">Delete</button></td></tr>`).join('')}</table>
<form id="f"><p><label for="up">Choose a document</label> <input id="up" type="file"></p><button>Upload</button></form><p role="status" id="msg"></p>
<p>Storage used: 3.2 GB of 5 GB</p>`,
  `state.downloads=[];state.deleted=[];$$('a[download]').forEach(a=>a.addEventListener('click',()=>state.downloads.push(a.download)));
$$('.rm').forEach(b=>b.onclick=()=>{const n=$('td',b.closest('tr')).textContent;if(confirm('Delete '+n+'?')){state.deleted.push(n);b.closest('tr').remove();$('#msg').textContent=n+' was deleted.'}});
$('#f').onsubmit=async e=>{e.preventDefault();const x=$('#up').files[0];if(!x){$('#msg').textContent='Choose a file first.';return}state.up=x.name+':'+await x.text();$('#msg').textContent=x.name+' was uploaded.'}`,
)

const settings = page(
  'Settings – Chatter',
  `<h1>Settings</h1><div role="tablist">${['Account', 'Notifications', 'Appearance'].map((t, i) => `<button role="tab" aria-selected="${!i}" aria-controls="t${i}">${t}</button>`).join('')}</div>
<section role="tabpanel" id="t0"><p><label>Display name <input id="dn" value="Sam"></label></p><p><label>Language <select id="la"><option>English</option><option>Français</option><option>Polski</option></select></label></p><button id="s0">Save changes</button></section>
<section role="tabpanel" id="t1" hidden>${['Desktop alerts', 'Sounds', 'E-mail digest'].map((s) => `<p><span id="${s.replace(/\W/g, '')}">${s}</span> <button role="switch" aria-checked="${s === 'Sounds'}" aria-labelledby="${s.replace(/\W/g, '')}" style="width:40px;height:20px"></button></p>`).join('')}</section>
<section role="tabpanel" id="t2" hidden><fieldset><legend>Theme</legend><label><input type="radio" name="th" checked value="Light"> Light</label> <label><input type="radio" name="th" value="Dark"> Dark</label></fieldset><p><label>Text size <input type="range" id="ts" min="10" max="30" value="16"></label></p></section><p role="status" id="msg"></p>`,
  `$$('[role=tab]').forEach((t,i)=>t.onclick=()=>{$$('[role=tab]').forEach(x=>x.setAttribute('aria-selected',x===t));$$('[role=tabpanel]').forEach((p,j)=>p.hidden=i!==j)});
$$('[role=switch]').forEach(s=>s.onclick=()=>s.setAttribute('aria-checked',s.getAttribute('aria-checked')!=='true'));
$('#s0').onclick=()=>{state.saved=$('#dn').value+'|'+$('#la').value;$('#msg').textContent='Saved.'};
state.now=()=>[...$$('[role=switch]').map(s=>s.getAttribute('aria-checked')),$('[name=th]:checked').value,$('#ts').value].join()`,
)

const checkout = page(
  'Checkout – Paper & Pine',
  `<h1>Checkout</h1><form id="f" novalidate><p><label>First name <input id="fn"></label> <label>Last name <input id="ln"></label></p><p><label>Street and number <input id="st"></label></p><p><label>Postcode <input id="zip"></label> <label>City <input id="ci"></label></p>
<fieldset><legend>Delivery</legend><label><input type="radio" name="d" value="std" checked> Standard (3–5 days)</label> <label><input type="radio" name="d" value="exp"> Express (next day)</label> <label><input type="radio" name="d" value="pick"> Pick up in store</label></fieldset>
<fieldset><legend>Payment</legend><label><input type="radio" name="p" value="card"> Credit card</label> <label><input type="radio" name="p" value="inv"> Invoice</label> <label><input type="radio" name="p" value="bank"> Bank transfer</label></fieldset>
<p><label><input type="checkbox" id="ok"> I agree to the terms and conditions</label></p><button>Place order</button></form><p role="alert" id="msg"></p>`,
  `state.orders=[];$('#f').onsubmit=e=>{e.preventDefault();const v=['fn','ln','st','zip','ci'].map(i=>$('#'+i).value),d=$('[name=d]:checked')?.value,p=$('[name=p]:checked')?.value;
if(v.some(x=>!x)||!p||!$('#ok').checked){$('#msg').textContent='Please complete all fields and accept the terms.';return}state.orders.push([...v,d,p].join('|'));$('main').innerHTML='<h1>Thank you for your order</h1>'}`,
)

const contacts = page(
  'Contacts – Rolodeck',
  `<h1>Contacts</h1><ul id="l" style="list-style:none">${['Petra Lang', 'Jo Marsh', 'Ravi Anand', 'Jo Marchetti'].map((n) => `<li style="border-bottom:1px solid #ccc"><strong>${n}</strong> <span>${n.split(' ')[0]!.toLowerCase()}@rolodeck.test</span> <button aria-label="Mark as favourite" aria-pressed="false">☆</button> <button title="Edit">✎</button> <button title="Delete">🗑</button></li>`).join('')}</ul>
<p role="status" id="msg"></p><div id="dlg" role="alertdialog" aria-modal="true" aria-label="Delete contact" hidden style="position:fixed;inset:20%;background:#fff;border:2px solid"><p>Delete this contact for good?</p><button id="n">Cancel</button> <button id="y">Delete</button></div>`,
  `state.gone=[];state.fav=[];let at;$$('#l li').forEach(li=>{const n=$('strong',li).textContent,[f,e,d]=$$('button',li);f.onclick=()=>{const on=f.getAttribute('aria-pressed')!=='true';f.setAttribute('aria-pressed',on);f.textContent=on?'★':'☆';state.fav=on?[...state.fav,n]:state.fav.filter(x=>x!==n)};
e.onclick=()=>{state.edit=n};d.onclick=()=>{at=li;$('#dlg').hidden=false}});$('#n').onclick=()=>$('#dlg').hidden=true;$('#y').onclick=()=>{state.gone.push($('strong',at).textContent);at.remove();$('#dlg').hidden=true;$('#msg').textContent='Contact deleted.'}`,
)

export const pages: Readonly<Record<string, string>> = {
  shop,
  booking,
  orders,
  login,
  jobs,
  article,
  stays,
  files,
  settings,
  checkout,
  contacts,
}
