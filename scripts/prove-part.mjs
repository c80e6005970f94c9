// Measures one part for prove.mjs, which starts this in a process of its own, and sends it the rows.
import { join } from 'node:path'
import { root } from './setup.mjs'

const { prove } = await import(join(root, 'bench/prove', `${process.argv[2]}.mjs`))
process.send(await prove(), () => process.exit(0))
