// Phrases of questions and pages, and the kinds of questions that everyday pages taught.
import { describe, expect, it } from 'vitest'
import { answerFrom } from './answer.ts'
import { kindOf } from './cues.ts'
import { inSingleWords, phrasesIn } from './phrases.ts'
import { termsOf } from './terms.ts'

describe('phrases', () => {
  it('mean on a page what one word of a question does, and the other way round', () => {
    expect(phrasesIn('Membership costs nothing.')).toEqual(termsOf('free'))
    expect(phrasesIn('Crossings are called off in a gale.')).toEqual(termsOf('cancel'))
    expect(inSingleWords('How many books can I take out?')).toBe('how many books can i borrow?')
    expect(inSingleWords('How do I turn up the volume?')).toBe('how do i turn up the volume?')
  })

  it('tell the years of a life', () => {
    expect(phrasesIn('Ada Moss (3 May 1887 – 19 August 1964) was an engineer.')).toContain('born')
  })
})

describe('what is asked for', () => {
  it.each([
    ["What if I don't pay on time?", 'thing'],
    ['How fast do they charge?', 'duration'],
    ['How often am I charged?', 'often'],
    ['How much to fix a zip?', 'money'],
    ['Who founded the firm?', 'maker'],
    ['Who wrote this article?', 'author'],
    ['Who wrote the novel Emma?', 'person'],
  ])('%s asks for: %s', (question, kind) => expect(kindOf(question)).toBe(kind))
})

const PAGE = `# Gull Works

*By Nora Field*

The workshop makes scales and was set up by Tom Ash in 1950. We employ 430 people at three sites.

Meals are paid by the company. The company sells in many countries. The company car park is large.

Don't top it up for weeks. Every fill brings in oxygen that rusts the pipes.

Bo: Is it safe to run it when it is cold?

Ida: Yes, it stops by itself.`

describe('a page', () => {
  const answerTo = (question: string) => answerFrom(PAGE, question).text ?? ''

  it('is signed by its byline', () => expect(answerTo('Who wrote this article?')).toContain('Nora Field'))

  it('speaks of its own subject without naming it', () =>
    expect(answerTo('How many employees does the company have?')).toContain('430 people'))

  it('answers a question that someone put by what stands next', () =>
    expect(answerTo('Is it safe to run it cold?')).toContain('it stops by itself'))

  it('tells the reason in the sentence after', () =>
    expect(answerTo('Why should I not refill it?')).toContain('rusts the pipes'))
})
