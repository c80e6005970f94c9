// Seeded chance and the frame of a small page with one task, for the widget tasks beside this file. Half of the pages
// show the instruction themselves, as exercises do: its words must not be taken for a label.

export interface WidgetTask {
  name: string
  page(seed: number): string
}

export interface Chance {
  int(from: number, to: number): number
  pick<T>(list: readonly T[]): T
  some<T>(list: readonly T[], count: number): T[]
}

function chance(name: string, seed: number): Chance {
  let state = 2166136261 ^ seed
  for (const letter of `${name}/${seed}`) state = Math.imul(state ^ letter.charCodeAt(0), 16777619)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const some = <T>(list: readonly T[], count: number): T[] => {
    const rest = [...list]
    return Array.from({ length: count }, () => rest.splice(int(0, rest.length - 1), 1)[0]!)
  }
  return { int, some, pick: (list) => list[int(0, list.length - 1)]! }
}

export interface Made {
  say: string
  body: string
  css?: string
  /** A script with `$`, `$$` and `D`; sets `task.done` or `task.answer`. */
  script: string
  data?: unknown
}

export const widget = (name: string, make: (r: Chance) => Made): WidgetTask => ({
  name,
  page: (seed) => {
    const { say, body, css = '', script, data = {} } = make(chance(name, seed))
    const shows = seed % 2 === 1
    const json = JSON.stringify({ say, data }).replace(/</g, '\\u003c')
    return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Widgets</title>
<style>body{font:15px/1.4 sans-serif;margin:16px;max-width:560px}.query{background:#ffd;padding:6px;margin-bottom:8px}[hidden]{display:none!important}${css}</style>
<body>${shows ? `<div class="query">${say.replace(/</g, '&lt;')}</div>` : ''}<div id="area">${body}</div>
<script>const $=(s,r=document)=>r.querySelector(s),$$=(s,r=document)=>[...r.querySelectorAll(s)];
(() => { const { say, data: D } = ${json}; const task = { instruction: say, done: () => 0 }; window.__task = task;
const ends = (reward) => { if (task.ended === undefined) task.ended = +reward; $('#area').style.opacity = '0.6' }
task.done = () => task.ended ?? 0
${script} })()</script></body></html>`
  },
})

export const WORDS =
  'amet arcu at augue blandit commodo consequat cras diam dolor dui elit enim eros felis feugiat iaculis id ipsum lectus leo libero ligula lorem magna massa mauris metus mi morbi nam nec neque nibh nisl nulla nunc odio orci ornare pretium purus quam risus sapien sed sem sit tellus tempus tortor turpis urna ut varius velit vitae'.split(
    ' ',
  )
export const NAMES =
  'Ada Bert Carla Dov Emil Fay Gus Hana Ivo Jette Kofi Lina Mads Nora Olav Pia Quin Rhea Sven Thea Una Vito Wim Yara Zeno'.split(
    ' ',
  )
export const COUNTRIES =
  'Albania Austria Belgium Chile Cuba Denmark Egypt Finland Ghana Iceland Kenya Latvia Malta Nepal Oman Peru Qatar Samoa Tanzania Uganda Yemen Zambia'.split(
    ' ',
  )
export const list = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join('')
