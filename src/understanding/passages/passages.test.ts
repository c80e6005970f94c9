import { describe, expect, it } from 'vitest'
import { expectCost, sized } from '../../../test/cost.ts'
import { answerFrom } from './answer.ts'
import { blocksOf } from './blocks.ts'
import { kindOf } from './cues.ts'
import { highlightsOf } from './highlights.ts'
import { plainOf } from './plain.ts'
import { sentencesOf } from './sentences.ts'
import { summaryOf } from './summary.ts'
import { textOf } from './units.ts'

const sentences = (text: string) => sentencesOf(text).map(({ start, end }) => text.slice(start, end))

describe('plain text', () => {
  it('keeps the words of links and drops pictures, addresses and marks', () => {
    expect(plainOf('See **the [old mill](https://a.b/c_(d) "t")** ![a picture](x.png) and `code`\\*.')).toBe(
      'See the old mill and code*.',
    )
  })

  it('keeps brackets that are no links and underscores inside words', () => {
    expect(plainOf('[sic] snake_case <3 [x]')).toBe('[sic] snake_case <3 [x]')
  })
})

describe('sentences', () => {
  it('go on after abbreviations, initials and dates', () => {
    expect(sentences('Dr. J. Smith came on 3. Mai 2020. He left.')).toEqual([
      'Dr. J. Smith came on 3. Mai 2020.',
      'He left.',
    ])
    expect(sentences('Das gilt z. B. für Hunde. Katzen nicht.')).toHaveLength(2)
  })

  it('end with the marks of other scripts', () => {
    expect(sentences('今日は晴れです。明日は雨です。')).toHaveLength(2)
    expect(sentences('هل أنت هنا؟ نعم.')).toHaveLength(2)
  })

  it('are cut at spaces where a script has no marks', () => {
    const thai = `${'กรุงเทพมหานครเป็นเมืองหลวง'.repeat(4)} ${'ประเทศไทย'.repeat(4)}`
    expect(sentences(thai)).toHaveLength(2)
  })
})

describe('blocks', () => {
  it('know the headings they stand under', () => {
    const blocks = blocksOf('# A\n\none\n\n## B\n\n- x\n- y\n\n# C\n\n| a |\n| --- |\n| b |')
    expect(blocks.map(({ kind, headings }) => [kind, headings.join('/')])).toEqual([
      ['heading', ''],
      ['text', 'A'],
      ['heading', 'A'],
      ['list', 'A/B'],
      ['heading', ''],
      ['table', 'C'],
    ])
  })

  it('are quoted verbatim: every unit is a piece of the source', () => {
    const markdown =
      '# A\n\nOne **bold** sentence. Another one.\n\n1. first\n2. second\n\n| k | v |\n| --- | --- |\n| a | 1 |'
    const { units } = textOf(markdown)
    expect(units.map(({ plain }) => plain)).toEqual([
      'A',
      'One bold sentence.',
      'Another one.',
      'first',
      'second',
      'k: a; v: 1',
    ])
    expect(units.map(({ start, end }) => markdown.slice(start, end))).toContain('One **bold** sentence.')
  })
})

describe('kinds of questions', () => {
  it('are told in many languages', () => {
    expect(['How much is a ticket?', 'Was kostet das?', '料金はいくらですか'].map(kindOf)).toEqual([
      'money',
      'money',
      'money',
    ])
    expect(['When did it open?', 'Quand ouvre-t-il ?', 'Когда открыт?'].map(kindOf)).toEqual(['date', 'date', 'date'])
    expect(['Who wrote it?', 'Wer schrieb es?', '谁写的？'].map(kindOf)).toEqual(['person', 'person', 'person'])
  })

  it.each([
    ['Is the phone number shown?', 'yes-no'],
    ['Can I call in the evening?', 'yes-no'],
    ['Can you tell me the price?', 'money'],
    ['What do you call a young swan?', 'thing'],
    ['Do students pay the fee?', 'charge'],
    ['Was kostet das?', 'money'],
    ['Was it expensive?', 'charge'],
    ['How do I change my address?', 'way'],
    ['How big is the discount?', 'size'],
    ['How old is the bridge?', 'count'],
  ])('%s asks for: %s', (question, kind) => {
    expect(kindOf(question)).toBe(kind)
  })
})

const PAGE = `# Tidal mill\n\nThe mill grinds barley and wheat.\n\n## Visiting\n\nThe mill is open on Saturdays. A guided tour lasts 45 minutes.\n\n## Prices\n\n| Ticket | Price |\n| --- | --- |\n| Adult | 6 € |\n| Child | 3 € |\n\n## History\n\nIt was built in 1743 by Amos Hale. The wheel was renewed in 1911.`

describe('an answer', () => {
  it('take no part of a product number for a price', () => {
    const page = '# Zenit 12G-P4-3992-KR 12GB graphics card\n\nThe 3992-KR 12GB is a card for large screens.'
    expect(answerFrom(page, 'What does it cost?').text).toBeUndefined()
    expect(answerFrom('# Lamp\n\nThe lamp costs kr 499 with the bulb.', 'What does it cost?').text).toContain('499')
  })

  it('to when something can be done may be an event, but not to when something was', () => {
    const page =
      '# Puppies\n\nYou can begin to train a puppy as soon as it is home. Kennels were founded after the war by two sisters.\n'
    expect(answerFrom(page, 'When can I begin to train the puppy?').text).toContain('as soon as')
    expect(answerFrom(page, 'When was the school founded?').text).toBeUndefined()
  })

  it('is what stands below the line that leads to it', () => {
    const page =
      '# Robot\n\nIt cleans floors.\n\nWhat is in the box:\n\n- one charging dock\n- two mopping pads\n\nWarranty: two years.\n'
    expect(answerFrom(page, 'What is in the box?').text).toContain('two mopping pads')
  })

  it('does not begin with the mark that ended another line', () => {
    const page = '# Chargers\n\n#### Fast charger\n\n: A public charger that adds a hundred miles in 30 minutes.\n'
    expect(answerFrom(page, 'How long does a public charger take?').text).toMatch(/(?<!: )A public charger/)
  })

  it('names what comes nearest when nothing answers for sure', () => {
    const page = '# Mill\n\nThe restaurant serves soup at noon. The wheel was renewed in 1911.\n'
    const { text, closest } = answerFrom(page, 'Which wines does the restaurant pour?')
    expect([text, closest]).toEqual([undefined, ['The restaurant serves soup at noon.']])
    expect(answerFrom(page, 'Is there a swimming pool?').closest).toEqual([])
  })

  it('is not “free” because something else is', () => {
    const page = '# Studying abroad\n\nThere are free scholarship databases. A visa is needed for longer stays.\n'
    expect(answerFrom(page, 'How much is the visa fee?').text).toBeUndefined()
  })

  it('quotes the sentence that holds it, found through its heading when need be', () => {
    expect(answerFrom(PAGE, 'Who built the mill?').text).toContain('Amos Hale')
    expect(answerFrom(PAGE, 'How long does a tour take?').text).toContain('45 minutes')
    expect(answerFrom(PAGE, 'What does a child pay?').text).toMatch(/^3 €: “Ticket: Child; Price: 3 €”$/)
  })

  it('is found under a line that heads it without being a heading', () => {
    const page =
      '# Upkeep\n\nTiming belt\n\nPRICE: $603\n\nIt drives the valves.\n\nSpark plugs\n\nPRICE: $212\n\nThey light the fuel.'
    expect(answerFrom(page, 'What does a timing belt cost?').text).toBe('$603: “PRICE: $603”')
    expect(answerFrom(page, 'What do spark plugs cost?').text).toBe('$212: “PRICE: $212”')
  })

  it('is found though a percentage or a place is held and not named', () => {
    const page = '# Survey\n\nThe survey ran in May. Only 12% of the bakers use wild yeast. The rest buy theirs.'
    expect(answerFrom(page, 'What percentage of bakers use wild yeast?').text).toContain('12%')
  })

  it('is found in words written apart, in other forms, and in a sentence that takes up the one before', () => {
    const page =
      '# Lanterns\n\nThe sign % is a wild card. The Kestrel is our smallest lamp. It has 70 settings.\n\nWe fed the stove at dawn.'
    expect(answerFrom(page, 'Which sign is the wildcard?').text).toContain('wild card')
    expect(answerFrom(page, 'How many settings does the Kestrel have?').text).toContain('70 settings')
    expect(answerFrom(page, 'When do you feed the stove?').text).toContain('fed the stove')
  })

  it('is none when the amount asked for is not there, or the question ties words that the page does not', () => {
    const page =
      '# Bread\n\nThe Juki oven is a heavy-duty oven. Bread flour is rich in gluten. Coffee is free of charge.'
    expect(answerFrom(page, 'How heavy is the Juki oven?').text).toBeUndefined()
    expect(answerFrom(page, 'Is there gluten-free flour?').text).toBeUndefined()
  })

  it('is found in other words than the page’s, when they are near in meaning', () => {
    const page = [
      '# The Harbour School',
      'The harbour school of the island has been teaching since the war, and the house is of brick.',
      'Lessons begin in the autumn and end in the spring.',
      'The hall is heated by a stove that burns wood from the forest.',
      'Families with more than one student receive a discount of a tenth.',
      'The boats are painted every winter with the help of the fathers.',
      'A cook makes soup for the teachers and for the guests.',
      'The library of the school is open to the village.',
      'In the garden there are apples, and in the cellar there is cider.',
      'The choir sings at the feast of the fishermen.',
      'Old sails are stored in the loft above the hall.',
    ].join('\n\n')
    expect(answerFrom(page, 'Do siblings get a discount?').quotes[0]).toMatch(/^Families/)
    expect(answerFrom(page, 'Is there a swimming pool?').text).toBeUndefined()
  })

  it('counts what is asked for, not what else has a number', () => {
    const page =
      '# Mill\n\nThe mill employs twelve people. The mill has 4 wheels.\n\nThe mill has a great hall. It was built in 1904.'
    expect(answerFrom(page, 'How many wheels does the mill have?').quotes).toEqual(['The mill has 4 wheels.'])
    expect(answerFrom(page, 'How many pages does the book of the mill have?').text).toBeUndefined()
  })

  it('follows a question that stands alone on the page', () => {
    const page =
      '# Course\n\nDo I need to be able to draw?\n\nNope, it is about ideas.\n\nHow long does it take?\n\nA year.'
    expect(answerFrom(page, 'Must I know how to draw?').quotes[0]).toBe('Nope, it is about ideas.')
  })

  it('is none when the page speaks of something else', () => {
    expect(answerFrom(PAGE, 'What is the e-mail address of the bakery?').text).toBeUndefined()
    expect(answerFrom('', 'Who?').text).toBeUndefined()
  })
})

describe('a value before its sentence', () => {
  const page = (sentence: string) => `# Tidal mill\n\n${sentence}\n\nThe wheel was renewed in 1911.`

  it('is of the kind that was asked for', () => {
    expect(
      answerFrom(page('The wheel of the mill weighs 400 kg.'), 'How heavy is the wheel of the mill?').text,
    ).toMatch(/^400 kg: “/)
    expect(
      answerFrom(page('A tour of the mill costs 6 € for adults.'), 'How much is a tour of the mill?').text,
    ).toMatch(/^6 €: “/)
    expect(
      answerFrom(page('A tour of the mill costs 4.50 for all.'), 'How much is a tour of the mill?').text,
    ).not.toMatch(/^4\.50: /)
  })

  it.each([
    ['A tour of the mill costs up to 12 €, by season.', 'How much is a tour of the mill?'],
    ['With a card you save 3 € on a tour of the mill.', 'How much is a tour of the mill?'],
    ['A tour of the mill lasts at least 40 minutes.', 'How long does a tour of the mill take?'],
  ])('stays in it when the number alone would say something else: %s', (sentence, question) => {
    const { text } = answerFrom(page(sentence), question)
    expect(text === undefined || !/^\d/.test(text)).toBe(true)
  })
})

describe('whole sentences', () => {
  const half = 'The keepers of the lamp wrote down every ship that came'
  const rest = 'in from the north before the winter of that year was over.'

  it('are quoted though a line break or their length divides them', () => {
    const page = `# Lamp\n\nIt is old.\n\n${half}  \n${rest}\n`
    expect(highlightsOf(page, 'Which ships came from the north before winter?')).toEqual([`${half}  \n${rest}`])
    const long = `The ferry to Holm ${'sails past the old pier and '.repeat(50)}costs six pounds for adults.`
    expect(highlightsOf(`# Fares\n\n${long}\n`, 'What does the ferry to Holm cost for adults?')).toEqual([long])
  })

  it('make a summary, and no part of one', () => {
    const page = `# Lamp\n\nThe lamp at the wall was lit again by two sisters.\n\n${half}  \n${rest} The harbour paid for the oil that the lamp burned.\n`
    const summary = summaryOf(page)!
    expect(summaryOf('- ### [Trio](/trio)\n\n  Three balms\n\n  £42\n')).toBe('Trio Three balms £42')
    expect(summary).toContain('The harbour paid for the oil that the lamp burned.')
    expect(summary).not.toContain('in from the north')
    expect(summaryOf('# Lamp\n\nwas lit again by two sisters.', 'was lit again by two sisters of the lamp.')).toBe(
      'Lamp: was lit again by two sisters.',
    )
  })
})

describe('a summary', () => {
  const NEWS = `# Ferry fares to rise\n\nBy Una Carrick\n\n- Home\n- Islands and harbours of the north, a guide for readers\n\nThe harbour board of Holm approved new ferry fares on Monday. A single crossing will cost more from April.\n\n${'The pier was painted by volunteers who live near the old customs house. '.repeat(3)}\n\nIslanders keep the discount on ferry fares that they have had for years.`

  it('begins with the thesis: what the head says of this page, else how it begins', () => {
    const said = 'A single ferry crossing to Holm will cost £6.40 from April, the board said.'
    // A description that was cut at a length loses the sentence that was cut; one that is nothing else is not used.
    expect(summaryOf(NEWS, `${said} It says more about the […]`)).toBe(summaryOf(NEWS, said))
    expect(summaryOf(NEWS, 'The harbour board of Holm has now approved the ferry fares that …')).toBe(summaryOf(NEWS))
    expect(summaryOf(NEWS, said)).toMatch(/^A single ferry crossing to Holm will cost £6\.40/)
    expect(summaryOf(NEWS)).toMatch(/^The harbour board of Holm approved new ferry fares/)
  })

  it('does not believe a head that speaks of the site, or is cut short', () => {
    expect(summaryOf(NEWS, 'The best stories of the region, every morning in your letter box.')).toMatch(/^The harbour/)
    expect(summaryOf(NEWS, 'The harbour board of Holm approved new ferry fares on Mon…')).toMatch(/^The harbour board/)
  })

  it('of a page without sentences is its title and its headings, not some of its items', () => {
    const list = (name: string) => `## ${name}\n\n- first ${name} part\n- second ${name} part`
    expect(summaryOf(`# Spare parts\n\n${['Wheels', 'Shafts', 'Sails'].map(list).join('\n\n')}`)).toBe(
      'Spare parts: Wheels; Shafts; Sails',
    )
  })
})

describe('highlights and summaries', () => {
  it('are none when nothing on the page fits, though its title holds a word of the query', () => {
    expect(highlightsOf(PAGE, 'helicopter landing rules of the tidal mill')).toEqual([])
    expect(highlightsOf(PAGE, 'swimming pool')).toEqual([])
  })

  it('are made of the page’s own words', () => {
    for (const passage of highlightsOf(PAGE, 'renewed wheel')) expect(PAGE).toContain(passage)
    expect(highlightsOf(PAGE, 'renewed wheel')).toContain('The wheel was renewed in 1911.')
    expect(summaryOf(PAGE)).toContain('The mill is open on Saturdays.')
    expect(summaryOf('')).toBeUndefined()
  })

  it('say nothing twice', () => {
    const again = `${PAGE}\n\nThe mill is open on Saturdays.`
    expect(summaryOf(again)!.split('open on Saturdays')).toHaveLength(2)
  })
})

describe('hostile text', () => {
  const all = (markdown: string) => {
    answerFrom(markdown, 'Who built the mill in 1743?')
    highlightsOf(markdown, 'the mill')
    summaryOf(markdown)
  }

  it.each(['[', '](', '|', '- ', '# ', '<a', '`', 'a ', 'A. ', '。', '1. ', '\\', '| a '])(
    'takes time in proportion when it is %j again and again',
    (piece) => {
      const small = cpu(() => all(piece.repeat(sized(20_000) / piece.length)))
      const large = cpu(() => all(piece.repeat(sized(200_000) / piece.length)))
      expectCost(large).toBeLessThan(Math.max(small, 20) * 40)
    },
  )
})

/** Milliseconds of processor time. */
function cpu(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}

describe('what was taken out of a text', () => {
  it('can still be read where it stood', () => {
    expect(plainOf('Write to <EMAIL> or call <PHONE>.<br>Now.')).toBe('Write to <EMAIL> or call <PHONE>. Now.')
  })
})
