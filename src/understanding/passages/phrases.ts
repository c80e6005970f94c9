// Things that people say in several words and a page in one, or the other way round: "take out" is to borrow, "costs
// nothing" is free. Told for questions and pages alike. English only. It must not know any page.
import { folded, stem } from './terms.ts'

/** What is said (a pattern), and the words it means, of which a question takes the first. */
const PHRASES: readonly (readonly [said: string, means: string])[] = [
  [
    '(?:for|costs?|cost|pays?) nothing|no (?:extra |additional )?(?:charge|cost|fee)|nothing to pay|free of charge|without charge',
    'free',
  ],
  ['tak(?:e|en|ing) out', 'borrow'],
  ['(?:bring|brought|take|taken|giv(?:e|en)|send|sent|sending) (?:it |them |things |something )?back', 'return'],
  ['get(?:ting)? (?:my |your |our |the )?money back', 'refund'],
  ['get(?:ting)? rid of|throw(?:n|ing)? (?:it |them )?(?:away|out)', 'dispose'],
  ['get(?:ting)? in touch|talk to|speak (?:to|with)|write to|reach out', 'contact'],
  ['get(?:ting)? in(?=\\W*$)', 'admission'],
  ['check(?:s|ed|ing)?[ -]in', 'checkin'],
  ['check(?:s|ed|ing)?[ -]out', 'checkout'],
  ['(?:without|no) meat|meat-free', 'vegetarian'],
  ['(?:tops?|topped|topping) (?:it |them )?up', 'refill'],
  ['get(?:ting)? (?:to|here|there)', 'directions'],
  ['sign(?:ed|ing)?[ -]?up', 'register'],
  ['sign(?:ed|ing)?[ -]in|log(?:ged|ging)?[ -](?:in|on)', 'login'],
  ['set(?:ting)?[ -]up', 'setup'],
  ['shut(?:s|ting)? down|clos(?:e|ed|es|ing) down', 'close'],
  ['call(?:ed|ing)? off', 'cancel'],
  ['put off|push(?:ed|ing)? back', 'postpone'],
  ['look(?:s|ed|ing)? after|tak(?:e|es|ing) care of', 'care'],
  ['made (?:of|from|out of)', 'material'],
  // German articles look the same, so that the word alone says nothing.
  ['die(?<=\\b(?:did|does|do|will|to|can) (?:\\w+ ){0,2}die)', 'death'],
  ['1\\d{3} ?[–-] ?\\d{1,2} [a-z]+ \\d{4}', 'born death'],
  ['by (?:itself|themselves)', 'automatic'],
  ['made(?<=\\bwhere (?:\\w+ ){1,4}made)', 'manufactured'],
  ['(?:an)?other countr(?:y|ies)|foreign countr(?:y|ies)', 'abroad'],
  ['on time', 'late'],
  ['tak(?:e|en|ing) (?:it |them )?again|resit', 'retake'],
  ['turn(?:s|ed|ing)? over', 'revenue'],
  ['for a living', 'occupation'],
  ['cash (?:machine|point|dispenser)', 'atm'],
  ['carbon[ -]neutral|free of emissions|net[ -]zero|climate[ -]neutral', 'emission'],
  ['(?:blue|disabled) badge', 'disabled'],
  ['(?:publicly|stock)[ -](?:traded|listed|exchange|market)|listed on (?:an|the) \\w*', 'shares'],
  ['best time', 'season'],
  ['tak(?:e|es|ing) part', 'participate'],
  ['back(?:s|ed|ing)?[ -]up', 'backup'],
  ['pick(?:s|ed|ing)?[ -]up', 'collect'],
  ['turn(?:s|ed|ing)? up(?! the| it)|no[ -]shows?', 'attend'],
  ['pass(?:es|ed|ing)? away', 'die'],
  ['gr[eo]w up|brought up', 'childhood'],
  ['go(?:es|ing)? wrong|went wrong', 'problem'],
  ['run(?:s|ning)? out', 'expire'],
  ['turn(?:s|ed|ing)? (?:it )?off|switch(?:es|ed|ing)? (?:it )?off', 'disable'],
  ['turn(?:s|ed|ing)? (?:it )?on|switch(?:es|ed|ing)? (?:it )?on', 'enable'],
  ['come(?:s)? with|in the box', 'include'],
  ['hand(?:s|ed|ing)? in', 'submit'],
  ['sold out', 'unavailable'],
  ['in charge of|in charge', 'head'],
  ['a fortnight', 'weeks'],
  ['(?:per|each|every) day', 'daily'],
  ['(?:per|each|every) week', 'weekly'],
  ['(?:per|each|every) month', 'monthly'],
  ['(?:per|each|every) year', 'annual'],
  ['under-(?:fives?|tens?|twelves?|sixteens?|eighteens?|\\d+s?)', 'child'],
  ['over-?\\d+s', 'senior'],
  ['off limits', 'forbid'],
  ['wash(?:ing)? machine', 'wash'],
  ['step[ -]free', 'wheelchair'],
  ['cut (?:it |them )?down', 'reduce'],
  ['give up|gave up|given up', 'quit'],
  ['break(?:s)? down|broke down|broken down', 'broken'],
  ['tie(?:d)? the knot', 'marry'],
  ['public transport', 'transport'],
  ['run(?:ning)? time|battery life', 'runtime'],
]

const ANY = new RegExp(`\\b(?:${PHRASES.map(([said]) => `(${said})`).join('|')})\\b`, 'g')
const MEANS = PHRASES.map(([, means]) => means.split(' ').map(stem))

/** The terms that phrases of a text mean, beside its own. */
export function phrasesIn(plain: string): string[] {
  const terms: string[] = []
  for (const found of folded(plain).matchAll(ANY)) terms.push(...MEANS[found.slice(1).findIndex(Boolean)]!)
  return terms
}

/** A question whose phrases are put as single words. */
export const inSingleWords = (question: string): string =>
  folded(question).replace(
    ANY,
    (...found) => PHRASES[found.slice(1, PHRASES.length + 1).findIndex(Boolean)]![1].split(' ')[0]!,
  )
