import { it } from 'vitest'
it('x', () => {})
import { isSealed, score } from './score.ts'
const numbers = Array.from({ length: 80 }, (_, n) => n)
const open = numbers.filter((n) => !isSealed(n))
const s = score(open, 30, 2)
const { faults, ...rest } = s
console.log(JSON.stringify(rest))
console.log(faults.slice(0, 40).join('\n'))
