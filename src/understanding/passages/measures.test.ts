import { describe, expect, it } from 'vitest'
import { expectCost } from '../../../test/cost.ts'
import { answerFrom } from './answer.ts'
import { measureFor } from './measures.ts'

const held = (question: string, text: string): boolean | undefined => measureFor(question)?.isIn(text)

describe('the measure a question wants', () => {
  it.each([
    ['How heavy is it?', 'It weighs 58gr without laces', 'It is 5 mm thick'],
    ['Wie schwer ist das Rad?', 'nur 9,8 kg', 'Rahmen von 54 cm'],
    ['How far do they travel?', 'within a 40-mile radius of the town', 'over 8 years of experience'],
    ['How tall is the tower?', 'The tower is 96 m high', 'It weighs 7,000 tonnes'],
    ['How wide is the door?', 'an opening of 2 ft 6 in.', 'made in 4 weeks'],
    ['What voltages can you handle?', 'machinery of 120V, 208V and 480V', 'up to 16 amps and 3 kg'],
    ['How hot should the oven be?', 'bake at 180 °C', 'for 25 minutes with 200 g of flour'],
    ['How fast is the train?', 'it runs at 300 km/h', 'a line of 450 km'],
    ['How much memory does it need?', 'needs at least 8 GB', 'a 14 inch screen'],
  ])('%s', (question, answer, other) => {
    expect([held(question, answer), held(question, other)]).toEqual([true, false])
  })

  it('is any measure when the question does not say which', () => {
    expect(measureFor('How big is the garden?')).toBeUndefined()
  })

  it('chooses between the rows of a table that hold other measures', () => {
    const page = `# Trail sandal\n\n| Part | Size 42 |\n|---|---|\n| Sole | 5 mm |\n| Drop | 0 mm |\n| One shoe | 58 gr |\n\nThe strap is 12 mm wide.\n`
    expect(answerFrom(page, 'How heavy is the sandal?').text).toContain('58 gr')
  })

  it('is an age when the years are not said', () => {
    const page = '# A dog for us\n\nOur children are 7, 6 and 3. We have a large garden and walk a lot.\n'
    expect(answerFrom(page, 'How old are the children?').text).toContain('7, 6 and 3')
  })

  it('takes time in proportion to the text', () => {
    const look = measureFor('How heavy is it?')!
    const before = process.cpuUsage()
    look.isIn('1,'.repeat(100_000))
    expectCost(process.cpuUsage(before).user / 1000).toBeLessThan(2_000)
  })
})
