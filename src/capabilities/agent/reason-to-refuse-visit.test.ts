// What a run may visit: only what the caller allowed, and never with what one site said to another.
import { expect, it } from 'vitest'
import { reasonToRefuseVisit } from './reason-to-refuse-visit.ts'

const open = { strict: false, urls: [], sites: [] }
const named = { strict: false, urls: ['https://a.example/docs'], sites: ['a.example'] }
const strict = { strict: true, urls: ['https://a.example/docs'], sites: ['a.example'] }
const read = [{ value: 'mary@a.example', url: 'https://a.example/team' }]

it.each([
  ['a link on the same site', open, 'https://b.example/next', 'https://b.example/', undefined],
  ['what a search named', open, 'https://c.example/?q=mary@a.example', undefined, undefined],
  ['a plain link to another site', open, 'https://c.example/about', 'https://b.example/', undefined],
  [
    'what one site said, sent by another',
    open,
    'https://c.example/?d=mary%40a.example',
    'https://b.example/',
    /read elsewhere/,
  ],
  ['the same in a path', open, 'https://c.example/x/Mary@A.example/y', 'https://b.example/', /read elsewhere/],
  ['what a site says itself', open, 'https://c.example/?d=mary@a.example', 'https://a.example/team', undefined],
  ['a long query to another site', open, `https://c.example/?d=${'x'.repeat(300)}`, 'https://b.example/', /long query/],
  ['another site than the named ones', named, 'https://b.example/', 'https://a.example/docs', /other sites/],
  ['another host of the named site', named, 'https://shop.a.example/', 'https://a.example/docs', undefined],
  ['a password', open, 'https://me:secret@b.example/', 'https://b.example/', /password/],
  ['another scheme', open, 'file:///etc/passwd', 'https://b.example/', /no web address/],
  ['below what was given', strict, 'https://a.example/docs/one', 'https://a.example/docs', undefined],
  ['beside what was given', strict, 'https://a.example/docs-old', 'https://a.example/docs', /strictConstrainToURLs/],
  ['another site, strictly', strict, 'https://b.example/docs', undefined, /strictConstrainToURLs/],
])('%s', (_name, goal, url, from, why) => {
  const said = reasonToRefuseVisit(goal, { url, from }, read)
  if (why === undefined) expect(said).toBeUndefined()
  else expect(said).toMatch(why)
})
