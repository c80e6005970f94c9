import { describe, expect, it } from 'vitest'
import { isPerson, personIn } from './person.ts'

describe('names of people', () => {
  it('are taken out of what stands around them', () => {
    expect(personIn('By Ann Lee | May 3, 2024')).toBe('Ann Lee')
    expect(personIn('View all posts by Darryl Hicks')).toBe('Darryl Hicks')
    expect(personIn('Laura Kennedy July 10, 2023')).toBe('Laura Kennedy')
    expect(personIn('Paul Miller, Chief Technology Officer, Wind River')).toBe('Paul Miller')
    expect(personIn('Biology Forums, June 04, 2024, 11:23:55 AM')).toBe('Biology Forums')
  })

  it('are told from menus, offices and sentences', () => {
    expect(isPerson('Ludwig van Beethoven')).toBe(true)
    expect(isPerson('Read More')).toBe(false)
    expect(isPerson('Chief Executive Officer')).toBe(false)
    expect(isPerson('See how it works')).toBe(false)
    expect(personIn('Category: Garden')).toBeUndefined()
  })
})
