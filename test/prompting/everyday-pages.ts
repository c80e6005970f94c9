// A second set of pages for prompts without a model, of other trades and other markup than those in pages.ts. What
// visitors did stands in `window.state`, which only the scorer reads.

const page = (title: string, body: string, script: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">
<style>body{font:15px/1.6 system-ui,sans-serif;max-width:900px;margin:0 auto;padding:10px}[hidden]{display:none!important}td,th{padding:4px 10px;text-align:left}
.row{display:flex;gap:12px;align-items:center}.veil{position:fixed;inset:0;background:#0008;display:grid;place-items:center}.veil>div,.bar{background:#fff;padding:18px;border:1px solid #999}
.bar{position:fixed;bottom:0;left:0;right:0}[role=option]:hover{background:#eee}</style></head><body>${body}
<script>const q=(s,r=document)=>r.querySelector(s),all=(s,r=document)=>[...r.querySelectorAll(s)];const state=window.state={};${script}</script></body></html>`

const BOOKS: [string, string, number][] = [
  ['The Salt Road', 'Ines Calder', 2019],
  ['Winter Gardens', 'Paul Adeyemi', 2021],
  ['A Field Guide to Moss', 'Ines Calder', 2008],
  ['Harbour Lights', 'Mina Sorel', 2015],
]

const library = page(
  'Catalogue – Westbrook Library',
  `<nav><a href="#opening">Opening hours</a> · <a href="#events">Events</a></nav><h1>Catalogue</h1>
<form role="search"><input type="search" placeholder="Title or author" aria-label="Search the catalogue"><button>Search</button></form>
<p id="n" role="status"></p><ul id="list"></ul>`,
  `const books=${JSON.stringify(BOOKS)};state.reserved=[];state.q='';
const draw=()=>{const hits=books.filter(b=>(b[0]+' '+b[1]).toLowerCase().includes(state.q.toLowerCase()));q('#n').textContent=hits.length+' titles found';
q('#list').innerHTML=hits.map(b=>'<li><h3>'+b[0]+'</h3><p>by '+b[1]+', '+b[2]+'</p><button data-t="'+b[0]+'">'+(state.reserved.includes(b[0])?'Reserved':'Reserve')+'</button> <a href="#about-'+b[0]+'">Details</a></li>').join('');
all('#list button').forEach(x=>x.onclick=()=>{if(!state.reserved.includes(x.dataset.t))state.reserved.push(x.dataset.t);draw()})};
q('form').onsubmit=e=>{e.preventDefault();state.q=q('input').value;draw()};draw()`,
)

const JOBS: [string, string, string, number, boolean][] = [
  ['Data analyst', 'Lyon', 'Full time', 41, true],
  ['Warehouse lead', 'Bremen', 'Full time', 36, false],
  ['Support agent', 'Lyon', 'Part time', 24, true],
  ['Site engineer', 'Turin', 'Full time', 52, false],
  ['Editor', 'Bremen', 'Part time', 29, true],
]

const jobs = page(
  'Open positions',
  `<h1>Open positions</h1><aside><label for="place">Location</label> <select id="place"><option>All locations</option><option>Bremen</option><option>Lyon</option><option>Turin</option></select>
<fieldset><legend>Contract</legend><label><input type="checkbox" value="Full time"> Full time</label> <label><input type="checkbox" value="Part time"> Part time</label></fieldset>
<label><input type="checkbox" id="remote"> Remote only</label> <label for="order">Sort by</label> <select id="order"><option value="">Newest</option><option value="up">Salary, lowest first</option><option value="down">Salary, highest first</option></select></aside>
<p id="n"></p><table><thead><tr><th>Position</th><th>Place</th><th>Contract</th><th>Salary</th><th></th></tr></thead><tbody></tbody></table>`,
  `const jobs=${JSON.stringify(JOBS)};state.applied=[];
const draw=()=>{const p=q('#place').value,c=all('fieldset input:checked').map(x=>x.value),r=q('#remote').checked,o=q('#order').value;
let l=jobs.filter(j=>(p.startsWith('All')||j[1]===p)&&(!c.length||c.includes(j[2]))&&(!r||j[4]));if(o)l=[...l].sort((a,b)=>o==='up'?a[3]-b[3]:b[3]-a[3]);
state.shown=l.map(j=>j[0]).join();q('#n').textContent=l.length+' positions';q('tbody').innerHTML=l.map(j=>'<tr><td>'+j[0]+'</td><td>'+j[1]+'</td><td>'+j[2]+'</td><td>€ '+j[3]+',000</td><td><button data-j="'+j[0]+'">Apply</button></td></tr>').join('');
all('tbody button').forEach(b=>b.onclick=()=>{state.applied.push(b.dataset.j);b.textContent='Applied';b.disabled=true})};
all('select,input').forEach(x=>x.onchange=draw);draw()`,
)

const account = page(
  'Sign in – Oakline Energy',
  `<main><h1>Customer area</h1><form><div><label>Customer number<br><input name="user" autocomplete="username"></label></div><div><label>Password<br><input type="password" autocomplete="current-password"></label></div>
<label><input type="checkbox" id="stay"> Keep me signed in</label><p><button type="submit">Sign in</button> <a href="#forgot">Forgotten your password?</a></p><p role="alert"></p></form></main>`,
  `state.in=null;q('form').onsubmit=e=>{e.preventDefault();const u=q('[name=user]').value,p=q('[type=password]').value;
if(u!=='OE-4471'||p!=='tulip-9'){q('[role=alert]').textContent='Customer number or password is wrong.';state.failed=(state.failed||0)+1;return}
state.in=u+'/'+q('#stay').checked;q('main').innerHTML='<h1>Welcome, Mara Lind</h1><dl><dt>Tariff</dt><dd>Green Flex</dd><dt>Balance</dt><dd>€ 42.17</dd><dt>Next bill</dt><dd>3 March 2027</dd></dl><button id="out">Sign out</button>';q('#out').onclick=()=>{state.out=1;q('main').innerHTML='<h1>You are signed out.</h1>'}}`,
)

const rail = page(
  'Timetable – Northline',
  `<h1>Find a train</h1><form><p><label for="a">From</label> <input id="a" list="s"> <label for="b">To</label> <input id="b" list="s"><datalist id="s"><option>Aalborg<option>Aarhus<option>Odense<option>Esbjerg</datalist></p>
<p><label for="d">Outward date</label> <input type="date" id="d" value="2027-01-01"> <label for="h">Leaving after</label> <select id="h"><option>06:00</option><option>09:00</option><option>12:00</option><option>18:00</option></select></p>
<div class="row" role="group" aria-label="Passengers"><span>Passengers</span><button type="button" aria-label="Fewer passengers">−</button><output>1</output><button type="button" aria-label="More passengers">+</button></div>
<p><label><input type="radio" name="c" value="2" checked> Second class</label> <label><input type="radio" name="c" value="1"> First class</label></p><button>Show trains</button></form><section></section>`,
  `let n=1;const [less,more]=all('.row button');less.onclick=()=>{n=Math.max(1,n-1);q('output').textContent=n};more.onclick=()=>{n=Math.min(8,n+1);q('output').textContent=n};
q('form').onsubmit=e=>{e.preventDefault();state.search=[q('#a').value,q('#b').value,q('#d').value,q('#h').value,n,q('[name=c]:checked').value].join('|');
q('section').innerHTML='<h2>Trains</h2>'+[['07:12','09:40','189'],['10:12','12:31','149'],['18:55','21:20','99']].map(t=>'<article><h3>'+t[0]+' – '+t[1]+'</h3><p>'+t[2]+' kr</p><button data-t="'+t[0]+'">Select</button></article>').join('');all('section button').forEach(b=>b.onclick=()=>{state.train=b.dataset.t;b.textContent='Selected'})}`,
)

const news = page(
  'The Daily Heron',
  `<header><h1>The Daily Heron</h1><nav><a href="#politics">Politics</a> <a href="#sport">Sport</a> <a href="#culture">Culture</a></nav></header>
<article><h2>Ferry line to reopen in spring</h2><p>By Tomas Reyes. The crossing had been closed since 2023.</p></article><article><h2>Bakers win a prize</h2><p>By Ama Boateng.</p></article>
<div class="bar" id="cookies" role="dialog" aria-label="Cookies"><p>We and our partners use cookies.</p><button data-c="all">Accept all</button> <button data-c="none">Only necessary</button> <button data-c="more">Settings</button></div>
<div class="veil" id="letter" hidden><div role="dialog" aria-modal="true" aria-label="Newsletter"><h2>Our letter, every Friday</h2><label>E-mail <input type="email"></label> <button>Subscribe</button> <button aria-label="Close" class="x">×</button></div></div>`,
  `state.cookies='';state.letter='closed';all('#cookies button').forEach(b=>b.onclick=()=>{state.cookies=b.dataset.c;if(b.dataset.c==='more')return;q('#cookies').hidden=true});
if(location.search.includes('letter')){q('#letter').hidden=false;state.letter='open'}
q('.x').onclick=()=>{q('#letter').hidden=true;state.letter='dismissed'};q('#letter button').onclick=()=>{state.letter='subscribed '+q('#letter input').value;q('#letter').hidden=true};
addEventListener('hashchange',()=>{state.section=location.hash.slice(1);document.title=state.section||'The Daily Heron';})`,
)

const tickets = page(
  'Tickets – Helpdesk',
  `<h1>Tickets</h1><table><thead><tr><th>No.</th><th>Subject</th><th>Customer</th><th>Priority</th><th>Actions</th></tr></thead><tbody></tbody></table><nav aria-label="Pages"><button id="prev">Previous</button> <span id="at"></span> <button id="next">Next</button></nav>`,
  `const names=['Brook Ltd','Fenwick','Osei & Sons','Larkspur','Quill','Tamarind'];const rows=Array.from({length:18},(_,i)=>({no:700+i,subject:['Printer offline','Wrong invoice','Login fails','Late parcel','Broken hinge','Refund'][i%6]+' '+(i+1),who:names[(i*5)%6],pri:['Low','Normal','High'][i%3]}));
let p=0;state.closed=[];state.assigned=[];const draw=()=>{state.page=p+1;q('#at').textContent='Page '+(p+1)+' of 3';q('#prev').disabled=p===0;q('#next').disabled=p===2;
q('tbody').innerHTML=rows.slice(p*6,p*6+6).map(r=>'<tr><td>'+r.no+'</td><td>'+r.subject+'</td><td>'+r.who+'</td><td>'+r.pri+'</td><td><button data-a="closed" data-n="'+r.no+'">Close</button> <button data-a="assigned" data-n="'+r.no+'">Assign to me</button></td></tr>').join('');
all('tbody button').forEach(b=>b.onclick=()=>{state[b.dataset.a].push(+b.dataset.n);b.disabled=true;b.textContent=b.dataset.a==='closed'?'Closed':'Assigned'})};
q('#prev').onclick=()=>{p--;draw()};q('#next').onclick=()=>{p++;draw()};draw()`,
)

const contact = page(
  'Contact – Juniper Roofing',
  `<h1>Write to us</h1><form><p><label for="fn">First name *</label><br><input id="fn"></p><p><label for="ln">Last name *</label><br><input id="ln"></p><p><label for="em">E-mail *</label><br><input id="em" type="email"></p>
<p><label for="tp">Topic</label><br><select id="tp"><option>General</option><option>Offer for a new roof</option><option>Repair</option><option>Complaint</option></select></p>
<fieldset><legend>How shall we answer?</legend><label><input type="radio" name="how" value="mail" checked> By e-mail</label> <label><input type="radio" name="how" value="phone"> By phone</label></fieldset>
<p><label for="ms">Message *</label><br><textarea id="ms" rows="4"></textarea></p><p><label><input type="checkbox" id="ok"> I have read the privacy notice *</label></p><button>Send message</button> <button type="reset">Clear</button></form><p role="status"></p>`,
  `q('form').onsubmit=e=>{e.preventDefault();const v=['#fn','#ln','#em','#ms'].map(s=>q(s).value);if(v.some(x=>!x)||!q('#ok').checked){q('[role=status]').textContent='Please fill in all fields marked with *.';return}
state.sent=[v[0],v[1],v[2],q('#tp').value,q('[name=how]:checked').value,v[3]].join('|');q('form').hidden=true;q('[role=status]').textContent='Thank you. We have received your message.'}`,
)

const settings = page(
  'Settings',
  `<h1>Settings</h1><div class="row"><span id="l1">Weekly summary</span><button role="switch" aria-checked="false" aria-labelledby="l1">●</button></div><div class="row"><span id="l2">Sound</span><button role="switch" aria-checked="true" aria-labelledby="l2">●</button></div>
<fieldset><legend>Theme</legend><label><input type="radio" name="t" value="Light" checked> Light</label><label><input type="radio" name="t" value="Dark"> Dark</label><label><input type="radio" name="t" value="Automatic"> Automatic</label></fieldset>
<p><label for="lg">Language</label> <select id="lg"><option>English</option><option>Français</option><option>Nederlands</option></select></p><p><label for="dn">Display name</label> <input id="dn" value="mlind"></p>
<p><button id="save">Save changes</button> <button id="del">Delete account</button></p><p role="status"></p>`,
  `state.saved=null;state.deleted=0;all('[role=switch]').forEach(s=>s.onclick=()=>s.setAttribute('aria-checked',s.getAttribute('aria-checked')==='false'));
q('#save').onclick=()=>{state.saved=[...all('[role=switch]').map(s=>s.getAttribute('aria-checked')==='true'?'on':'off'),q('[name=t]:checked').value,q('#lg').value,q('#dn').value].join('|');q('[role=status]').textContent='Your changes were saved.'};q('#del').onclick=()=>{state.deleted++;q('[role=status]').textContent='Your account was deleted.'}`,
)

const invoices = page(
  'Invoices',
  `<h1>Invoices</h1><div role="tablist"><button role="tab" aria-selected="true" data-y="2026">2026</button><button role="tab" aria-selected="false" data-y="2025">2025</button></div><div role="tabpanel"></div>`,
  `const rows={2026:[['R-2201','January','€ 120.00','paid'],['R-2214','February','€ 98.50','open'],['R-2230','March','€ 143.10','open']],2025:[['R-1907','November','€ 77.00','paid'],['R-1920','December','€ 81.20','paid']]};
state.files=[];state.paid=[];const draw=y=>{state.year=y;all('[role=tab]').forEach(t=>t.setAttribute('aria-selected',t.dataset.y===y));q('[role=tabpanel]').innerHTML='<table>'+rows[y].map(r=>'<tr><td>'+r[0]+'</td><td>'+r[1]+' '+y+'</td><td>'+r[2]+'</td><td>'+r[3]+'</td><td><a href="#" data-n="'+r[0]+'">Download PDF</a></td><td>'+(r[3]==='open'?'<button data-n="'+r[0]+'">Pay now</button>':'')+'</td></tr>').join('')+'</table>';
all('[role=tabpanel] a').forEach(a=>a.onclick=e=>{e.preventDefault();state.files.push(a.dataset.n);Object.assign(document.createElement('a'),{href:URL.createObjectURL(new Blob(['%PDF'])),download:a.dataset.n+'.pdf'}).click()});all('[role=tabpanel] button').forEach(b=>b.onclick=()=>{state.paid.push(b.dataset.n);b.replaceWith('paid')})};
all('[role=tab]').forEach(t=>t.onclick=()=>draw(t.dataset.y));draw('2026')`,
)

const hotel = page(
  'Casa Verde – Availability',
  `<h1>Casa Verde</h1><p>Breakfast from 7:30, reception open until 22:00.</p><form><p><span id="rl">Room</span> <button type="button" role="combobox" aria-labelledby="rl" aria-expanded="false" aria-controls="rooms">Please choose</button></p><ul id="rooms" role="listbox" hidden><li role="option">Single</li><li role="option">Double with balcony</li><li role="option">Family suite</li></ul>
<p><label for="in">Arrival</label> <input id="in" type="date"> <label for="out">Departure</label> <input id="out" type="date"></p><p><label for="g">Guests</label> <input id="g" type="number" min="1" max="6" value="2"></p><p><label><input type="checkbox" id="dog"> Bringing a dog</label></p><button>Check availability</button></form><p role="status"></p>`,
  `const c=q('[role=combobox]'),l=q('#rooms');c.onclick=()=>{l.hidden=!l.hidden;c.setAttribute('aria-expanded',!l.hidden)};all('[role=option]').forEach(o=>o.onclick=()=>{c.textContent=o.textContent;l.hidden=true;c.setAttribute('aria-expanded','false')});
q('form').onsubmit=e=>{e.preventDefault();if(c.textContent==='Please choose'||!q('#in').value||!q('#out').value){q('[role=status]').textContent='Choose a room and both dates.';return}
state.asked=[c.textContent,q('#in').value,q('#out').value,q('#g').value,q('#dog').checked].join('|');q('[role=status]').textContent='Available: € 212 in total.'}`,
)

const manual = page(
  'Manual – Brightpump 300',
  `<nav aria-label="Chapters"><a href="#install" data-c="install">Installation</a> <a href="#care" data-c="care">Care</a> <a href="#faults" data-c="faults">Faults</a></nav><main></main>`,
  `const text={'':'<h1>Brightpump 300</h1><p>Weight: 4.2 kg</p><p>Warranty: 5 years</p>',install:'<h1>Installation</h1><p>Mount the pump at least 40 cm above the floor.</p><details><summary>Tools</summary><p>You need a 13 mm spanner.</p></details>',care:'<h1>Care</h1><p>Clean the filter every 6 months.</p>',faults:'<h1>Faults</h1><table><tr><th>Code</th><th>Meaning</th></tr><tr><td>E1</td><td>No water</td></tr><tr><td>E4</td><td>Motor too hot</td></tr><tr><td>E7</td><td>Sensor unplugged</td></tr></table>'};
state.trail=[];const draw=()=>{const c=location.hash.slice(1);state.at=c;state.trail.push(c);q('main').innerHTML=text[c]||text['']};addEventListener('hashchange',draw);draw();q('main').addEventListener('toggle',e=>{state.open=e.target.open},true)`,
)

const todo = page(
  'Shopping list',
  `<h1>Shopping list</h1><form><label for="i">New item</label> <input id="i"> <button>Add</button></form><ul></ul><p><button id="clear">Remove ticked items</button></p>`,
  `state.items=[['Bread',false],['Olives',true],['Rice',false]];const draw=()=>{state.list=state.items.map(i=>i[0]+(i[1]?'+':'')).join();q('ul').innerHTML=state.items.map((x,i)=>'<li><label><input type="checkbox" data-i="'+i+'"'+(x[1]?' checked':'')+'> '+x[0]+'</label> <button data-i="'+i+'" aria-label="Delete '+x[0]+'">✕</button></li>').join('');
all('li input').forEach(c=>c.onchange=()=>{state.items[c.dataset.i][1]=c.checked;draw()});all('li button').forEach(b=>b.onclick=()=>{state.items.splice(b.dataset.i,1);draw()})};
q('form').onsubmit=e=>{e.preventDefault();if(q('#i').value)state.items.push([q('#i').value,false]);q('#i').value='';draw()};q('#clear').onclick=()=>{state.items=state.items.filter(i=>!i[1]);draw()};draw()`,
)

export const everydayPages: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    library,
    jobs,
    account,
    rail,
    news,
    tickets,
    contact,
    settings,
    invoices,
    hotel,
    manual,
    todo,
  }).map(([name, html]) => [`everyday/${name}`, html]),
)
