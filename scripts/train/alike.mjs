// The rate `alike`: of blocks built alike (siblings of one tag and class, four or more) of which most are kept, the share
// that is kept. Found in the page itself, without the code that is judged.
import { parseDocument } from 'htmlparser2'

const MIN_MEMBERS = 4
const MIN_LETTERS = 24
/** Of a group, for it to be of a kind that is kept. */
const MOST = 0.6
const SILENT = new Set('script style noscript template select option svg head'.split(' '))

const letters = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** The longest text of an element, by which it is found again. */
function sampleOf(element) {
  let longest = ''
  const stack = [element]
  while (stack.length > 0) {
    const node = stack.pop()
    if (node.type === 'text' && node.data.length > longest.length) longest = node.data
    if (node.children && !SILENT.has(node.name)) stack.push(...node.children)
  }
  return letters(longest).slice(0, 60)
}

function groupsOf(html) {
  const groups = []
  const stack = [parseDocument(html)]
  while (stack.length > 0) {
    const { children = [], name } = stack.pop()
    if (SILENT.has(name)) continue
    const byForm = new Map()
    for (const child of children) {
      if (!child.children) continue
      stack.push(child)
      // Two words of a class tell the form; more of them tell states and numbers.
      const form = `${child.name} ${(child.attribs?.class ?? '').split(/\s+/).slice(0, 2).join(' ').replace(/\d+/g, '#')}`
      byForm.set(form, [...(byForm.get(form) ?? []), child])
    }
    for (const members of byForm.values()) if (members.length >= MIN_MEMBERS) groups.push(members)
  }
  return groups
}

/** Of each group of a kept kind on a page: how many members the whole page shows, and how many the main content. */
export function judgeAlike(html, main, whole) {
  const [all, kept] = [letters(whole), letters(main)]
  const groups = groupsOf(html).flatMap((members) => {
    const samples = [...new Set(members.map(sampleOf))].filter(
      (text) => text.length >= MIN_LETTERS && all.includes(text),
    )
    const own = samples.filter((text) => kept.includes(text)).length
    return samples.length >= MIN_MEMBERS && own >= samples.length * MOST ? [{ of: samples.length, kept: own }] : []
  })
  return groups.length > 0 ? groups : undefined
}

/** The mean share over pages. */
export function alikeRate(judged) {
  const shares = judged
    .filter(Boolean)
    .map((groups) => groups.reduce((sum, { kept }) => sum + kept, 0) / groups.reduce((sum, { of }) => sum + of, 0))
  return shares.length > 0 ? shares.reduce((a, b) => a + b, 0) / shares.length : 1
}
